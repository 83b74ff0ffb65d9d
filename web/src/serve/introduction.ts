/** What this page is for, and an example of it. */

import documents from "../../../examples/documents.txt?raw";
import reference from "../../../examples/reference.txt?raw";
import source from "../../../examples/source.txt?raw";
import systemA from "../../../examples/system-a.txt?raw";
import systemB from "../../../examples/system-b.txt?raw";
import { button, el } from "../base/dom.ts";
import type { NewJob, Status } from "./api.ts";
import { recommended } from "./metric_field.ts";
import { submit } from "./submission.ts";

/** The example of the documentation. */
export function example(status: Status): NewJob {
  return {
    title: "Example",
    lang: "en",
    metrics: recommended(status, "en"),
    references: [{ name: "reference.txt", text: reference }],
    systems: [
      { name: "system-a.txt", text: systemA },
      { name: "system-b.txt", text: systemB },
    ],
    source: { name: "source.txt", text: source },
    documents: { name: "documents.txt", text: documents },
  };
}

export function introduction(status: Status, made: (id: string) => void): HTMLElement {
  const errors = el("div");
  const show = button("See an example", () => {
    show.disabled = true;
    void submit(() => example(status), errors, made).then(() => {
      show.disabled = false;
    });
  });
  return el(
    "header",
    { class: "stack introduction" },
    el("h1", {}, "How good are these translations, and why?"),
    el(
      "p",
      {},
      "metaphrase compares translations with references and shows what a score is made of: which words match, " +
        "what would have to be repaired, and what each repair would gain. Paste a sentence, or drop whole files to compare systems. " +
        "Your texts go to this server and no further.",
    ),
    el(
      "div",
      { class: "submit" },
      show,
      el("span", { class: "muted" }, "Twelve sentences from German, translated by two systems."),
    ),
    errors,
  );
}
