/** What checks found in one translation, as a list. */

import { bdi, el } from "../base/dom.ts";
import { visible } from "../base/text.ts";
import type { Finding, FindingKind } from "../data/overview.ts";
import { severityName } from "./severities.ts";

/** Null where nothing was found. Where versions are compared, findings say if they are new or gone. */
export function findingList(findings: readonly Finding[], kinds: readonly FindingKind[]): HTMLElement | null {
  if (findings.length === 0) return null;
  return el("ul", { class: "findings", "aria-label": "Findings" }, ...findings.map((one) => finding(one, kinds)));
}

function finding(one: Finding, kinds: readonly FindingKind[]): HTMLElement {
  const kind = kinds[one.kind];
  return el(
    "li",
    {},
    one.change && el("span", { class: `change ${one.change}` }, one.change),
    kind && severityName(kind.severity),
    el(
      "span",
      { class: "finding-text" },
      bdi(one.message),
      // A blank could not be seen.
      one.suggestion?.trim() && el("span", { class: "muted" }, " Suggestion: ", bdi(one.suggestion)),
      " ",
      el("code", { class: "muted", title: visible(kind?.description ?? "") || null }, bdi(kind?.code ?? "")),
    ),
  );
}
