/** The kubelet's own order, from its log: "pods ranked for eviction" (pkg/kubelet/eviction/eviction_manager.go). */

export interface LoggedPod {
  readonly namespace: string;
  readonly name: string;
  /** Only written by old versions. */
  readonly uid: string | undefined;
}

/** Up to Kubernetes 1.20: `eviction manager: pods ranked for eviction: a_ns(uid), b_ns(uid)`. */
const OLD_LINE = /eviction manager: pods ranked for eviction: (.+)/is;
const OLD_POD = /^(?<name>[^_\s]+)_(?<namespace>[^(\s]+)\((?<uid>[^)]*)\)$/;
/** Later: `… for eviction" pods=["ns/a","ns/b"]`, and in between `pods=[ns/a ns/b]` and `pods="[ns/a ns/b]"`. */
const STRUCTURED_LINE = /pods ranked for eviction"\s+pods="?\[([^[\]]*)\]/i;
const STRUCTURED_POD = /^(?<namespace>[^/\s]+)\/(?<name>[^/\s]+)$/;
/** With `--logging-format=json`. */
const JSON_MESSAGE = /^eviction manager: pods ranked for eviction$/i;

/** First = evicted first; protected pods are among them. undefined where the line is another one, or cannot be read whole. */
export function parseRankedLogLine(line: string): readonly LoggedPod[] | undefined {
  const old = OLD_LINE.exec(line)?.[1]?.trim();
  if (old !== undefined) return readPods(old.split(/,\s*/), OLD_POD);
  const structured = STRUCTURED_LINE.exec(line)?.[1];
  if (structured !== undefined) {
    const items = structured.replaceAll(/\\?"/g, '').split(/[,\s]+/);
    return readPods(items, STRUCTURED_POD);
  }
  return parseJsonLine(line);
}

function readPods(items: readonly string[], pattern: RegExp): readonly LoggedPod[] | undefined {
  const pods: LoggedPod[] = [];
  for (const item of items.filter((text) => text !== '')) {
    const { namespace, name, uid } = pattern.exec(item)?.groups ?? {};
    if (namespace === undefined || name === undefined) return undefined;
    pods.push({ namespace, name, uid });
  }
  return pods;
}

function parseJsonLine(line: string): readonly LoggedPod[] | undefined {
  const start = line.indexOf('{');
  if (start < 0) return undefined;
  let entry: { msg?: unknown; pods?: unknown };
  try {
    entry = JSON.parse(line.slice(start));
  } catch {
    return undefined; // not a JSON line, and so not one of ours
  }
  if (typeof entry.msg !== 'string' || !JSON_MESSAGE.test(entry.msg) || !Array.isArray(entry.pods))
    return undefined;
  const items = entry.pods.map((pod: unknown) => {
    if (typeof pod !== 'object' || pod === null) return String(pod);
    const { namespace, name } = pod as { namespace?: unknown; name?: unknown };
    return `${String(namespace)}/${String(name)}`;
  });
  return readPods(items, STRUCTURED_POD);
}
