/** What Grafana replaces when it loads a dashboard or follows a link: a variable, in a format where one is given. */
export function placeholder(name: string, format?: 'queryparam'): string {
  return `\${${format === undefined ? name : `${name}:${format}`}}`;
}
