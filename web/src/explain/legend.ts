/** What kinds of links and fates of words look like in a drawing, with how many there are. */

import { el, svg } from "../base/dom.ts";
import { dashes, tones } from "./link_looks.ts";
import { FATE_NAMES } from "./layers.ts";
import type { Fate, Layer } from "./layers.ts";
import { cut } from "./words.ts";
import type { SideName } from "./words.ts";

export function legend(layer: Layer, fate: Record<SideName, readonly Fate[]>): HTMLElement | null {
  const counts = new Map<string, number>();
  for (const link of layer.links) {
    const kind = link.kind.startsWith("within ") ? "within a match" : link.kind;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const looks = tones(layer.links.map((link) => link.kind));
  const items = [...counts].slice(0, 12).map(([kind, count]) => {
    const tone = looks.get(kind) ?? 5;
    const pattern = dashes(tone);
    const line = svg("line", {
      x1: 1,
      y1: 6,
      x2: 33,
      y2: 6,
      class: "explain-line",
      "stroke-width": 2.6,
      ...(pattern ? { "stroke-dasharray": pattern } : {}),
    });
    const sample = svg("svg", { width: 34, height: 12, class: `explain-tone-${tone}`, "aria-hidden": "true" }, line);
    return el("li", {}, sample, `${cut(kind, 40)} (${count})`);
  });
  const words = [...fate.reference, ...fate.hypothesis];
  for (const [name, label] of Object.entries(FATE_NAMES)) {
    const count = words.filter((one) => one === name).length;
    if (count > 0)
      items.push(
        el(
          "li",
          {},
          el("span", { class: `explain-sample explain-${name}`, "aria-hidden": "true" }, "word"),
          `${label} (${count})`,
        ),
      );
  }
  return items.length === 0 ? null : el("ul", { class: "explain-legend", "aria-label": "Legend" }, ...items);
}
