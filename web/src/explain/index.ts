/**
 * The explanation of one score as an element of a page.
 *
 * What there is decides what is shown, never the metric's name: links are drawn, edits are listed as a path,
 * readings in other languages have their tabs. A metric that is new needs nothing here.
 */

import type { Explanation } from "../explanation.ts";
import { visible } from "../text.ts";
import { alignmentView } from "./alignment.ts";
import { causesView } from "./causes.ts";
import { editPath } from "./edits.ts";
import { html } from "./elements.ts";
import { fixed } from "./numbers.ts";
import { improbableView, pivotView } from "./pivots.ts";
import { sound } from "./sound.ts";
import { featureTable, sumView } from "./sums.ts";
import { cut } from "./words.ts";

export interface ExplanationOptions {
  /** Whether a higher score is better; by default as the metric's name says: error rates are better low. */
  higherIsBetter?: boolean;
}

const ERROR_RATES = /^(ter|wer|per|cder|hter|mter)\b/i;
const MOST_FEATURES = 8;

export function renderExplanation(given: Explanation, options: ExplanationOptions = {}): HTMLElement {
  const explanation = sound(given);
  const higherIsBetter = options.higherIsBetter ?? !ERROR_RATES.test(explanation.metric);
  const empty = explanation.reference.length === 0 && explanation.hypothesis.length === 0;
  const features = featureTable(explanation, higherIsBetter);
  const many = features !== null && explanation.features.length > MOST_FEATURES;
  return html(
    "section",
    { class: "explain", "aria-label": `Explanation of ${cut(explanation.metric, 60)}` },
    html("h2", {}, `${cut(explanation.metric, 60)} `, html("span", { class: "explain-score" }, fixed(explanation.score, 4)), higherIsBetter ? null : html("small", {}, " lower is better")),
    ...explanation.notes.map((note) => html("p", { class: "explain-note", dir: "auto" }, html("b", {}, "Note: "), visible(note))),
    causesView(explanation, higherIsBetter),
    empty ? html("p", { class: "explain-note" }, "Neither side has any words.") : alignmentView(explanation),
    editPath(explanation, higherIsBetter),
    sumView(explanation, higherIsBetter),
    pivotView(explanation),
    improbableView(explanation),
    many ? html("details", {}, html("summary", {}, `All features (${explanation.features.length})`), features) : features,
    signature(explanation.signature),
  );
}

function signature(text: string): HTMLElement | null {
  if (text === "") return null;
  const copied = html("span", { role: "status" });
  const button = html("button", { type: "button", class: "explain-more" }, "Copy");
  const code = html("code", {}, visible(text));
  button.addEventListener("click", () => {
    // Pages from files may not write to the clipboard: then the text is selected, to be copied by hand.
    const selected = () => {
      getSelection()?.selectAllChildren(code);
      copied.textContent = " selected: copy it with your keyboard";
    };
    const clipboard = navigator.clipboard as Clipboard | undefined;
    if (clipboard === undefined) selected();
    else clipboard.writeText(text).then(() => (copied.textContent = " copied"), selected);
  });
  return html("p", { class: "explain-signature" }, html("span", { class: "explain-term" }, "Signature "), code, " ", button, copied);
}
