/** What checks found in each system, by kind; a number leads to its segments. */

import type { Dataset } from "../data/dataset.ts";
import { bdi, button, el, explained } from "../base/dom.ts";
import { count, counted } from "../base/numbers.ts";
import { visible } from "../base/text.ts";
import { type FindingKind, SEVERITIES, type Severity } from "../data/overview.ts";
import { ANY } from "../data/finding_index.ts";
import type { Store } from "../state/state.ts";
import { section } from "./section.ts";
import { severityName } from "./severities.ts";
import { systemLabels, systemName } from "./system_names.ts";
import { reveal } from "./view_links.ts";

/** Null where nothing was checked. */
export function findingsView(data: Dataset, store: Store): HTMLElement | null {
  const { findings, segments } = data.overview;
  if (!findings) return null;
  const total = findings.kinds.reduce((sum, kind) => sum + sumOf(kind.counts), 0);
  const title = total > 0 ? counted(total, "finding") : "No findings";
  const checks = findings.checks.length > 0 ? `Checked: ${findings.checks.join(", ")}.` : "";
  if (total === 0)
    return section("findings", title, el("p", {}, bdi(`Nothing was found in ${counted(segments, "segment")}. ${checks}`)));
  return section("findings", title, table(data, store, findings.kinds, checks));
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, one) => sum + one, 0);
}

/** How often each system has findings of a severity, or any. */
function counts(kinds: readonly FindingKind[], systems: number, severity: Severity | null): number[] {
  const chosen = kinds.filter((kind) => severity === null || kind.severity === severity);
  return Array.from({ length: systems }, (_, system) => sumOf(chosen.map((kind) => kind.counts[system] ?? 0)));
}

function table(data: Dataset, store: Store, kinds: readonly FindingKind[], checks: string): HTMLElement {
  const { systems } = data.overview;
  const names = systemLabels(systems);
  const cells = (numbers: readonly number[], finding: string, what: string) =>
    numbers.map((number, system) => {
      if (number === 0) return el("td", { class: "number muted" }, "0");
      const open = () => {
        store.update({ finding, system, choice: "all", view: "segments" });
        reveal("segments", true);
      };
      const label = visible(`${count(number)} ${what} of ${names[system] ?? ""}`);
      return el("td", { class: "number" }, button(count(number), open, { class: "link", "aria-label": label }));
    });
  const rows = SEVERITIES.flatMap((severity) => {
    const own = kinds.filter((kind) => kind.severity === severity);
    if (own.length === 0) return [];
    return [
      el(
        "tr",
        { class: "severity-start" },
        el("th", { scope: "row" }, severityName(severity)),
        ...cells(counts(kinds, systems.length, severity), severity, `${severity} findings`),
      ),
      ...own.map((kind) =>
        el(
          "tr",
          {},
          el(
            "th",
            { scope: "row" },
            el("code", {}, bdi(kind.code)),
            kind.description !== "" && el("span", { class: "description muted" }, bdi(kind.description)),
          ),
          ...cells(kind.counts, kind.code, kind.code),
        ),
      ),
    ];
  });
  return explained(
    "Findings by kind and system",
    [bdi(checks), " Press a number for its segments."],
    el(
      "table",
      { class: "kinds" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, "Finding"),
          ...systems.map((_, system) => el("th", { scope: "col", class: "number" }, systemName(systems, system))),
        ),
      ),
      el("tbody", {}, ...rows),
      el(
        "tfoot",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "row" }, "All"),
          ...cells(counts(kinds, systems.length, null), ANY, "findings"),
        ),
      ),
    ),
  );
}
