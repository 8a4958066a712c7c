import { EvictrankError } from '../../foundation/errors.ts';
import { readFileOrInput } from '../../foundation/file-or-input.ts';
import { type KubeletEvictionConfig, parseKubeletConfig } from '../../kubelet/kubelet-config.ts';
import type { KubeletRules } from '../../kubelet/kubelet-version.ts';
import { printable, type Terminal } from './terminal.ts';

/** The file with a kubelet's settings cannot be read. */
export class KubeletConfigFileError extends EvictrankError {
  override readonly name = 'KubeletConfigFileError';
}

/** The text of a KubeletConfiguration; `-` is standard input. @throws KubeletConfigFileError */
export async function readKubeletConfigFile(file: string): Promise<string> {
  try {
    return (await readFileOrInput(file)).toString('utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new KubeletConfigFileError(
      `the kubelet settings ${file} cannot be read (${code ?? 'unknown error'})`,
      { cause },
    );
  }
}

/** Reads the text as this kubelet would; warnings go to standard error. @throws KubeletConfigError */
export function noteKubeletConfig(
  { file, text }: { readonly file: string; readonly text: string },
  rules: KubeletRules,
  terminal: Terminal,
): KubeletEvictionConfig {
  const config = parseKubeletConfig(text, rules);
  for (const warning of config.warnings) {
    terminal.note(`evictrank: ${printable(file)}: ${printable(warning)}\n`);
  }
  return config;
}
