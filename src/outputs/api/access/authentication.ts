import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { HttpProblem } from '../problem-details.ts';
import { readAuthorization } from './authorization-header.ts';
import type { PasswordCheck } from './password-check.ts';
import type { WebConfig } from './web-config.ts';

/** Whether clients have to say who they are. */
export function asksWho({ users, bearerTokens }: WebConfig): boolean {
  return users.size > 0 || bearerTokens.length > 0;
}

/**
 * Lets a request through where nobody has to say who they are, or where it has a right password or token. Only the
 * probes come before it.
 */
export function authentication(deps: {
  readonly access: () => WebConfig;
  readonly passwords: PasswordCheck;
}): RequestHandler {
  const { access, passwords } = deps;
  return async (request, response, next) => {
    const config = access();
    if (!asksWho(config)) {
      next();
      return;
    }
    const credentials = readAuthorization(request.headers.authorization);
    if (credentials?.scheme === 'bearer' && isKnownToken(credentials.token, config)) {
      next();
      return;
    }
    if (credentials?.scheme === 'basic') {
      const outcome = await passwords.check(credentials.user, credentials.password, config.users);
      if (outcome === 'right') {
        next();
        return;
      }
      if (outcome === 'busy') {
        response.setHeader('Retry-After', '2');
        throw new HttpProblem(503, 'Busy', 'too many passwords wait to be checked; try again in a moment');
      }
    }
    response.setHeader('WWW-Authenticate', challenges(config));
    throw new HttpProblem(
      401,
      'Unauthorized',
      'a right user and password, or a right bearer token, is needed',
    );
  };
}

/** Compares with every token, and all of each, so that the time tells nothing of how much was right. */
function isKnownToken(given: string, { bearerTokens }: WebConfig): boolean {
  let isKnown = false;
  for (const token of bearerTokens) {
    if (timingSafeEqual(digest(given), digest(token))) isKnown = true;
  }
  return isKnown;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function challenges({ users, bearerTokens }: WebConfig): string[] {
  return [
    ...(users.size > 0 ? ['Basic realm="evictrank", charset="UTF-8"'] : []),
    ...(bearerTokens.length > 0 ? ['Bearer realm="evictrank"'] : []),
  ];
}
