import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import compression from 'compression';
import express, { type RequestHandler, type Response, Router } from 'express';
import helmet from 'helmet';
import { HttpProblem } from './problem-details.ts';

/** Where the build puts the page; `src/` and `dist/` are equally deep, so both find it. */
const builtPage = fileURLToPath(new URL('../../../dist/web/', import.meta.url));

const yearSeconds = 31_536_000;

/**
 * Security headers of everything that is served. The page needs nothing but its own files and the API, so nothing else
 * is allowed: no inline script or style, no other host. Plain HTTP is not upgraded: the service speaks it itself, and
 * is put behind TLS by others.
 */
export function securityHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: false,
  });
}

/** Packs answers for clients that take it; the list of 5,000 nodes is mostly repetition. */
export function packedAnswers(): RequestHandler {
  return compression();
}

/**
 * The page at `/` and its files. Files named after their content are kept for a year; the page that names them is
 * asked for again each time, and answered with 304 while it is the same.
 */
export function pageRoutes(folder: string = builtPage): Router {
  const router = Router();
  router.use(packedAnswers());
  router.use(
    express.static(folder, {
      index: 'index.html',
      redirect: false,
      setHeaders(response: Response, path: string) {
        const isNamedByContent = path.includes('/assets/');
        response.setHeader(
          'Cache-Control',
          isNamedByContent ? `public, max-age=${yearSeconds}, immutable` : 'no-cache',
        );
      },
    }),
  );
  router.get('/', () => {
    const detail = existsSync(folder)
      ? 'the page has no index.html'
      : 'the page was not built: npm run build';
    throw new HttpProblem(404, 'No page', detail);
  });
  return router;
}
