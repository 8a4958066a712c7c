import { installWithApt, unpackWithApt } from './apt.ts';
import { findTool } from './tool-search.ts';
import { type ToolName, tools } from './tools.ts';

/**
 * Makes sure of the tools: those that are missing are installed with one apt-get call, or, where that cannot be,
 * unpacked into the project. Returns the ones that are still missing, and why. `report` is told of every slow step.
 */
export function obtainTools(
  names: readonly ToolName[],
  report: (line: string) => void = () => undefined,
): { readonly missing: readonly ToolName[]; readonly reason: string } {
  const isMissing = (name: ToolName): boolean => findTool(name) === undefined;
  const absent = names.filter(isMissing);
  if (absent.length === 0) {
    return { missing: [], reason: '' };
  }
  const packages = [...new Set(absent.map((name) => tools[name].aptPackage))].join(', ');
  report(`Installing with apt-get what is missing: ${packages}`);
  const installed = installWithApt(absent);
  if (!installed.installed) {
    report(`Not installed: ${installed.reason}. Unpacking into the project what can be`);
    const unpacked = unpackWithApt(absent);
    if (!unpacked.installed) {
      report(`Not unpacked: ${unpacked.reason}`);
    }
  }
  return {
    missing: absent.filter(isMissing),
    reason: installed.installed ? 'no package of this release brings it' : installed.reason,
  };
}
