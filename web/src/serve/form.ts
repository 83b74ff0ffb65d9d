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

export function newJobForm(status: Status, made: (id: string) => void): HTMLElement {
  const changed = () => draw();
  const references = new FileField(
    "References",
    "One file a reference, one line a segment. Gzip is fine.",
    "several",
    changed,
  );
  const systems = new FileField("Systems", "One file a system, with the lines of the reference.", "named", changed);
  const source = new FileField("Source (if you like)", "To read beside the translations.", "one", changed);
  const documents = new FileField("Documents (if you like)", "The name of each line's document.", "one", changed);
  const title = el("input", { type: "text", maxlength: 200, autocomplete: "off" });
  const known = [...new Set([...SUGGESTED, ...status.metrics.flatMap((metric) => metric.languages ?? [])])].filter(
    (code) => languageCode(code) === code,
  );
  const suggestions = el("datalist", { id: unique("languages") });
  suggestions.append(...known.map((code) => el("option", { value: code }, languageName(code) ?? code)));
  const meant = el("span", { class: "muted", id: unique("language"), role: "status" });
  const language = el("input", {
    type: "text",
    list: suggestions.id,
    maxlength: 35,
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    "aria-describedby": meant.id,
  });
  language.value = status.defaults?.lang ?? "en";
  on(language, { input: () => drawMetrics() });
  const lang = () => languageCode(language.value);
  const chosen = new Set(status.defaults?.metrics ?? []);
  const metrics = el("div", { class: "metric-choices" });
  const errors = el("div");
  const missing = el("p", { class: "muted", id: unique("missing") });
  const submit = el("button", { type: "submit", class: "primary", "aria-describedby": missing.id }, "Evaluate");
  let sending = false;

  function drawMetrics(): void {
    const code = lang();
    meant.textContent = code
      ? (languageName(code) ?? "Not a code that is known; metrics for any language take it")
      : "A code such as en, ja or pt-BR";
    language.setAttribute("aria-invalid", String(code === null));
    metrics.replaceChildren(
      ...status.metrics.map((metric) => {
        const able = speaks(metric, code ?? "");
        const box = el("input", { type: "checkbox", id: unique("metric"), disabled: !able });
        box.checked = able && chosen.has(metric.name);
        on(box, {
          change: () => {
            if (box.checked) chosen.add(metric.name);
            else chosen.delete(metric.name);
            draw();
          },
        });
        return el(
          "div",
          { class: able ? "metric-choice" : "metric-choice unable" },
          box,
          el(
            "label",
            { for: box.id },
            el("span", { class: "strong" }, bdi(metric.name)),
            metric.description || !able
              ? el("span", { class: "muted" }, able ? bdi(metric.description ?? "") : "not for this language")
              : null,
          ),
        );
      }),
    );
    draw();
  }

  const wanted = () =>
    status.metrics
      .filter((metric) => chosen.has(metric.name) && speaks(metric, lang() ?? ""))
      .map((metric) => metric.name);

  function draw(): void {
    const lacking = [
      ...(references.files.length === 0 ? ["a reference"] : []),
      ...(systems.files.length === 0 ? ["a system"] : []),
      ...(systems.toldApart ? [] : ["different names for the systems"]),
      ...(lang() === null ? ["a language"] : []),
      ...(wanted().length === 0 ? ["a metric"] : []),
    ];
    missing.textContent = lacking.length > 0 ? `Still needed: ${lacking.join(", ")}.` : "";
    submit.disabled = sending || lacking.length > 0;
  }

  async function send(): Promise<void> {
    sending = true;
    draw();
    errors.replaceChildren();
    try {
      const work: NewJob = {
        lang: lang() ?? "",
        metrics: wanted(),
        references: await Promise.all(references.files.map(read)),
        systems: await Promise.all(systems.files.map(read)),
      };
      if (title.value.trim()) work.title = title.value.trim();
      if (source.files[0]) work.source = await read(source.files[0]);
      if (documents.files[0]) work.documents = await read(documents.files[0]);
      made((await create(work)).id);
    } catch (error) {
      errors.replaceChildren(problemBox(toProblem(error)));
    } finally {
      sending = false;
      draw();
    }
  }

  const form = el(
    "form",
    { class: "stack", "aria-labelledby": "new-title" },
    el("h2", { id: "new-title", tabindex: -1 }, "New evaluation"),
    el("div", { class: "drops" }, references.element, systems.element, source.element, documents.element),
    el(
      "div",
      { class: "controls" },
      labelled("Title (if you like)", title),
      labelled("Language of the translations", language),
      meant,
      suggestions,
    ),
    el(
      "fieldset",
      {},
      el("legend", {}, "Metrics"),
      metrics,
      el(
        "div",
        { class: "controls" },
        button(
          "All",
          () => {
            for (const metric of status.metrics) if (speaks(metric, lang() ?? "")) chosen.add(metric.name);
            drawMetrics();
          },
          { class: "small", "aria-label": "All metrics" },
        ),
        button(
          "None",
          () => {
            chosen.clear();
            drawMetrics();
          },
          { class: "small", "aria-label": "None of the metrics" },
        ),
      ),
    ),
    el("div", { class: "submit" }, submit, missing),
    errors,
    el(
      "p",
      { class: "muted" },
      `Limits: ${
        Object.entries(status.limits)
          .map(([name, value]) => limitText(name, value))
          .join("; ") || "none"
      }.`,
    ),
  );
  on(form, {
    submit: (event) => {
      event.preventDefault();
      void send();
    },
  });
  drawMetrics();
  return form;
}
