import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Snapshot } from '../../snapshot/snapshot.ts';

/**
 * For GET answers that are functions of the snapshot alone: says in a weak ETag which snapshot an answer comes from, and
 * answers 304, before anything is built, to a client that has it (RFC 9110, sections 8.8.3 and 13.1.2).
 */
export function snapshotTag(deps: {
  readonly state: () => { readonly snapshot: Snapshot | undefined };
  readonly version: string;
}): RequestHandler {
  return (request, response, next) => {
    const { snapshot } = deps.state();
    if (snapshot === undefined) {
      next();
      return;
    }
    // With the address in it: a tag of one page must not turn the 404 of another into "not modified".
    const address = createHash('sha256').update(request.originalUrl).digest('base64url').slice(0, 16);
    const tag = `"${deps.version}-${snapshot.evaluatedAtMs.toString(36)}-${address}"`;
    response.setHeader('ETag', `W/${tag}`);
    // Kept by browsers, but asked about each time.
    response.setHeader('Cache-Control', 'no-cache');
    if (namesTag(request.headers['if-none-match'], tag)) response.status(304).end();
    else next();
  };
}

/** `*` names no tag: whether there is such an answer at all is not known before it is built. */
function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  return ifNoneMatch?.split(',').some((one) => one.trim().replace(/^W\//, '') === tag) ?? false;
}
