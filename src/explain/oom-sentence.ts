/** What the kernel's OOM killer makes of a pod, in words. */
import { type CriticalityFacts, isCriticalPod, isNodeCriticalPod } from '../kubelet/critical.ts';
import { minorVersion, rulesOfKubelet, sinceVersion } from '../kubelet/kubelet-version.ts';
import { isSparedByOomKiller } from '../kubelet/oom-score.ts';
import type { QosClass } from '../kubelet/qos-class.ts';

const apart =
  "The higher the oom_score_adj of a container, from -997 to 1000, the sooner it goes. This is the kernel's order and not the kubelet's: it counts when a container passes its own limit, or when memory runs out faster than the kubelet can evict.";

const orders: Readonly<Record<QosClass, string>> = {
  Guaranteed: 'Its containers are among the last that the kernel kills',
  Burstable:
    'The kernel kills its containers after those of BestEffort pods; the more one requests, the later',
  BestEffort: 'Its containers are the first that the kernel kills',
};

/** @param kubeletVersion of its node; where it is not known, the newest is taken. */
export function describeOom(
  pod: CriticalityFacts,
  qosClass: QosClass,
  kubeletVersion: string | undefined,
): string {
  const isSpared = isSparedByOomKiller(pod, rulesOfKubelet(kubeletVersion));
  const order = isSpared ? 'As a critical pod it is among the last that the kernel kills' : orders[qosClass];
  return [`${order}.`, ...ruleOfCritical(pod, qosClass, kubeletVersion), apart].join(' ');
}

/** Only for pods that another version would treat differently. */
function ruleOfCritical(
  pod: CriticalityFacts,
  qosClass: QosClass,
  kubeletVersion: string | undefined,
): readonly string[] {
  if (qosClass === 'Guaranteed' || !isCriticalPod(pod) || isNodeCriticalPod(pod)) return [];
  const rule = `Since Kubernetes ${sinceVersion('sparedByOomKiller')} the kernel spares only those critical pods that have the priority class system-node-critical, before it spared all of them`;
  return [
    minorVersion(kubeletVersion) === undefined
      ? `${rule}; the version of this node's kubelet is not known, so the newer rule is taken.`
      : `${rule}; the kubelet of this node is ${kubeletVersion}.`,
  ];
}
