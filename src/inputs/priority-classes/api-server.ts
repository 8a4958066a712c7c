/** How to reach the API of a cluster. */
export interface ApiServer {
  /** Base address without a trailing slash. */
  readonly url: string;
  /** Read again for every request: the kubelet rotates the token. */
  readonly tokenFile: string;
  readonly caFile: string;
}

/** Where the kubelet puts a pod's service account (kubernetes/kubernetes `staging/src/k8s.io/client-go/rest/config.go`). */
const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The API of the cluster this process runs in as a pod; undefined where it does not. */
export function findApiServer(
  environment: Readonly<Record<string, string | undefined>>,
  folder = serviceAccountFolder,
): ApiServer | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = environment;
  if (!host || !port) return undefined;
  return {
    url: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    tokenFile: `${folder}/token`,
    caFile: `${folder}/ca.crt`,
  };
}
