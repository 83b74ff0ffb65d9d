/** How bad findings are: a mark with a shape and a colour of its own, and how many there are. */

import { el } from "../base/dom.ts";
import { count } from "../base/numbers.ts";
import { SEVERITIES, type Severity } from "../data/overview.ts";

/** A severity in words. */
export function severityName(severity: Severity): HTMLElement {
  return el(
    "span",
    { class: `severity ${severity}` },
    el("span", { class: "shape", "aria-hidden": "true" }),
    severity,
  );
}

/** How many findings of each severity there are, in the order of SEVERITIES; nothing for none. */
export function severityCounts(counts: readonly number[]): HTMLElement[] {
  return SEVERITIES.flatMap((severity, place) => {
    const number = counts[place] ?? 0;
    return number > 0
      ? [
          el(
            "span",
            { class: `severity ${severity}` },
            el("span", { class: "shape", "aria-hidden": "true" }),
            count(number),
            el("span", { class: "hidden-text" }, ` ${severity}`),
          ),
        ]
      : [];
  });
}
