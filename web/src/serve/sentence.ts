/** One sentence and its translation, pasted instead of dropped as files. */

import { el, labelled, on, unique } from "../base/dom.ts";
import type { NewJob, Status } from "./api.ts";
import { LanguageField } from "./language_field.ts";
import { recommended } from "./metric_field.ts";
import { submit } from "./submission.ts";

const LONGEST_TITLE = 60;

/** An evaluation of one segment. Line breaks would make several of it. */
export function sentenceJob(status: Status, lang: string, reference: string, translation: string): NewJob {
  const line = (text: string) => text.trim().replace(/\s+/g, " ");
  const characters = [...line(translation)];
  return {
    title: characters.length > LONGEST_TITLE ? `${characters.slice(0, LONGEST_TITLE - 1).join("")}…` : characters.join(""),
    lang,
    metrics: recommended(status, lang),
    references: [{ name: "reference.txt", text: `${line(reference)}\n` }],
    systems: [{ name: "translation.txt", text: `${line(translation)}\n` }],
  };
}

const box = () => el("textarea", { rows: 3, maxlength: 10_000, dir: "auto" });

/** The form, and what it does when the metrics are known. */
export function sentenceForm(
  status: Status,
  made: (id: string) => void,
): { element: HTMLElement; offered: () => void } {
  const reference = box();
  const translation = box();
  const errors = el("div");
  const about = el("p", { class: "muted", id: unique("about") });
  const explain = el("button", { type: "submit", class: "primary", "aria-describedby": about.id }, "Explain");
  const ready = () => {
    language.draw();
    const lacking = [
      ...(reference.value.trim() === "" ? ["a reference"] : []),
      ...(translation.value.trim() === "" ? ["a translation"] : []),
      ...(language.code === null ? ["a language"] : []),
    ];
    const metrics = recommended(status, language.code ?? "").join(", ");
    about.textContent = lacking.length > 0 ? `Still needed: ${lacking.join(", ")}.` : `By ${metrics}.`;
    explain.disabled = lacking.length > 0;
  };
  const language = new LanguageField("Language", status, ready);
  const form = el(
    "form",
    { class: "stack sentence", "aria-labelledby": "sentence-title" },
    el("h2", { id: "sentence-title" }, "One sentence"),
    labelled("Reference: how a person translated it", reference),
    labelled("Translation to be judged", translation),
    el("div", { class: "controls" }, ...language.elements),
    el("div", { class: "submit" }, explain, about),
    errors,
  );
  on(form, {
    input: ready,
    submit: (event) => {
      event.preventDefault();
      explain.disabled = true;
      const work = () => sentenceJob(status, language.code ?? "", reference.value, translation.value);
      void submit(work, errors, made).then(ready);
    },
  });
  ready();
  const offered = () => {
    language.suggest();
    ready();
  };
  return { element: form, offered };
}
