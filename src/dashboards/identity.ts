/** Tag of every dashboard; the links at the top of each are all dashboards that carry it. */
export const tag = 'evictrank';

/** Stable names: uids are part of bookmarks and of links between dashboards, so they never change. */
export const boards = {
  evictionRisk: { uid: 'evictrank-eviction-risk', file: 'eviction-risk.json', title: 'Eviction risk' },
  nodeLadder: { uid: 'evictrank-node-ladder', file: 'node-ladder.json', title: 'Node ladder' },
  pod: { uid: 'evictrank-pod', file: 'pod.json', title: 'Pod' },
  capacityReview: {
    uid: 'evictrank-capacity-review',
    file: 'capacity-review.json',
    title: 'Capacity review',
  },
  evictions: {
    uid: 'evictrank-evictions',
    file: 'evictions-by-qos-class.json',
    title: 'Evictions by QoS class',
  },
  service: { uid: 'evictrank-service', file: 'evictrank-itself.json', title: 'evictrank itself' },
} as const;

export type Board = keyof typeof boards;

/** Whether the store holds several clusters: then the variable `cluster` and the column Cluster are shown. */
export type ClusterScope = 'one-cluster' | 'several-clusters';
