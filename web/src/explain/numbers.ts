/** Numbers of explanations as text. */

import type { Num } from "../explanation.ts";
import { fixed } from "../numbers.ts";

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
