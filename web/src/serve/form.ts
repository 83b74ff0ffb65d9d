/** A new evaluation of files, with a language and metrics. */

import { el, labelled, on, unique } from "../base/dom.ts";
import { count } from "../base/numbers.ts";
import { type NewJob, packed, type Status } from "./api.ts";
import { type Chosen, FileField, isLocalisation, size } from "./files.ts";
import { LanguageField } from "./language_field.ts";
import { MetricField } from "./metric_field.ts";
import { submit } from "./submission.ts";

/** "max_upload_bytes: 50000000" as people say it. */
export function limitText(name: string, value: unknown): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
  if (typeof value !== "number") return `${words}: ${String(value)}`;
  if (/\bbytes\b/.test(words)) return `${words.replace(/\s*\bbytes\b\s*/, " ").trim() || "size"}: ${size(value)}`;
  if (/\bseconds\b/.test(words))
    return `${words.replace(/\s*\bseconds\b\s*/, " ").trim() || "time"}: ${count(value)} s`;
  return `${words}: ${count(value)}`;
}

async function read({ file, name }: Chosen): Promise<ReturnType<typeof packed>> {
  return packed(name, new Uint8Array(await file.arrayBuffer()));
}

export class NewJobForm {
  readonly element: HTMLElement;
  readonly #made: (id: string) => void;
  readonly #references: FileField;
  readonly #systems: FileField;
  readonly #source: FileField;
  readonly #documents: FileField;
  readonly #title = el("input", { type: "text", maxlength: 200, autocomplete: "off" });
  readonly #language: LanguageField;
  readonly #check = el("input", { type: "checkbox", id: unique("check") });
  readonly #checks = el("input", { type: "checkbox", id: unique("checks") });
  readonly #skip = el("input", { type: "checkbox", id: unique("skip") });
  readonly #changes = el("input", { type: "checkbox", id: unique("changes") });
  /** Until somebody says otherwise, localisation files are checked, and texts are not. */
  #checksChosen = false;
  readonly #metrics: MetricField;
  readonly #errors = el("div");
  readonly #missing = el("p", { class: "muted", id: unique("missing") });
  readonly #submit: HTMLButtonElement;
  #sending = false;

  constructor(status: Status, made: (id: string) => void) {
    this.#made = made;
    const changed = () => this.#draw();
    this.#references = new FileField(
      "References",
      "Drop translations by people here, one file for each reference: plain text, one sentence per line, or a localisation file (XLIFF, PO, TMX, CSV, Excel, properties, JSON). Gzip is fine.",
      "several",
      changed,
    );
    this.#systems = new FileField(
      "Systems",
      "Drop the translations to be judged here: one file for each system, line by line as in the reference. Units of localisation files are joined by their ids.",
      "named",
      changed,
    );
    this.#source = new FileField("Source (optional)", "The original, line by line, to read beside them. Most localisation files bring it along.", "one", changed);
    this.#documents = new FileField("Documents (optional)", "For each line, the name of its document.", "one", changed);
    this.#language = new LanguageField("Language of the translations", status, () => this.#drawLanguage());
    this.#check.checked = true;
    this.#metrics = new MetricField(status, changed);
    const described = { "aria-describedby": this.#missing.id };
    this.#submit = el("button", { type: "submit", class: "primary", ...described }, "Evaluate");
    this.element = this.#form(status);
    on(this.element, {
      submit: (event) => {
        event.preventDefault();
        void this.#send();
      },
    });
    on(this.#checks, {
      change: () => {
        this.#checksChosen = true;
      },
    });
    this.#drawLanguage();
  }

  #form(status: Status): HTMLElement {
    const files = [this.#references, this.#systems, this.#source, this.#documents];
    const limits = Object.entries(status.limits).map(([name, value]) => limitText(name, value));
    return el(
      "form",
      { class: "stack", "aria-labelledby": "new-title" },
      el("h2", { id: "new-title", tabindex: -1 }, "Whole files"),
      el("div", { class: "drops" }, ...files.map((field) => field.element)),
      el("div", { class: "controls" }, labelled("Title (optional)", this.#title), ...this.#language.elements),
      ...[
        [this.#check, "Warn if texts do not look like this language, or repeat the source"] as const,
        [this.#checks, "Check numbers, tags, placeholders, punctuation … against the source"] as const,
        [this.#changes, "The second system is a new version of the first: show what changed"] as const,
        [this.#skip, "If a metric refuses a segment, leave it out instead of stopping"] as const,
      ].map(([box, label]) => el("div", { class: "switch" }, box, el("label", { for: box.id }, label))),
      this.#metrics.element,
      el("div", { class: "submit" }, this.#submit, this.#missing),
      this.#errors,
      el("p", { class: "muted" }, `Limits: ${limits.join("; ") || "none"}.`),
    );
  }

  /** Fills in the metrics once they are known, or shows why they are not. */
  offered(problem?: HTMLElement): void {
    if (problem) this.#metrics.fail(problem);
    this.#language.suggest();
    this.#drawLanguage();
  }

  #drawLanguage(): void {
    this.#language.draw();
    this.#metrics.draw(this.#language.code ?? "");
    this.#draw();
  }

  /** Offers checks where there is a source to check against, and changes where there are versions. */
  #drawSwitches(): void {
    const files = [...this.#references.files, ...this.#systems.files];
    const localised = files.some(({ name }) => isLocalisation(name));
    this.#checks.disabled = !localised && this.#source.files.length === 0;
    if (this.#checks.disabled) this.#checks.checked = false;
    else if (!this.#checksChosen) this.#checks.checked = localised;
    this.#changes.disabled = this.#systems.files.length < 2;
    if (this.#changes.disabled) this.#changes.checked = false;
  }

  /** Says what is still missing. */
  #draw(): void {
    this.#drawSwitches();
    const lacking = [
      ...(this.#references.files.length === 0 ? ["a reference"] : []),
      ...(this.#systems.files.length === 0 ? ["a system"] : []),
      ...(this.#systems.toldApart ? [] : ["different names for the systems"]),
      ...(this.#language.code === null ? ["a language"] : []),
      ...(this.#metrics.wanted.length === 0 ? ["a metric"] : []),
    ];
    this.#missing.textContent = lacking.length > 0 ? `Still needed: ${lacking.join(", ")}.` : "";
    this.#submit.disabled = this.#sending || lacking.length > 0;
  }

  async #send(): Promise<void> {
    this.#sending = true;
    this.#draw();
    await submit(() => this.#work(), this.#errors, this.#made);
    this.#sending = false;
    this.#draw();
  }

  async #work(): Promise<NewJob> {
    const work: NewJob = {
      lang: this.#language.code ?? "",
      metrics: this.#metrics.wanted,
      references: await Promise.all(this.#references.files.map(read)),
      systems: await Promise.all(this.#systems.files.map(read)),
    };
    if (!this.#check.checked) work.check_language = false;
    if (this.#checks.checked) work.checks = true;
    if (this.#changes.checked) work.changes = true;
    if (this.#skip.checked) work.on_error = "skip";
    const title = this.#title.value.trim();
    if (title) work.title = title;
    if (this.#source.files[0]) work.source = await read(this.#source.files[0]);
    if (this.#documents.files[0]) work.documents = await read(this.#documents.files[0]);
    return work;
  }
}
