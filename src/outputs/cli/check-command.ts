import { Command, Option } from 'commander';
import { queryScope } from '../../inputs/scope-settings.ts';
import { connectionSettings } from '../../prometheus/connection-settings.ts';
import { createPrometheusClient } from '../../prometheus/http-client.ts';
import { checkInputs, isProblem } from '../check/report.ts';
import { reportCsv, reportText } from '../check/report-text.ts';
import { type CommandContext, type OutputFormat, outputFormats, writeJson } from './command-context.ts';
import { readPriorityClasses } from './load-source.ts';
import type { Given } from './settings.ts';
import { addPrometheusOptions, prometheusSource } from './source-options.ts';
import { colorsOf, createProgress } from './terminal.ts';

/** `evictrank check`: whether a Prometheus has everything that ranking needs. */
export function checkCommand(context: CommandContext): Command {
  const command = new Command('check')
    .description(
      'Ask a Prometheus for every input: what is there, what is missing, what that costs, which setting repairs it.',
    )
    .addOption(new Option('--output <FORMAT>', 'format').choices([...outputFormats]).default('table'));
  addPrometheusOptions(command);
  command.addHelpText(
    'after',
    `
Exit codes: 0 nothing makes ranks wrong, 1 something does or Prometheus does not answer, 2 bad usage.

Examples:
  $ evictrank check --prometheus.url=http://localhost:9090
  $ evictrank check --prometheus.url=http://localhost:9090 --labels.ksm.pod=exported_pod
  $ evictrank check --prometheus.url=http://localhost:9090 --priority-classes priority-classes.json`,
  );
  return command.action(async (given: Given) => {
    const { terminal } = context;
    const { config, priorityClassFiles } = prometheusSource(given, terminal.environment);
    const priorityClasses = new Map([
      ...(await readPriorityClasses(priorityClassFiles)),
      ...config.priorityClasses,
    ]);
    const progress = createProgress(terminal);
    progress.show(`asking ${config.prometheusUrl}`);
    const client = createPrometheusClient(connectionSettings(config), { clock: context.clock });
    const report = await checkInputs(
      { client, scope: queryScope(config), evaluatedAtMs: context.clock() },
      priorityClasses,
    ).finally(() => {
      client.close();
      progress.clear();
    });
    switch (given.output as OutputFormat) {
      case 'json':
        writeJson(terminal, report);
        break;
      case 'csv':
        terminal.write(reportCsv(report));
        break;
      case 'table':
        terminal.write(reportText(report, terminal.columns, colorsOf(terminal)));
    }
    if (report.findings.some(isProblem)) context.markFailed();
  });
}
