/** Numbers as text: fixed digits, real minus signs, and a dash for what is not known. */

import type { Num } from "../explanation.ts";

export const UNKNOWN = "–";

/** `digits` digits behind the point; what rounds to zero has no sign, what is huge has an exponent. */
export function fixed(value: Num, digits = 2): string {
  if (value === null || !Number.isFinite(value)) return UNKNOWN;
  const text = Math.abs(value) < 1e7 ? value.toFixed(digits) : value.toExponential(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text.replace("-", "−");
}

/** As `fixed`, with a plus sign for what is above zero. */
export function signed(value: Num, digits = 4): string {
  const text = fixed(value, digits);
  return value !== null && value > 0 && Number(text) !== 0 ? `+${text}` : text;
}

/** Whole numbers as they are, others with two digits. */
export function short(value: Num): string {
  return fixed(value, value !== null && Number.isInteger(value) ? 0 : 2);
}

/** `value` between two bounds; the lower one if it is unknown. */
export function clamp(value: Num, low: number, high: number): number {
  return value === null || Number.isNaN(value) ? low : Math.min(Math.max(value, low), high);
}

/** `1 word`, `2 words`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
