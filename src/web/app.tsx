import type { ComponentChildren } from 'preact';
import { ClusterPage } from './cluster/cluster-page.tsx';
import { MessagePage } from './message/message-page.tsx';
import { NodePage } from './node/node-page.tsx';
import { PodPage } from './pod/pod-page.tsx';
import { PodsPage } from './pods/pods-page.tsx';
import { type Address, formatAddress } from './shell/address.ts';
import { Freshness, ServiceNotice } from './shell/freshness.tsx';
import { PageHead } from './shell/page-head.tsx';
import { ServicePage } from './shell/service-page.tsx';
import { useAddress } from './shell/use-address.ts';
import { WorkloadsPage } from './workloads/workloads-page.tsx';

const views: readonly (readonly [name: string, text: string])[] = [
  ['nodes', 'Nodes'],
  ['pods', 'Pods'],
  ['workloads', 'Workloads'],
  ['message', 'Message'],
];

export function App() {
  const address = useAddress();
  const current = address.path[0] ?? 'nodes';
  return (
    <>
      {/* A link would need the fragment, which is the address of the view. */}
      <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
        Skip to content
      </button>
      <header class="top">
        <a href="#/nodes" class="brand">
          <span class="brand__mark" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          evictrank
        </a>
        <nav class="top__nav" aria-label="Views">
          {views.map(([name, text]) => (
            <a
              key={name}
              href={formatAddress([name])}
              class="top__link"
              {...(name === current ? { 'aria-current': 'page' } : {})}
            >
              {text}
            </a>
          ))}
        </nav>
        <Freshness />
      </header>
      <main id="content" class="content" tabIndex={-1}>
        <ServiceNotice />
        {viewOf(address)}
      </main>
    </>
  );
}

function viewOf(address: Address): ComponentChildren {
  const [view = 'nodes', first, second] = address.path;
  switch (view) {
    case 'nodes':
      return first === undefined ? (
        <ClusterPage address={address} />
      ) : (
        <NodePage key={first} address={address} node={first} />
      );
    case 'pods':
      return first === undefined || second === undefined ? (
        <PodsPage address={address} />
      ) : (
        <PodPage key={`${first}/${second}`} address={address} namespace={first} pod={second} />
      );
    case 'workloads':
      return <WorkloadsPage address={address} />;
    case 'message':
      return <MessagePage />;
    case 'data':
      return <ServicePage />;
    default:
      return <PageHead title="There is nothing here" />;
  }
}
