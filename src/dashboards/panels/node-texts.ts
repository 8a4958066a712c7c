/** Link of a table's column Node. */
export const toLadder = { to: 'nodeLadder', set: { node: 'Node' } } as const;

export const noNodes =
  'No node is ranked yet: evictrank is not scraped, or has not finished its first refresh';

export const noHeadroom =
  'No node shows available memory: the node working set is not among the inputs (evictrank check)';
