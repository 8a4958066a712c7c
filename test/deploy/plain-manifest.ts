import { stringify } from 'yaml';
import { type Helm, type KubernetesObject, objectsOf } from './helm.ts';

const header = ` evictrank for those without Helm, rendered from deploy/helm/evictrank: \`npx vitest run test/deploy -u\` writes it anew.
 Before "kubectl apply --filename deploy/kubernetes.yaml", set prometheus.url and image to yours.
 Alert rules: alerts/prometheusrule.yaml. Dashboards: docs/dashboards.md says how to load them.`;

/** Labels that speak of Helm, and an annotation that an edited file would make a lie. */
const droppedLabels = ['helm.sh/chart', 'app.kubernetes.io/managed-by'];
const droppedAnnotation = 'checksum/settings';

/** The text of deploy/kubernetes.yaml. */
export function plainManifest(helm: Helm): string {
  const values = {
    prometheus: { url: 'http://prometheus.monitoring:9090' },
    image: { repository: 'registry.example/evictrank' },
    dashboards: { enabled: false },
  };
  const rendered = helm.template(values, { namespace: 'evictrank' });
  const namespace = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'evictrank', labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
  };
  const objects = [namespace, ...objectsOf(rendered).map(withoutHelm)];
  const texts = objects.map((object) => stringify(object, { lineWidth: 0 }));
  return `${header.replaceAll(/^/gm, '#')}\n${texts.join('---\n')}`;
}

function withoutHelm(object: KubernetesObject): KubernetesObject {
  const copy = structuredClone(object);
  for (const metadata of [copy.metadata, copy.spec?.template?.metadata]) {
    for (const label of droppedLabels) delete metadata?.labels?.[label];
    if (metadata?.annotations !== undefined) delete metadata.annotations[droppedAnnotation];
    if (Object.keys(metadata?.annotations ?? { some: '' }).length === 0) delete metadata.annotations;
  }
  return copy;
}
