/** The features of a score with what lies behind them, and what they add to it if it is their sum. */

import { el } from "../base/dom.ts";
import type { Child } from "../base/dom.ts";
import type { Explanation, Feature, Num } from "../data/explanation.ts";
import { digitsFor, greatest, least, short, signed } from "./numbers.ts";
import { bar, table } from "./table.ts";
import type { Column } from "./table.ts";
import { cut } from "./words.ts";

export function featureTable({ features, score }: Explanation, higherIsBetter: boolean): HTMLElement | null {
  if (features.length === 0) return null;
  const all = [...new Set(features.flatMap((one) => Object.keys(one.details)))];
  // Details that all features have are columns; others stand beside their feature.
  const shared = all.filter((name) => features.every((one) => name in one.details));
  const others = all.filter((name) => !shared.includes(name));
  const adds = features.map((one) => one.contribution).filter((one) => one !== null);
  const digits = digitsFor(greatest(adds) - least(adds));
  const [low, high] = [least([...adds, score]), greatest([...adds, score])];
  const look = (value: number) => (value === 0 ? "explain-none" : value > 0 === higherIsBetter ? "explain-good" : "explain-bad");
  const sum = (value: Num): Child[] => [
    value === null ? "" : signed(value, digits),
    value === null ? "" : bar(0, value, low, high, look(value)),
  ];
  const columns: (Column & { cell: (one: Feature) => Child })[] = [
    { title: "feature", cell: (one) => cut(one.description || one.name) },
    { title: "value", number: true, cell: (one) => (one.value === null ? "" : short(one.value, 4)) },
    ...shared.map((name) => ({
      title: cut(name, 40),
      number: true,
      cell: (one: Feature) => short(one.details[name] ?? null, 3),
    })),
  ];
  if (adds.length === 0)
    columns.push({ title: "", cell: (one) => (isShare(one.value) ? bar(0, one.value ?? 0, 0, 1, "explain-share") : "") });
  else
    columns.push(
      { title: "adds", number: true, cell: (one) => sum(one.contribution)[0] ?? "" },
      { title: "", cell: (one) => sum(one.contribution)[1] ?? "" },
    );
  if (others.length > 0) columns.push({ title: "details", cell: (one) => listed(one, others) });
  const rows = features.map((one) => columns.map((column) => column.cell(one)));
  const last = [el("strong", {}, "score"), "", ...shared.map(() => ""), ...sum(score)];
  return table("Features", columns, adds.length === 0 ? rows : [...rows, last]);
}

function isShare(value: Num): boolean {
  return value !== null && value >= 0 && value <= 1 + 1e-9;
}

/** `alpha 0.850, beta 0.200`. */
function listed(feature: Feature, names: readonly string[]): string {
  const found = names.filter((name) => name in feature.details);
  return found.map((name) => `${cut(name, 40)} ${short(feature.details[name] ?? null, 3)}`).join(", ");
}
