/** The numbers of a score: its features with what lies behind them, and the parts that it is the sum of. */

import { el } from "../base/dom.ts";
import type { Child } from "../base/dom.ts";
import type { Explanation, Feature, Num } from "../data/explanation.ts";
import { digitsFor, greatest, least, short, signed } from "./numbers.ts";
import { bar, each, table } from "./table.ts";
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
  const [low, high] = [least(all), greatest(all)];
  const digits = digitsFor(high - low);
  const line = (name: Child, value: Num): Child[] => {
    const good = (value ?? 0) >= 0 === higherIsBetter;
    return [
      name,
      signed(value, digits),
      bar(0, value ?? 0, low, high, !value ? "explain-none" : good ? "explain-good" : "explain-bad"),
    ];
  };
  const rows = parts.map(([name, value]) => line(cut(name), value));
  const last = line(el("strong", {}, "score"), explanation.score);
  const columns: Column[] = [{ title: "part" }, { title: ADDS, number: true }, { title: "" }];
  return table("The parts that the score is the sum of", columns, [...rows, last]);
}

export function featureTable(explanation: Explanation, higherIsBetter: boolean): HTMLElement | null {
  const { features } = explanation;
  if (features.length === 0) return null;
  const all = [...new Set(features.flatMap((one) => Object.keys(one.details)))];
  // Details that all features have are columns; others stand beside their feature.
  const shared = all.filter((name) => features.every((one) => name in one.details));
  const others = all.filter((name) => !shared.includes(name));
  const adds = features.map((one) => one.details[ADDS] ?? 0);
  const [low, high] = [least(adds), greatest(adds)];
  const columns: (Column & { cell: (one: Feature) => Child })[] = [
    { title: "feature", cell: (one) => cut(one.name, 40) },
    { title: "", cell: (one) => (one.description === one.name ? "" : cut(one.description)) },
    { title: "value", number: true, cell: (one) => short(one.value, 4) },
    { title: "", cell: (one) => (isShare(one.value) ? bar(0, one.value ?? 0, 0, 1, "explain-share") : "") },
    ...shared.map((name) => ({
      title: cut(name, 40),
      number: true,
      cell: (one: Feature) => (name === ADDS ? signed(one.details[name] ?? null) : short(one.details[name] ?? null, 3)),
    })),
  ];
  if (shared.includes(ADDS)) {
    const look = (value: number) => (value >= 0 === higherIsBetter ? "explain-good" : "explain-bad");
    columns.push({ title: "", cell: (one) => bar(0, one.details[ADDS] ?? 0, low, high, look(one.details[ADDS] ?? 0)) });
  }
  if (others.length > 0) columns.push({ title: "details", cell: (one) => listed(one, others) });
  return table(
    "Features",
    columns,
    each(features, (one) => columns.map((column) => column.cell(one))),
  );
}

function isShare(value: Num): boolean {
  return value !== null && value >= 0 && value <= 1 + 1e-9;
}

/** `alpha 0.850, beta 0.200`. */
function listed(feature: Feature, names: readonly string[]): string {
  const found = names.filter((name) => name in feature.details);
  return found.map((name) => `${cut(name, 40)} ${short(feature.details[name] ?? null, 3)}`).join(", ");
}
