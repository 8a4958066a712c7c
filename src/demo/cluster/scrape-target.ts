import type { DemoNode } from './description.ts';

/**
 * One scrape target as the Prometheus operator's stack sets it up: the labels its service discovery attaches.
 * With `honorsLabels` the exporter's own labels win; else they are renamed to `exported_…`
 * (Prometheus docs, scrape_config, honor_labels).
 */
export interface ScrapeTarget {
  readonly labels: Readonly<Record<string, string>>;
  readonly honorsLabels: boolean;
  /** True where samples carry their own times: such series get no staleness marker when they vanish. */
  readonly hasTimestamps: boolean;
}

export function kubeStateMetricsTarget(honorsLabels: boolean): ScrapeTarget {
  return {
    honorsLabels,
    hasTimestamps: false,
    labels: {
      container: 'kube-state-metrics',
      endpoint: 'http',
      instance: '10.244.1.20:8080',
      job: 'kube-state-metrics',
      namespace: 'monitoring',
      pod: 'kube-state-metrics-6f7d9c5b8d-x7k2p',
      service: 'kube-state-metrics',
    },
  };
}

export function schedulerTarget(honorsLabels: boolean): ScrapeTarget {
  return {
    honorsLabels,
    hasTimestamps: false,
    labels: {
      endpoint: 'http-metrics',
      instance: '10.0.0.11:10259',
      job: 'kube-scheduler',
      metrics_path: '/metrics/resources',
      namespace: 'kube-system',
      pod: 'kube-scheduler-ip-10-0-0-11',
      service: 'kube-scheduler',
    },
  };
}

export type KubeletPath = '/metrics' | '/metrics/cadvisor' | '/metrics/resource';

export function kubeletTarget(node: DemoNode, path: KubeletPath): ScrapeTarget {
  return {
    honorsLabels: true,
    hasTimestamps: path !== '/metrics',
    labels: {
      endpoint: 'https-metrics',
      instance: `${node.ip}:10250`,
      job: 'kubelet',
      metrics_path: path,
      namespace: 'kube-system',
      node: node.name,
      service: 'kubelet',
    },
  };
}

/** The labels of a series as Prometheus stores it. A label the exporter exposes with an empty value blocks the target's. */
export function storedLabels(
  target: ScrapeTarget,
  metric: string,
  exposed: Readonly<Record<string, string>>,
): Record<string, string> {
  if (target.honorsLabels) {
    return { __name__: metric, ...target.labels, ...exposed };
  }
  const labels: Record<string, string> = { __name__: metric, ...target.labels };
  for (const [name, value] of Object.entries(exposed)) {
    labels[name in target.labels ? `exported_${name}` : name] = value;
  }
  return labels;
}
