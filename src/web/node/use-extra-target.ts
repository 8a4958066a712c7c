import { useMemo, useState } from 'preact/hooks';
import type { NodeDetail } from '../../outputs/api/node-detail.ts';
import { keyOf, play } from './play.ts';
import { changePod } from './pod-changes.ts';
import type { ScenarioSettings } from './scenario-address.ts';
import { type SliderMark, sliderEnd, sliderMarks, sliderStep } from './slider-scale.ts';

export interface ExtraTarget {
  /** namespace/name of a pod; empty for the system. */
  readonly key: string;
  readonly name: string;
  readonly extraBytes: number;
  readonly endBytes: number;
  readonly stepBytes: number;
  /** None for a pod: more usage changes its place, and so where the others go. */
  readonly marks: readonly SliderMark[];
  choose(key: string): void;
  setExtra(bytes: number): void;
}

/** Who uses the additional memory of the slider. */
export function useExtraTarget({
  detail,
  settings,
  onChange,
}: {
  readonly detail: NodeDetail;
  readonly settings: ScenarioSettings;
  readonly onChange: (change: Partial<ScenarioSettings>) => void;
}): ExtraTarget {
  const [chosen, choose] = useState('');
  const pod = detail.pods.find((one) => keyOf(one) === chosen);
  const { basis, pods, threshold, minimumReclaim } = settings;
  const withoutExtra = useMemo(
    () => play(detail, { basis, pods, threshold, minimumReclaim, extraNodeUsageBytes: 0 }),
    [detail, basis, pods, threshold, minimumReclaim],
  );
  const endBytes = sliderEnd(withoutExtra);
  const scale = { endBytes, stepBytes: sliderStep(endBytes), choose };
  if (pod === undefined) {
    return {
      ...scale,
      key: '',
      name: 'system daemons',
      extraBytes: settings.extraNodeUsageBytes,
      marks: sliderMarks(withoutExtra),
      setExtra: (bytes) => onChange({ extraNodeUsageBytes: bytes }),
    };
  }
  const measuredBytes = basis === 'peak' ? pod.usagePeakBytes : pod.usageNowBytes;
  const change = pods.find((one) => keyOf(one) === chosen);
  return {
    ...scale,
    key: chosen,
    name: chosen,
    extraBytes: (change?.usageBytes ?? measuredBytes ?? 0) - (measuredBytes ?? 0),
    marks: [],
    setExtra: (bytes) => {
      const usageBytes = Math.max(0, (measuredBytes ?? 0) + bytes);
      onChange({ pods: changePod(pods, pod, { usageBytes }, measuredBytes ?? 0) });
    },
  };
}
