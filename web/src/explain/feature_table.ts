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
  const summed = features.filter((one) => one.contribution !== null);
  const adds = summed.map((one) => one.contribution);
  const digits = digitsFor(greatest(adds) - least(adds));
  // What a score begins with has no value, and would dwarf all others.
  const moving = summed.filter((one) => one.value !== null).map((one) => one.contribution);
  const [low, high] = [least(moving), greatest(moving)];
  const look = (value: number) => (value === 0 ? "explain-none" : value > 0 === higherIsBetter ? "explain-good" : "explain-bad");
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
      { title: "adds", number: true, cell: (one) => (one.contribution === null ? "" : signed(one.contribution, digits)) },
      {
        title: "",
        cell: ({ value, contribution: added }) =>
          added === null || value === null ? "" : bar(0, added, low, high, look(added)),
      },
    );
  if (others.length > 0) columns.push({ title: "details", cell: (one) => listed(one, others) });
  const rows = features.map((one) => columns.map((column) => column.cell(one)));
  const last = [el("strong", {}, "score"), "", ...shared.map(() => ""), signed(score, digits), ""];
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
