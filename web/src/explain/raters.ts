/** With what probability raters prefer what scores higher, as `metaphrase.trained.preference_table` says. */

import type { Preferences } from "../data/overview.ts";
import { fixed } from "../base/numbers.ts";

/** That they prefer the one with the higher mean over so many segments; a half if both are the same. */
export function preference(table: Preferences, difference: number, segments = 1): number {
  const reduced = Math.abs(difference) / Math.sqrt(1 + table.segments / segments);
  const places = [0, ...table.differences];
  const chances = [0.5, ...table.probabilities];
  const above = places.findIndex((place) => place >= reduced);
  if (above < 0) return chances[chances.length - 1] ?? 0.5;
  if (above === 0) return 0.5;
  const [low, high] = [places[above - 1] ?? 0, places[above] ?? 0];
  const [from, to] = [chances[above - 1] ?? 0.5, chances[above] ?? 0.5];
  return from + ((to - from) * (reduced - low)) / (high - low);
}

/** `Raters would prefer ` NAME ` with probability 0.83 (calibrated on WMT 2021).`, in two pieces around the name. */
export function ratersWould(table: Preferences, difference: number, segments = 1): [string, string] {
  const chance = fixed(preference(table, difference, segments), 2);
  return ["Raters would prefer ", ` with probability ${chance} (calibrated on ${table.calibratedOn}).`];
}
