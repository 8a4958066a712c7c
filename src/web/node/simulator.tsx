import type { NodeDetail } from '../../outputs/api/node-detail.ts';
import { Bytes } from '../parts/amount.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { MemoryBar } from '../parts/memory-bar.tsx';
import { TextField } from '../parts/text-field.tsx';
import { checkExtraUsage, checkMinimumReclaim, checkThreshold, readExtraUsage } from './field-checks.ts';
import { Legend } from './legend.tsx';
import { measuredSystemBytes, memoryParts } from './memory-parts.ts';
import { MemorySlider } from './memory-slider.tsx';
import { keyOf, type Play, scenarioFor } from './play.ts';
import { commandLine, quantityText, type ScenarioSettings } from './scenario-address.ts';
import { StoryText } from './story-text.tsx';
import { useExtraTarget } from './use-extra-target.ts';

export interface SimulatorProps {
  readonly detail: NodeDetail;
  readonly played: Play;
  readonly settings: ScenarioSettings;
  readonly onChange: (change: Partial<ScenarioSettings>) => void;
  readonly onReset: () => void;
  readonly isChanged: boolean;
}

/** What if more memory were used, or the threshold were another one? */
export function Simulator({ detail, played, settings, onChange, onReset, isChanged }: SimulatorProps) {
  const target = useExtraTarget({ detail, settings, onChange });
  const systemBytes = measuredSystemBytes(detail);
  const { thresholdBytes } = played.played;
  return (
    <section class="card simulator" aria-labelledby="simulator-title">
      <div class="card__head">
        <h2 id="simulator-title">What if more memory were used?</h2>
        <div class="simulator__tools">
          <CopyButton label="Copy link" text={() => location.href} />
          <CopyButton
            label="Copy command"
            text={() =>
              commandLine(detail.node, { ...settings, pods: scenarioFor(detail, settings).pods ?? [] })
            }
          />
          <button type="button" class="button" disabled={!isChanged} onClick={onReset}>
            Reset
          </button>
        </div>
      </div>
      {detail.capacityBytes !== null && (
        <MemoryBar
          size="large"
          parts={memoryParts(detail, played, settings.extraNodeUsageBytes)}
          capacityBytes={detail.capacityBytes}
          thresholdBytes={thresholdBytes}
        />
      )}
      <Legend />
      <MemorySlider
        label={`Additional memory use of ${target.name}`}
        valueBytes={target.extraBytes}
        endBytes={target.endBytes}
        stepBytes={target.stepBytes}
        marks={target.marks}
        onChange={target.setExtra}
      />
      <div class="simulator__fields">
        <span class="field">
          <label class="field__label" for="extra-target">
            More is used by
          </label>
          <select
            id="extra-target"
            class="field__input"
            value={target.key}
            onChange={(event) => target.choose(event.currentTarget.value)}
          >
            <option value="">system daemons (outside pods)</option>
            {detail.pods.map((pod) => (
              <option key={keyOf(pod)} value={keyOf(pod)}>
                {keyOf(pod)}
              </option>
            ))}
          </select>
        </span>
        <TextField
          label="Additional memory"
          value={target.extraBytes === 0 ? '' : quantityText(target.extraBytes)}
          placeholder="0"
          check={checkExtraUsage}
          onCommit={(text) => target.setExtra(text === '' ? 0 : readExtraUsage(text))}
        />
        <TextField
          label="Threshold"
          value={settings.threshold ?? ''}
          placeholder={detail.thresholdBytes === null ? '' : quantityText(detail.thresholdBytes)}
          check={checkThreshold}
          onCommit={(text) => onChange({ threshold: text || undefined })}
        />
        <TextField
          label="Minimum reclaim"
          value={settings.minimumReclaim ?? ''}
          placeholder="0"
          check={checkMinimumReclaim}
          onCommit={(text) => onChange({ minimumReclaim: text || undefined })}
        />
      </div>
      {systemBytes !== undefined && (
        <p class="simulator__total">
          Outside pods: <Bytes value={systemBytes} /> measured
          {settings.extraNodeUsageBytes !== 0 && (
            <>
              {settings.extraNodeUsageBytes > 0 ? ' + ' : ' − '}
              <Bytes value={Math.abs(settings.extraNodeUsageBytes)} /> ={' '}
              <strong>
                <Bytes value={systemBytes + settings.extraNodeUsageBytes} />
              </strong>
            </>
          )}
        </p>
      )}
      <StoryText played={played} />
    </section>
  );
}
