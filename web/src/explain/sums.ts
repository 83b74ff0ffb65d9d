/** The numbers of a score: its features with what lies behind them, and the parts that it is the sum of. */

import { el } from "../dom.ts";
import type { Child } from "../dom.ts";
import type { Explanation, Num } from "../explanation.ts";
import { fixed } from "../numbers.ts";
import { short, signed } from "./numbers.ts";
import { bar, table } from "./table.ts";
import type { Column } from "./table.ts";
import { cut } from "./words.ts";

const NEARLY = 1e-3;
const ADDS = "adds";

/** What the score is the sum of: the parts that the metric names, or its features if they add up to it. */
export function partsOf(explanation: Explanation): [string, Num][] {
  const named = Object.entries(explanation.parts);
  if (named.length > 0) return named;
  const features = explanation.features.map((one): [string, Num] => [one.description, one.value]);
  const sum = features.reduce((total, [, value]) => total + (value ?? 0), 0);
  const addsUp = explanation.edits.length > 0 && features.length > 1;
  return addsUp && Math.abs(sum - (explanation.score ?? NaN)) < NEARLY ? features : [];
}

export function sumView(explanation: Explanation, higherIsBetter: boolean): HTMLElement | null {
  const parts = partsOf(explanation);
  if (parts.length === 0) return null;
  const all = [...parts.map(([, value]) => value ?? 0), explanation.score ?? 0];
  const [low, high] = [Math.min(0, ...all), Math.max(0, ...all)];
  const line = (name: Child, value: Num): Child[] => {
    const good = (value ?? 0) >= 0 === higherIsBetter;
    return [name, signed(value), bar(0, value ?? 0, low, high, !value ? "explain-none" : good ? "explain-good" : "explain-bad")];
  };
  const rows = parts.map(([name, value]) => line(cut(name), value));
  const last = line(el("strong", {}, "score"), explanation.score);
  const columns: Column[] = [{ title: "part" }, { title: ADDS, number: true }, { title: "" }];
  return table("What the score is the sum of", columns, [...rows, last]);
}

export function featureTable(explanation: Explanation, higherIsBetter: boolean): HTMLElement | null {
  const { features } = explanation;
  if (features.length === 0) return null;
  const details = [...new Set(features.flatMap((one) => Object.keys(one.details)))];
  const shares = features.every((one) => one.value === null || (one.value >= 0 && one.value <= 1 + 1e-9));
  const adds = features.map((one) => one.details[ADDS] ?? 0);
  const [low, high] = [Math.min(0, ...adds), Math.max(0, ...adds)];
  const rows = features.map((one): Child[] => {
    const added = one.details[ADDS] ?? 0;
    const good = added >= 0 === higherIsBetter;
    return [
      cut(one.description),
      fixed(one.value, 4),
      ...(shares ? [bar(0, one.value ?? 0, 0, 1, "explain-share")] : []),
      ...details.map((name) => (name === ADDS ? signed(one.details[name] ?? null) : short(one.details[name] ?? null, 3))),
      ...(details.includes(ADDS) ? [bar(0, added, low, high, good ? "explain-good" : "explain-bad")] : []),
    ];
  });
  const columns: Column[] = [
    { title: "feature" },
    { title: "value", number: true },
    ...(shares ? [{ title: "" }] : []),
    ...details.map((name) => ({ title: cut(name, 40), number: true })),
    ...(details.includes(ADDS) ? [{ title: "" }] : []),
  ];
  return table("Features", columns, rows);
}
