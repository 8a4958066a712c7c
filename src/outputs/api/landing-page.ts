import type { RequestHandler } from 'express';

const links: readonly (readonly [path: string, text: string])[] = [
  ['/metrics', 'Metrics'],
  ['/api/v1/status', 'Status: age of the data, inputs, problems'],
  ['/api/v1/nodes', 'Nodes, least headroom first'],
  ['/api/v1/pods', 'Pods'],
  ['/-/healthy', 'Alive?'],
  ['/-/ready', 'Ready?'],
];

/** A plain page at `/` that says what this is and where to go. */
export function landingPage(version: string): RequestHandler {
  const items = links.map(([path, text]) => `<li><a href="${path}">${path}</a> ${text}</li>`).join('\n');
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>evictrank</title></head>
<body>
<h1>evictrank</h1>
<p>Which pods the kubelet would evict first on every node. Version ${version}.</p>
<ul>
${items}
</ul>
</body>
</html>
`;
  return (_request, response) => {
    response.type('html').send(html);
  };
}
