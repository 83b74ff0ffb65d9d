/** What changed in one segment between two versions of a system. */

import { el } from "../base/dom.ts";
import type { Overview } from "../data/overview.ts";
import { changedText } from "./compared_texts.ts";
import { findingList } from "./segment_findings.ts";
import { systemName } from "./system_names.ts";
import type { Translations } from "./system_texts.ts";

/** Both versions below each other; nothing where `system` is none of them or the segment is as it was. */
export function versionTexts(overview: Overview, of: Translations, system: number): HTMLElement[] {
  const { changes, findings, lang, systems } = overview;
  if (!changes || ![changes.before, changes.after].includes(system)) return [];
  const { hypotheses, tags } = of.texts;
  const own = [changes.before, changes.after].map((one) => ({
    system: one,
    text: hypotheses[one] ?? "",
    tags: tags.hypotheses[one] ?? [],
    findings: (of.findings[one] ?? []).filter(({ change }) => change !== undefined),
  }));
  const [before, after] = own;
  if (!before || !after) return [];
  if (before.text === after.text && String(before.tags) === String(after.tags)) return [];
  const kinds = findings?.kinds ?? [];
  return [
    el(
      "div",
      { class: "versions stack" },
      ...([[before, after, "del"], [after, before, "ins"]] as const).map(([one, other, mark]) =>
        el(
          "div",
          { class: "given" },
          el("h3", {}, systemName(systems, one.system)),
          el(
            "div",
            { class: "chosen-text" },
            changedText(one.text, other.text, mark, lang, { tags: one.tags, otherTags: other.tags }),
            // Those of the chosen system stand with its scores.
            one.system !== system && findingList(one.findings, kinds),
          ),
        ),
      ),
    ),
  ];
}
