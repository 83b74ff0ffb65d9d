/** A new evaluation: files, language, metrics. */

import { bdi, button, el, labelled, on, unique } from "../base/dom.ts";
import { count } from "../base/numbers.ts";
import { type OfferedMetric, create, type NewJob, packed, type Status } from "./api.ts";
import { type Chosen, FileField, size } from "./files.ts";
import { languageCode, languageName, SUGGESTED } from "./languages.ts";
import { problemBox, toProblem } from "./problem.ts";

export function speaks(metric: OfferedMetric, lang: string): boolean {
  return (
    !metric.languages?.length ||
    metric.languages.includes(lang) ||
    metric.languages.includes("any") ||
    metric.languages.includes("*")
  );
}

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

/** The language of the translations, typed or chosen, with its name beside it. */
class LanguageField {
  readonly elements: HTMLElement[];
  readonly #input: HTMLInputElement;
  readonly #meant = el("span", { class: "muted", id: unique("language"), role: "status" });

  constructor(status: Status, changed: () => void) {
    const known = new Set([...SUGGESTED, ...status.metrics.flatMap((metric) => metric.languages ?? [])]);
    const codes = [...known].filter((code) => languageCode(code) === code);
    const options = codes.map((code) => el("option", { value: code }, languageName(code) ?? code));
    const suggestions = el("datalist", { id: unique("languages") }, ...options);
    this.#input = el("input", {
      type: "text",
      list: suggestions.id,
      maxlength: 35,
      autocomplete: "off",
      autocapitalize: "none",
      spellcheck: "false",
      "aria-describedby": this.#meant.id,
    });
    this.#input.value = status.defaults?.lang ?? "en";
    on(this.#input, { input: changed });
    this.elements = [labelled("Language of the translations", this.#input), this.#meant, suggestions];
  }

  /** Null while what is typed is no code. */
  get code(): string | null {
    return languageCode(this.#input.value);
  }

  draw(): void {
    this.#meant.textContent = this.code
      ? (languageName(this.code) ?? "Unknown code; metrics for any language accept it")
      : "A code such as en, ja or pt-BR";
    this.#input.setAttribute("aria-invalid", String(this.code === null));
  }
}

/** The metrics, of which those that do not know the language cannot be chosen. */
class MetricField {
  readonly element: HTMLElement;
  readonly #metrics: readonly OfferedMetric[];
  readonly #chosen: Set<string>;
  readonly #choices = el("div", { class: "metric-choices" });
  readonly #changed: () => void;
  #lang = "";

  constructor(status: Status, changed: () => void) {
    this.#metrics = status.metrics;
    this.#chosen = new Set(status.defaults?.metrics ?? []);
    this.#changed = changed;
    const all = () => {
      for (const metric of this.#metrics) if (speaks(metric, this.#lang)) this.#chosen.add(metric.name);
    };
    const redrawn = (change: () => void) => () => {
      change();
      this.draw(this.#lang);
      changed();
    };
    this.element = el(
      "fieldset",
      {},
      el("legend", {}, "Metrics"),
      this.#choices,
      el(
        "div",
        { class: "controls" },
        button("All", redrawn(all), { class: "small", "aria-label": "All metrics" }),
        button("None", redrawn(() => this.#chosen.clear()), { class: "small", "aria-label": "None of the metrics" }),
      ),
    );
  }

  get wanted(): string[] {
    const able = this.#metrics.filter((metric) => this.#chosen.has(metric.name) && speaks(metric, this.#lang));
    return able.map((metric) => metric.name);
  }

  draw(lang: string): void {
    this.#lang = lang;
    this.#choices.replaceChildren(...this.#metrics.map((metric) => this.#choice(metric)));
  }

  #choice(metric: OfferedMetric): HTMLElement {
    const able = speaks(metric, this.#lang);
    const box = el("input", { type: "checkbox", id: unique("metric"), disabled: !able });
    box.checked = able && this.#chosen.has(metric.name);
    on(box, {
      change: () => {
        if (box.checked) this.#chosen.add(metric.name);
        else this.#chosen.delete(metric.name);
        this.#changed();
      },
    });
    const about = able ? bdi(metric.description ?? "") : "not for this language";
    return el(
      "div",
      { class: able ? "metric-choice" : "metric-choice unable" },
      box,
      el(
        "label",
        { for: box.id },
        el("span", { class: "strong" }, bdi(metric.name)),
        metric.description || !able ? el("span", { class: "muted" }, about) : null,
      ),
    );
  }
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
      "One file per reference, one line per segment. Gzip is fine.",
      "several",
      changed,
    );
    this.#systems = new FileField("Systems", "One file per system, one line per line of the reference.", "named", changed);
    this.#source = new FileField("Source (optional)", "To read beside the translations.", "one", changed);
    this.#documents = new FileField("Documents (optional)", "The name of each line’s document.", "one", changed);
    this.#language = new LanguageField(status, () => this.#drawLanguage());
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
    this.#drawLanguage();
  }

  #form(status: Status): HTMLElement {
    const files = [this.#references, this.#systems, this.#source, this.#documents];
    const limits = Object.entries(status.limits).map(([name, value]) => limitText(name, value));
    return el(
      "form",
      { class: "stack", "aria-labelledby": "new-title" },
      el("h2", { id: "new-title", tabindex: -1 }, "New evaluation"),
      el("div", { class: "drops" }, ...files.map((field) => field.element)),
      el("div", { class: "controls" }, labelled("Title (optional)", this.#title), ...this.#language.elements),
      this.#metrics.element,
      el("div", { class: "submit" }, this.#submit, this.#missing),
      this.#errors,
      el("p", { class: "muted" }, `Limits: ${limits.join("; ") || "none"}.`),
    );
  }

  #drawLanguage(): void {
    this.#language.draw();
    this.#metrics.draw(this.#language.code ?? "");
    this.#draw();
  }

  /** Says what is still missing. */
  #draw(): void {
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
    this.#errors.replaceChildren();
    try {
      const work: NewJob = {
        lang: this.#language.code ?? "",
        metrics: this.#metrics.wanted,
        references: await Promise.all(this.#references.files.map(read)),
        systems: await Promise.all(this.#systems.files.map(read)),
      };
      const title = this.#title.value.trim();
      if (title) work.title = title;
      if (this.#source.files[0]) work.source = await read(this.#source.files[0]);
      if (this.#documents.files[0]) work.documents = await read(this.#documents.files[0]);
      this.#made((await create(work)).id);
    } catch (error) {
      this.#errors.replaceChildren(problemBox(toProblem(error)));
    } finally {
      this.#sending = false;
      this.#draw();
    }
  }
}
