/** Which of the changed segments a reader sees, and in which order. */

import type { State } from "../state/state.ts";

export interface ChangedSegment {
  segment: number;
  /** By how much the later version is better; NaN where one of them has no score. */
  gain: number;
  /** What stands in the table: the score of the later version less that of the earlier one. */
  difference: number;
  /** Findings that only the later, and only the earlier version has. */
  fresh: number;
  gone: number;
}

/** All of them in the order of the text. `rows` are a segment, new findings and gone ones each. */
export function changedSegments(
  rows: Uint32Array,
  scores: Float64Array,
  segments: number,
  { before, after }: { before: number; after: number },
  metric: { higherIsBetter: boolean; digits?: number },
): ChangedSegment[] {
  const unit = 10 ** (metric.digits ?? 4);
  const result: ChangedSegment[] = [];
  for (let place = 0; place < rows.length; place += 3) {
    const segment = rows[place] ?? 0;
    const raw = (scores[after * segments + segment] ?? NaN) - (scores[before * segments + segment] ?? NaN);
    const difference = Math.round(raw * unit) / unit || (Number.isNaN(raw) ? NaN : 0); // no -0
    const gain = metric.higherIsBetter ? difference : -difference;
    result.push({ segment, gain, difference, fresh: rows[place + 1] ?? 0, gone: rows[place + 2] ?? 0 });
  }
  return result;
}

const SHOWN: Record<State["changed"], (one: ChangedSegment) => boolean> = {
  all: () => true,
  better: ({ gain }) => gain > 0,
  worse: ({ gain }) => gain < 0,
  alike: ({ gain }) => !(gain > 0 || gain < 0),
  new: ({ fresh }) => fresh > 0,
  gone: ({ gone }) => gone > 0,
};

/** Those that are wanted; what cannot be compared comes last. */
export function chooseChanges(
  all: readonly ChangedSegment[],
  { changed, changeOrder }: Pick<State, "changed" | "changeOrder">,
): ChangedSegment[] {
  const chosen = all.filter(SHOWN[changed]);
  if (changeOrder === "text") return chosen;
  const sign = changeOrder === "best" ? -1 : 1;
  return chosen.sort((a, b) => {
    const [x, y] = [Number.isNaN(a.gain), Number.isNaN(b.gain)];
    return x || y ? Number(x) - Number(y) || a.segment - b.segment : sign * (a.gain - b.gain) || a.segment - b.segment;
  });
}
