/** The page of `metaphrase probe --format html`: which errors metrics see, and translations about which they are wrong. */

import { bdi, el, explained, unique } from "../base/dom.ts";
import { count, counted, fixed, score } from "../base/numbers.ts";
import type { Metric, Overview, Severity } from "../data/overview.ts";
import { SEVERITIES } from "../data/overview.ts";
import type { ErrorKind, Failure, Probe, SeenCell } from "../data/probe.ts";
import { parseJson, type Source } from "../data/source.ts";
import { changedText, titledText } from "./compared_texts.ts";
import { openOnPaper } from "./drawing_time.ts";
import { intervalBar } from "./interval_bar.ts";
import { longText } from "./long_text.ts";
import { arrow } from "./metric_direction.ts";
import { section } from "./section.ts";
import { severityName } from "./severities.ts";

const BAR = 96;

export async function showProbe(root: HTMLElement, source: Source): Promise<void> {
  const overview = await source.overview();
  const { probe } = overview;
  if (!probe) throw new Error("the page holds no challenge set");
  const failures = parseJson<Failure[]>(await source.block("failures"));
  const places = probe.kinds.map(() => unique("failures"));
  openOnPaper(root);
  root.replaceChildren(
    heading(overview, probe),
    el(
      "main",
      { class: "report-views probed" },
      section("errors", "How often an error is seen", table(overview, probe, places, failures)),
      failures.length > 0 && section("failures", "Errors that were not seen", ...examples(overview, probe, places, failures)),
      section("signatures", "Signatures", ...overview.metrics.map((one) => el("p", { class: "code" }, bdi(one.signature)))),
    ),
  );
}

function heading(overview: Overview, probe: Probe): HTMLElement {
  const facts = [
    counted(probe.items, "item"),
    counted(probe.kinds.length, "kind of error", "kinds of errors"),
    counted(overview.metrics.length, "metric"),
    ...(overview.lang === "xx" ? [] : [`language ${overview.lang}`]),
    `metaphrase ${overview.metaphrase}`,
  ];
  const left = counted(probe.leftOut, "item");
  const warnings = [
    ...(overview.warnings ?? []),
    ...(probe.leftOut > 0 ? [`Without ${left} of which a metric refused a text.`] : []),
  ];
  return el(
    "header",
    { class: "report-head" },
    el("h1", {}, bdi(overview.title)),
    el("p", { class: "muted" }, bdi(facts.join(" · "))),
    warnings.length > 0 && el("ul", { class: "warnings" }, ...warnings.map((text) => el("li", {}, bdi(text)))),
  );
}

/** The severities in the order of the kinds. */
export function severitiesOf(kinds: readonly ErrorKind[]): string[] {
  return [...new Set(kinds.map((kind) => kind.severity))];
}

function isKnown(severity: string): severity is Severity {
  return (SEVERITIES as readonly string[]).includes(severity);
}

function severityLabel(severity: string): Node | string {
  if (isKnown(severity)) return severityName(severity);
  return severity === "" ? "kinds of errors" : bdi(severity);
}

function table(overview: Overview, probe: Probe, places: readonly string[], failures: readonly Failure[]): HTMLElement {
  const { metrics } = overview;
  const severities = severitiesOf(probe.kinds);
  const rows = severities.flatMap((severity) => {
    const mean = probe.means.find((one) => one.severity === severity);
    const head = el(
      "tr",
      { class: "severity-start" },
      el("th", { scope: "row" }, severityLabel(severity), mean && el("span", { class: "muted" }, ` mean of ${mean.kinds}`)),
      el("td", {}),
      ...metrics.map((_, i) => cell(mean?.cells[i])),
    );
    const own = probe.kinds.flatMap((kind, place) => {
      if (kind.severity !== severity) return [];
      const shown = failures.some((one) => one.kind === place);
      const name = shown ? el("a", { href: `#${places[place] ?? ""}` }, bdi(kind.name)) : bdi(kind.name);
      return [
        el(
          "tr",
          {},
          el("th", { scope: "row" }, name),
          el("td", { class: "number" }, count(kind.items)),
          ...kind.cells.map(cell),
        ),
      ];
    });
    return severities.length === 1 && severity === "" && !mean ? own : [head, ...own];
  });
  const all = probe.means.find((one) => one.severity === null);
  const about =
    "Per cent of items whose good translation scores higher than the bad one, with 95 % intervals: of a kind Wilson's, of means " +
    "those of a bootstrap over sentences. Ties are not right, and counted apart.";
  return explained(
    "Accuracy by kind of error and metric",
    [about],
    el(
      "table",
      { class: "kinds seen" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, "Error"),
          el("th", { scope: "col", class: "number" }, "Items"),
          ...metrics.map((metric) => el("th", { scope: "col" }, bdi(metric.name))),
        ),
      ),
      el("tbody", {}, ...rows),
      all &&
        el(
          "tfoot",
          {},
          el("tr", {}, el("th", { scope: "row" }, `All, mean of ${all.kinds}`), el("td", {}), ...all.cells.map(cell)),
        ),
    ),
  );
}

function cell(seen: SeenCell | undefined): HTMLElement {
  if (!seen) return el("td", {});
  const ends = `${fixed(100 * seen.low, 1)}–${fixed(100 * seen.high, 1)}`;
  const ties = seen.ties > 0 && el("span", { class: "muted ties" }, `${fixed(100 * seen.ties, 1)} % ties`);
  return el(
    "td",
    { class: "seen-cell" },
    el("span", { class: "share" }, fixed(100 * seen.accuracy, 1)),
    intervalBar(100 * seen.accuracy, 100 * seen.low, 100 * seen.high, [0, 100], BAR),
    el("span", { class: "muted ends" }, ends),
    ties,
  );
}

function examples(
  overview: Overview,
  probe: Probe,
  places: readonly string[],
  failures: readonly Failure[],
): HTMLElement[] {
  return probe.kinds.flatMap((kind, place) => {
    const own = failures.filter((one) => one.kind === place);
    if (own.length === 0) return [];
    const label = isKnown(kind.severity) ? severityName(kind.severity) : bdi(kind.severity);
    return [
      el(
        "details",
        { class: "failed", id: places[place] ?? null, open: true },
        el("summary", {}, bdi(kind.name), " ", label, el("span", { class: "muted" }, ` ${counted(own.length, "example")}`)),
        ...own.map((one) => failure(one, overview)),
      ),
    ];
  });
}

function failure(one: Failure, overview: Overview): HTMLElement {
  const { lang } = overview;
  const metric: Metric | undefined = overview.metrics[one.metric];
  const [good, bad] = one.scores;
  const told = good === bad ? "sees no difference" : "prefers the bad one";
  const shown = (value: number) => (metric ? score(value, metric) : "");
  return el(
    "article",
    { class: "stack failure" },
    el(
      "h3",
      {},
      bdi(metric?.name ?? ""),
      metric ? arrow(metric) : null,
      ` ${told}`,
      one.id !== "" && el("span", { class: "muted" }, " · item ", bdi(one.id)),
    ),
    one.source !== "" && titledText("Source", longText(one.source, "")),
    titledText("Reference", longText(one.reference, lang)),
    titledText(`Good: ${shown(good)}`, changedText(one.good, one.bad, "del", lang, {})),
    titledText(`Bad: ${shown(bad)}`, changedText(one.bad, one.good, "ins", lang, {})),
  );
}
