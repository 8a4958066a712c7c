import type { Config } from '../config/options.ts';
import type { LabelKeys, QueryScope } from './scope.ts';

/** The scope of all queries, from the settings. */
export function queryScope(config: Config): QueryScope {
  const shared = { cluster: config.clusterLabel };
  const ksm: LabelKeys = {
    ...shared,
    namespace: config.ksmNamespaceLabel,
    pod: config.ksmPodLabel,
    container: config.ksmContainerLabel,
    node: config.ksmNodeLabel,
    uid: config.ksmUidLabel,
  };
  return {
    labels: {
      ksm,
      cadvisor: {
        ...ksm,
        namespace: config.cadvisorNamespaceLabel,
        pod: config.cadvisorPodLabel,
        container: config.cadvisorContainerLabel,
        node: config.cadvisorNodeLabel,
      },
      scheduler: { ...ksm, namespace: config.schedulerNamespaceLabel, pod: config.schedulerPodLabel },
    },
    matchers: config.prometheusSelector,
  };
}
