import { requiredValues, type Values } from './helm.ts';

/** Values with everything switched on that can be on at once. */
export const everything = {
  ...requiredValues,
  image: {
    ...requiredValues.image,
    digest: `sha256:${'0'.repeat(64)}`,
    pullSecrets: [{ name: 'registry' }],
  },
  config: {
    'kubelet.memory-threshold': '500Mi',
    'priority-classes': ['gold=1000', 'low=-10'],
    'metrics.max-rank': 20,
    'prometheus.max-body-bytes': 536870912,
  },
  envFromSecrets: ['prometheus-token'],
  window: { persistence: { enabled: true, storageClass: 'fast', size: '2Gi' } },
  probes: { scheme: 'HTTPS' },
  service: { annotations: { 'example.org/team': 'platform' } },
  serviceAccount: { annotations: { 'example.org/role': 'reader' } },
  serviceMonitor: {
    enabled: true,
    labels: { release: 'kube-prometheus-stack' },
    interval: '30s',
    metricRelabelings: [{ action: 'labeldrop', regex: 'uid' }],
    endpoint: { scheme: 'https', basicAuth: { username: { name: 'scraper', key: 'user' } } },
  },
  prometheusRule: {
    enabled: true,
    labels: { release: 'kube-prometheus-stack' },
    runbookUrl: 'https://wiki.example.org/evictrank',
  },
  dashboards: { annotations: { grafana_folder: 'evictrank' }, namespace: 'grafana' },
  networkPolicy: {
    enabled: true,
    ingressFrom: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
    egress: [{ ports: [{ port: 53, protocol: 'UDP' }] }],
  },
  podDisruptionBudget: { enabled: true, maxUnavailable: '50%' },
  commonLabels: { team: 'platform' },
  podLabels: { zone: 'a' },
  podAnnotations: { 'example.org/note': 'x' },
  priorityClassName: 'system-cluster-critical',
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  tolerations: [{ key: 'dedicated', operator: 'Exists' }],
  affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' },
  ],
  extraVolumes: [{ name: 'ca', configMap: { name: 'prometheus-ca' } }],
  extraVolumeMounts: [{ name: 'ca', mountPath: '/etc/prometheus-ca', readOnly: true }],
} as const satisfies Values;

/** Values with as little as possible. */
export const minimum: Values = {
  ...requiredValues,
  priorityClasses: { read: false },
  dashboards: { enabled: false },
  serviceAccount: { create: false, name: 'own' },
};

/** Another value for each that `everything` leaves at its default; `beside` where it only counts with others. */
export const otherValues: Readonly<
  Record<string, { value: unknown; beside?: Readonly<Record<string, unknown>> }>
> = {
  'prometheus.url': { value: 'https://other:9090' },
  'image.repository': { value: 'registry.example/other' },
  'image.tag': { value: 'v9', beside: { 'image.digest': '' } },
  'image.pullPolicy': { value: 'Always' },
  'priorityClasses.read': { value: false },
  'window.persistence.existingClaim': { value: 'mine' },
  replicas: { value: 2, beside: { 'window.persistence.enabled': false } },
  resources: { value: { requests: { memory: '2Gi' }, limits: { memory: '2Gi' } } },
  'probes.tcpSocket': { value: true },
  'service.type': { value: 'NodePort' },
  'service.port': { value: 80 },
  'serviceAccount.create': { value: false, beside: { 'serviceAccount.name': 'own' } },
  'serviceAccount.name': { value: 'own' },
  'serviceAccount.mountToken': { value: true, beside: { 'priorityClasses.read': false } },
  'prometheusRule.manifest': { value: 'spec: {groups: [{name: own, rules: []}]}' },
  'dashboards.enabled': { value: false },
  'dashboards.severalClusters': { value: true },
  'dashboards.labels': { value: { dashboards: 'yes' } },
  nameOverride: { value: 'other' },
  fullnameOverride: { value: 'other' },
};

/** The values with one of them, named by its path, put in place of what is there. */
export function withValue(values: Values, path: string, value: unknown): Values {
  const [first = '', ...rest] = path.split('.');
  const inner = values[first];
  return {
    ...values,
    [first]: rest.length === 0 ? value : withValue((inner ?? {}) as Values, rest.join('.'), value),
  };
}

/** undefined where the values leave it at its default. */
export function valueAt(values: Values, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (inner as Values | undefined)?.[key], values);
}
