/** Numbers as people read them. */

import type { Metric, Overview } from "../data/overview.ts";

export const NONE = "–";

export function fixed(value: number | null | undefined, digits: number): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE;
  const text = rounded(value, digits);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

/**
 * As Python rounds, and so the terminal: of two decimals that are equally near, the even one. `toFixed` takes the
 * larger, and 55.625 would be 55.63 here and 55.62 there.
 */
export function rounded(value: number, digits: number): string {
  const text = value.toFixed(digits);
  // A number lies in the middle between two decimals only if it is an odd multiple of 1 / 2^(digits + 1).
  const halves = value * 2 ** (digits + 1);
  const isTie = Number.isInteger(halves) && halves % 2 !== 0;
  const isOdd = Number(text.at(-1)) % 2 === 1;
  return isTie && isOdd ? (value - Math.sign(value) * 0.5 * 10 ** -digits).toFixed(digits) : text;
}

/** Scores up to 100 have two decimals, scores up to 1 four, wherever they are shown. */
export function withDigits(overview: Overview): Overview {
  const metrics = overview.metrics.map((metric, index) => {
    const rows = overview.table.find((table) => table.metric === index)?.rows ?? [];
    const greatest = Math.max(metric.bounds[1] ?? 0, ...rows.map((row) => Math.abs(row.score ?? 0)));
    return { ...metric, digits: greatest > 10 ? 2 : 4 };
  });
  return { ...overview, metrics };
}

export function score(value: number | null | undefined, metric: Pick<Metric, "digits">): string {
  return fixed(value, metric.digits ?? 4);
}

export function count(value: number): string {
  return value.toLocaleString("en");
}

export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** A share: `90 %`. */
export function percent(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}

/** A p-value; below the smallest that resampling can tell it says so. */
export function probability(value: number | null | undefined): string {
  if (value === null || value === undefined) return NONE;
  return value < 0.001 ? "<.001" : rounded(value, 3).replace(/^0/, "");
}

/** Round values between low and high for the marks of an axis, about `wanted` of them. */
export function ticks(low: number, high: number, wanted: number): number[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [low];
  const rough = span / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999) ?? 10) * power;
  const marks: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) marks.push(i * step + 0); // never -0
  return marks;
}

/** The shortest text that tells neighbouring ticks apart. */
export function tickLabel(value: number, marks: readonly number[]): string {
  const step = marks.length > 1 ? Math.abs((marks[1] ?? 0) - (marks[0] ?? 0)) : 1;
  return fixed(value, Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9))));
}
