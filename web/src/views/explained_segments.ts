/** The page of `metaphrase explain --format html`: texts with the explanations of their scores, all of them open. */

import { bdi, el, unique } from "../base/dom.ts";
import { renderContrast } from "../explain/contrast_view.ts";
import { renderExplanation } from "../explain/index.ts";
import { Dataset } from "../data/dataset.ts";
import { isFailure, type Explanation } from "../data/explanation.ts";
import type { Overview, Shown } from "../data/overview.ts";
import type { Source } from "../data/source.ts";
import { comparedText, marksKey, titledText } from "./compared_texts.ts";
import { openOnPaper } from "./drawing_time.ts";
import { profileOf } from "./profile.ts";
import { longText } from "./long_text.ts";

/** What Python calls a text that no system gave a name. */
const UNNAMED = "hypothesis";

export async function showExplanations(root: HTMLElement, source: Source): Promise<void> {
  const data = new Dataset(source, await source.overview());
  const shown = await data.shown();
  const wholes = await Promise.all((data.overview.profiles ?? []).map((metric) => whole(data, metric)));
  const contrasts = data.overview.compared ? await Promise.all(pairs(shown).map((pair) => compared(data, pair))) : [];
  const translations = await Promise.all(byTranslation(shown).map((cells) => translation(data, cells)));
  openOnPaper(root);
  root.replaceChildren(
    heading(data.overview, shown.length),
    el("main", { class: "report-views explained-segments" }, ...wholes, ...contrasts, ...translations),
  );
}

/** The explanations of each translation, in the order in which translations first appear. */
export function byTranslation(shown: readonly Shown[]): Shown[][] {
  const groups = new Map<string, Shown[]>();
  for (const cell of shown) {
    const key = `${cell[1]}/${cell[2]}`;
    groups.set(key, [...(groups.get(key) ?? []), cell]);
  }
  return [...groups.values()];
}

/** Explanations of two systems by one metric, of one segment and with one reference. */
export function pairs(shown: readonly Shown[]): [Shown, Shown][] {
  const found: [Shown, Shown][] = [];
  shown.forEach((one, at) => {
    const same = (other: Shown) => [0, 2, 3].every((place) => other[place] === one[place]) && other[1] !== one[1];
    const other = shown.slice(at + 1).find(same);
    if (other !== undefined) found.push([one, other]);
  });
  return found;
}

/** What makes the difference of two systems in all segments. */
async function whole(data: Dataset, metric: number): Promise<HTMLElement> {
  const id = unique("whole");
  const title = el("h2", { id }, "All segments, by ", bdi(data.overview.metrics[metric]?.name ?? ""));
  return el("section", { class: "view", "aria-labelledby": id }, title, ...(await profileOf(data, metric)));
}

/** Which of two translations scores higher, and why. */
async function compared(data: Dataset, [one, other]: [Shown, Shown]): Promise<HTMLElement> {
  const { systems, segmentNumbers, metrics, references } = data.overview;
  const number = segmentNumbers?.[one[2]] ?? null;
  const where = [
    ...(number === null ? [] : [`segment ${number}`]),
    metrics[one[0]]?.name ?? "",
    ...(references > 1 ? [`reference ${one[3] + 1} of ${references}`] : []),
  ];
  const id = unique("contrast");
  return el(
    "section",
    { class: "view stack", "aria-labelledby": id },
    el("h2", { id }, "Why the scores differ: ", bdi(where.join(", "))),
    renderContrast(
      await found(data, one),
      await found(data, other),
      [systems[one[1]] ?? "", systems[other[1]] ?? ""],
      metrics[one[0]]?.preferences,
    ),
  );
}

function heading(overview: Overview, explanations: number): HTMLElement {
  const names = overview.metrics.map((metric) => metric.name).join(", ");
  const facts = [...(overview.lang === "xx" ? [] : [`language ${overview.lang}`]), `metaphrase ${overview.metaphrase}`];
  return el(
    "header",
    { class: "report-head" },
    el("h1", {}, explanations === 1 ? "Explanation by " : "Explanations by ", bdi(names)),
    overview.verdict ? el("p", { class: "verdict" }, bdi(overview.verdict, { dir: "ltr" })) : null,
    el("p", { class: "muted" }, bdi(facts.join(" · "))),
    ...overview.notes.map((note) => el("p", { class: "muted" }, bdi(note))),
  );
}

/** One translation: its texts, and below them everything that explains its scores. */
async function translation(data: Dataset, cells: readonly Shown[]): Promise<HTMLElement> {
  const [, system, segment] = cells[0] ?? [0, 0, 0];
  const { lang } = data.overview;
  const texts = await data.segment(segment);
  const hypothesis = texts.hypotheses[system] ?? "";
  const id = unique("translation");
  const several = texts.references.length > 1;
  return el(
    "section",
    { class: "view stack", "aria-labelledby": id },
    el("h2", { id }, ...(await name(data, system, segment))),
    texts.source !== null && titledText("Source", longText(texts.source, "")),
    // Not every segment has as many references as there are.
    ...texts.references.flatMap((reference, i) =>
      i > 0 && reference === ""
        ? []
        : titledText(several ? `Reference ${i + 1}` : "Reference", comparedText(reference, hypothesis, "del", lang)),
    ),
    titledText("Hypothesis", comparedText(hypothesis, texts.references[0] ?? "", "ins", lang)),
    marksKey("the hypothesis", "the hypothesis"),
    el("h3", {}, cells.length === 1 ? "Why this score" : "Why these scores"),
    ...(await Promise.all(cells.map((cell) => explanation(data, cell)))),
  );
}

/** `Segment 7, system-a, a document`, as far as these are known. */
async function name(data: Dataset, system: number, segment: number): Promise<(Node | string)[]> {
  const { systems, segmentNumbers, documents } = data.overview;
  const number = segmentNumbers?.[segment] ?? null;
  const document = documents?.[(await data.documents())[segment] ?? 0];
  const named = systems.length > 1 || systems[0] !== UNNAMED;
  const known = [
    ...(number === null ? [] : [`Segment ${number}`]),
    ...(named ? [systems[system] ?? ""] : []),
    ...(document ? [document] : []),
  ];
  if (known.length === 0) return ["Texts"];
  return known.flatMap((part, i) => (i > 0 ? [", ", bdi(part)] : [bdi(part)]));
}

async function found(data: Dataset, [metric, system, segment, reference]: Shown): Promise<Explanation> {
  const answer = await data.explanation(metric, system, segment, reference);
  if (answer === null || isFailure(answer)) throw new Error("the page lacks an explanation");
  return answer;
}

async function explanation(data: Dataset, cell: Shown): Promise<HTMLElement> {
  const answer = await found(data, cell);
  const caption = cell[4];
  const title = caption.charAt(0).toUpperCase() + caption.slice(1);
  const above = caption !== "" && el("p", { class: "muted" }, bdi(title));
  return el("div", { class: "stack why" }, above, renderExplanation(answer));
}
