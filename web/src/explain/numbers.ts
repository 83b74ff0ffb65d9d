/** Numbers of explanations as text. */

import type { Num } from "../data/explanation.ts";
import { fixed } from "../base/numbers.ts";

/** With a plus sign for what is above zero. */
export function signed(value: Num, digits = 4): string {
  const text = fixed(value, digits);
  return value !== null && value > 0 && Number(text) !== 0 ? `+${text}` : text;
}

/** Whole numbers as they are, others with a few digits. */
export function short(value: Num, digits = 2): string {
  return fixed(value, value !== null && Number.isInteger(value) ? 0 : digits);
}

/** `value` between two bounds; the lower one if it is unknown. */
export function clamp(value: Num, low: number, high: number): number {
  return value === null || Number.isNaN(value) ? low : Math.min(Math.max(value, low), high);
}

/** The greatest of any number of values, and not below `floor`. */
export function greatest(values: Iterable<Num>, floor = 0): number {
  let found = floor;
  for (const value of values) if (value !== null && value > found) found = value;
  return found;
}

/** The least of any number of values, and not above `ceiling`. */
export function least(values: Iterable<Num>, ceiling = 0): number {
  let found = ceiling;
  for (const value of values) if (value !== null && value < found) found = value;
  return found;
}

/** How many decimals numbers up to this size need: two on scales up to 100, else four. */
export function digitsFor(size: Num): number {
  return Math.abs(size ?? 0) >= 10 ? 2 : 4;
}
