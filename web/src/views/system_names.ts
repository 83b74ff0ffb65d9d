/** The names of systems, with their colours, cut where there is no room. */

import { bdi, el } from "../base/dom.ts";
import { shortNames } from "../base/short_names.ts";
import { visible } from "../base/text.ts";
import { seriesLook } from "./series_marks.ts";

/** The classes that have a system's colour and mark. */
export function series(system: number): string {
  const { colour, mark } = seriesLook(system);
  return `${colour.slice(2)} ${mark}`;
}

/** Columns that a name may take in a table, and those in a drop-down. */
const NAME = 24;
const OPTION = 48;

const shortened = new WeakMap<readonly string[], Map<number, string[]>>();

/** The names of all systems in at most `most` columns, made once. */
function fitted(systems: readonly string[], most: number): string[] {
  const known = shortened.get(systems) ?? new Map<number, string[]>();
  shortened.set(systems, known);
  const made = known.get(most) ?? shortNames(systems, most);
  known.set(most, made);
  return made;
}

export function systemLabels(systems: readonly string[]): string[] {
  return fitted(systems, NAME);
}

/** Systems as the options of a drop-down. */
export function systemOptions(systems: readonly string[]): (readonly [number, string])[] {
  return fitted(systems, OPTION).map((name, system) => [system, name] as const);
}

/** A name that may be cut for the eye; pointing at it, or a screen reader, tells all of it. */
export function shortName(systems: readonly string[], system: number): HTMLElement {
  const name = systems[system] ?? "";
  const label = systemLabels(systems)[system] ?? "";
  if (label === name) return bdi(name);
  return el(
    "span",
    { title: visible(name) },
    bdi(label, { "aria-hidden": "true" }),
    el("span", { class: "hidden-text" }, visible(name)),
  );
}

export function systemName(systems: readonly string[], system: number): HTMLElement {
  return el(
    "span",
    { class: `system ${series(system)}` },
    el("span", { class: "swatch", "aria-hidden": "true" }),
    shortName(systems, system),
  );
}
