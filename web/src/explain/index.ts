/**
 * The explanation of one score as an element of a page.
 *
 * What there is decides what is shown, never the metric's name: links are drawn, edits are listed as a path,
 * readings in other languages have their tabs. A metric that is new needs nothing here.
 */

import { el } from "../base/dom.ts";
import type { Explanation } from "../data/explanation.ts";
import { fixed } from "../base/numbers.ts";
import { visible } from "../base/text.ts";
import "./explain.css";
import { alignmentView } from "./alignment.ts";
import { causesView } from "./causes.ts";
import { editPath } from "./edit_path.ts";
import { digitsFor } from "./numbers.ts";
import { repairsView } from "./repairs.ts";
import { improbableView, pivotView } from "./pivots.ts";
import { wellFormed } from "./well_formed.ts";
import { featureTable } from "./feature_table.ts";
import { cut } from "./words.ts";

export function renderExplanation(given: Explanation): HTMLElement {
  const explanation = wellFormed(given);
  const higherIsBetter = explanation.higher_is_better;
  const empty = explanation.reference.length === 0 && explanation.hypothesis.length === 0;
  const features = featureTable(explanation, higherIsBetter);
  const repairs = repairsView(explanation, higherIsBetter);
  return el(
    "section",
    { class: "explain", "aria-label": `Explanation of ${cut(explanation.metric, 60)}` },
    el(
      "h4",
      {},
      `${cut(explanation.metric, 60)} `,
      el("span", { class: "explain-score" }, fixed(explanation.score, digitsFor(explanation.score))),
      higherIsBetter ? null : el("small", {}, " lower is better"),
    ),
    ...explanation.notes.map((note) =>
      el("p", { class: "explain-note", dir: "auto" }, el("b", {}, "Note: "), visible(note)),
    ),
    repairs ?? causesView(explanation, higherIsBetter),
    empty ? el("p", { class: "explain-note" }, "Neither side has any words.") : alignmentView(explanation),
    editPath(explanation, higherIsBetter),
    pivotView(explanation),
    improbableView(explanation),
    features === null
      ? null
      : el(
          "details",
          repairs === null ? { open: true } : {},
          el("summary", {}, `All features (${explanation.features.length})`),
          features,
        ),
    signature(explanation.signature),
  );
}

function signature(text: string): HTMLElement | null {
  if (text === "") return null;
  const copied = el("span", { role: "status" });
  const button = el("button", { type: "button", class: "explain-more" }, "Copy");
  const code = el("code", {}, visible(text));
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
  return el(
    "p",
    { class: "explain-signature" },
    el("span", { class: "explain-term" }, "Signature "),
    code,
    " ",
    button,
    copied,
  );
}
