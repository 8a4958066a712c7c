import type { PodChange } from '../../scenario/scenario.ts';
import { TextField } from '../parts/text-field.tsx';
import { checkPodField, readPodField } from './field-checks.ts';
import type { PlayedPod } from './play.ts';
import { quantityText } from './scenario-address.ts';

type Fields = Omit<PodChange, 'namespace' | 'pod'>;

/** What if this pod had another priority, request or usage? */
export function PodEditor({
  pod,
  measuredUsageBytes,
  onChange,
}: {
  readonly pod: PlayedPod;
  /** On the basis chosen. */
  readonly measuredUsageBytes: number | null;
  readonly onChange: (fields: Fields) => void;
}) {
  const { change } = pod;
  const measured = pod.pod;
  return (
    <fieldset class="editor">
      <legend class="only-read">Changes of {pod.key}</legend>
      <TextField
        label="Priority"
        value={change?.priority === undefined ? '' : String(change.priority)}
        placeholder={String(measured.priority)}
        check={checkPodField.priority}
        onCommit={(text) => onChange(text === '' ? { priority: undefined } : readPodField('priority', text))}
      />
      <TextField
        label="Request"
        value={sizeText(change?.requestBytes)}
        placeholder={sizeText(measured.requestBytes)}
        check={checkPodField.request}
        onCommit={(text) =>
          onChange(text === '' ? { requestBytes: undefined } : readPodField('request', text))
        }
      />
      <TextField
        label="Usage"
        value={sizeText(change?.usageBytes)}
        placeholder={sizeText(measuredUsageBytes)}
        check={checkPodField.usage}
        onCommit={(text) => onChange(text === '' ? { usageBytes: undefined } : readPodField('usage', text))}
      />
      <button
        type="button"
        class="button"
        disabled={change === undefined}
        onClick={() => onChange({ priority: undefined, requestBytes: undefined, usageBytes: undefined })}
      >
        As measured
      </button>
    </fieldset>
  );
}

function sizeText(bytes: number | null | undefined): string {
  return bytes === null || bytes === undefined ? '' : quantityText(bytes);
}
