import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/load.ts';

const url = { 'prometheus.url': 'http://127.0.0.1:9090' };

function problemsOf(flags: Record<string, string | string[]>, fileText?: string): readonly string[] {
  try {
    loadConfig({ flags, environment: {}, ...(fileText === undefined ? {} : { fileText }) });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('the settings', () => {
  it('need only the URL', () => {
    const config = loadConfig({ flags: url, environment: {} });
    expect(config).toMatchObject({
      refreshIntervalMs: 60_000,
      windowMs: 604_800_000,
      listen: { host: '127.0.0.1', port: 9896 },
      ksmPodLabel: 'pod',
      clusterLabel: undefined,
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('take the command line before the environment before the file before the default', () => {
    const fileText = 'refresh.interval: 10s\nlog.level: warn\nreview.margin: 0.2\n';
    const environment = { EVICTRANK_REFRESH_INTERVAL: '20s', EVICTRANK_LOG_LEVEL: 'error' };
    const config = loadConfig({ flags: { ...url, 'refresh.interval': '30s' }, environment, fileText });
    expect(config).toMatchObject({ refreshIntervalMs: 30_000, logLevel: 'error', reviewMargin: 0.2 });
  });

  it('list every problem at once, each with the setting and what was expected', () => {
    const problems = problemsOf({
      'refresh.interval': '1',
      'labels.cluster': '1x',
      'prometheus.cert-file': 'a.pem',
      'kubelet.memory-threshold': '0',
    });
    expect(problems).toEqual([
      expect.stringContaining('--prometheus.url is missing'),
      expect.stringContaining('--labels.cluster must be a label name'),
      expect.stringContaining('--kubelet.memory-threshold is refused by the kubelet'),
      expect.stringContaining('--refresh.interval must be a duration from 5s to 1h'),
      expect.stringContaining('--prometheus.cert-file and --prometheus.key-file need each other'),
    ]);
  });

  it.each([
    ['a URL with a password', { 'prometheus.url': 'http://u:secret@h/' }],
    ['a header without a colon', { ...url, 'prometheus.header': ['secret'] }],
    ['a header with a line break', { ...url, 'prometheus.header': ['X: secret\r\nY: z'] }],
  ])('refuse %s without repeating it', (_name, flags) => {
    const problems = problemsOf(flags);
    expect(problems).toHaveLength(1);
    expect(problems.join()).not.toContain('secret');
  });

  it.each([
    ['a selector with braces', { ...url, 'prometheus.selector': '{cluster="a"}' }],
    ['a selector that closes the braces', { ...url, 'prometheus.selector': 'a="b"} or up{c="d"' }],
    ['a threshold of 0%', { ...url, 'kubelet.memory-threshold': '0%' }],
    ['a threshold of 1e400', { ...url, 'kubelet.memory-threshold': '1e400' }],
    ['a threshold of 1e900', { ...url, 'kubelet.memory-threshold': '1e900' }],
    ['a threshold of 1e19', { ...url, 'kubelet.memory-threshold': '1e19' }],
    ['a threshold of NaN%', { ...url, 'kubelet.memory-threshold': 'NaN%' }],
    ['a threshold of Inf%', { ...url, 'kubelet.memory-threshold': 'Inf%' }],
    ['a threshold of 1e30%', { ...url, 'kubelet.memory-threshold': '1e30%' }],
    ['a port out of range', { ...url, 'web.listen-address': ':70000' }],
    ['an address without a port', { ...url, 'web.listen-address': 'localhost' }],
    ['a priority beyond 32 bits', { ...url, 'priority-classes': ['a=2147483648'] }],
    ['a negative margin', { ...url, 'review.margin': '-5%' }],
  ])('refuse %s', (_name, flags) => {
    expect(problemsOf(flags)).toHaveLength(1);
  });

  it('read priority classes from lists and repeated flags', () => {
    const flags = { ...url, 'priority-classes': ['high=1000,low=-10', 'system.x=5'] };
    const config = loadConfig({ flags, environment: {} });
    expect([...config.priorityClasses]).toEqual([
      ['high', 1000],
      ['low', -10],
      ['system.x', 5],
    ]);
  });

  it('keep what follows the first colon of a header', () => {
    const config = loadConfig({ flags: { ...url, 'prometheus.header': ['X-Key: a:b'] }, environment: {} });
    expect(config.prometheusHeaders).toEqual({ 'X-Key': 'a:b' });
  });

  it('name an unknown setting of the file, and a file that is no YAML', () => {
    expect(problemsOf(url, 'refresh.intervall: 5s')).toEqual([
      'unknown setting "refresh.intervall" in the settings file',
    ]);
    expect(problemsOf(url, 'a: [secret')).toEqual([
      expect.stringMatching(/^the settings file is not YAML \(line \d+\)$/),
    ]);
  });
});
