import { option } from './option.ts';
import * as schema from './schemas.ts';

const exporters = {
  ksm: 'kube-state-metrics',
  cadvisor: 'cAdvisor and the kubelet',
  scheduler: 'kube-scheduler',
} as const;

function labelOption(exporter: keyof typeof exporters, label: string) {
  return option({
    flag: `labels.${exporter}.${label}`,
    value: 'NAME',
    default: label,
    schema: schema.labelName,
    help: `Label that holds the ${label} in the series of ${exporters[exporter]}; exported_${label} where they are scraped without honor_labels.`,
  });
}

/**
 * Names of the labels, per exporter: `honor_labels` is a setting of each scrape job, so kube-state-metrics may have
 * `exported_pod` where cAdvisor has `pod`.
 */
export const labelOptions = {
  clusterLabel: option({
    flag: 'labels.cluster',
    value: 'NAME',
    default: '',
    schema: schema.optionalLabelName,
    help: 'Label that tells clusters apart in a store that holds several; empty = one cluster.',
  }),
  ksmNamespaceLabel: labelOption('ksm', 'namespace'),
  ksmPodLabel: labelOption('ksm', 'pod'),
  ksmContainerLabel: labelOption('ksm', 'container'),
  ksmNodeLabel: labelOption('ksm', 'node'),
  ksmUidLabel: labelOption('ksm', 'uid'),
  cadvisorNamespaceLabel: labelOption('cadvisor', 'namespace'),
  cadvisorPodLabel: labelOption('cadvisor', 'pod'),
  cadvisorContainerLabel: labelOption('cadvisor', 'container'),
  cadvisorNodeLabel: labelOption('cadvisor', 'node'),
  schedulerNamespaceLabel: labelOption('scheduler', 'namespace'),
  schedulerPodLabel: labelOption('scheduler', 'pod'),
} as const;
