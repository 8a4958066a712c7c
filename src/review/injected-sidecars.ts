/**
 * Containers that admission webhooks add to pods, by name: the default names of their projects. A workload's owner
 * does not write them, so their resources are set where they are injected.
 */
const injectedContainers: Readonly<Record<string, string>> = {
  'istio-proxy': 'Istio (annotations sidecar.istio.io/proxyMemory and proxyMemoryLimit)',
  'istio-init': 'Istio (values global.proxy_init.resources)',
  'linkerd-proxy': 'Linkerd (annotations config.linkerd.io/proxy-memory-request and -limit)',
  'linkerd-init': 'Linkerd',
  'vault-agent': 'Vault Agent (annotations vault.hashicorp.com/agent-requests-mem and agent-limits-mem)',
  'vault-agent-init': 'Vault Agent (annotations vault.hashicorp.com/agent-requests-mem and agent-limits-mem)',
  'consul-dataplane': 'Consul',
  daprd: 'Dapr (annotations dapr.io/sidecar-memory-request and sidecar-memory-limit)',
  'aws-xray-daemon': 'AWS X-Ray',
  'cloud-sql-proxy': 'Cloud SQL Proxy Operator',
  'otc-container': 'OpenTelemetry Operator',
  'datadog-agent-injected': 'Datadog Admission Controller',
  'kuma-sidecar': 'Kuma',
};

/** Who injects a container of that name; undefined where it is not known to be injected. */
export function injectorOf(container: string): string | undefined {
  return Object.hasOwn(injectedContainers, container) ? injectedContainers[container] : undefined;
}
