/** Where metrics are chosen: the recommended ones first, the others on demand. */

import { bdi, button, el, on, unique } from "../base/dom.ts";
import { counted } from "../base/numbers.ts";
import type { OfferedMetric, Status } from "./api.ts";

export function speaks(metric: OfferedMetric, lang: string): boolean {
  return (
    !metric.languages?.length ||
    metric.languages.includes(lang) ||
    metric.languages.includes("any") ||
    metric.languages.includes("*")
  );
}

/** Why it cannot run here in a language; null if it can. */
export function obstacle(metric: OfferedMetric, lang: string): string | null {
  if (!speaks(metric, lang)) return "not for this language";
  const primary = lang.split("-", 1)[0] ?? "";
  const lacks = metric.obstacles?.find(({ languages }) => languages.includes(lang) || languages.includes(primary));
  return lacks ? `cannot run here: ${lacks.message}` : null;
}

/** The recommended metrics, in the order of the recommendation, and the others; of unknown ones there are the names. */
export function byRecommendation({ metrics, defaults }: Pick<Status, "metrics" | "defaults">): {
  recommended: OfferedMetric[];
  others: OfferedMetric[];
} {
  const names = defaults?.metrics ?? [];
  if (!metrics) return { recommended: names.map((name) => ({ name })), others: [] };
  return {
    recommended: names.flatMap((name) => metrics.find((metric) => metric.name === name) ?? []),
    others: metrics.filter((metric) => !names.includes(metric.name)),
  };
}

/** The names of the recommended metrics that run in a language. */
export function recommended(status: Status, lang: string): string[] {
  return byRecommendation(status).recommended.filter((metric) => obstacle(metric, lang) === null).map(({ name }) => name);
}

/** The metrics, of which those that cannot run in the language cannot be chosen. */
export class MetricField {
  readonly element: HTMLElement;
  readonly #status: Status;
  readonly #chosen: Set<string>;
  readonly #first = el("div", { class: "metric-choices" });
  readonly #rest = el("div", { class: "metric-choices" });
  readonly #summary = el("summary");
  readonly #others: HTMLDetailsElement;
  readonly #waiting = el("p", { class: "muted", role: "status" }, "Finding out which metrics can run here …");
  readonly #changed: () => void;
  #lang = "";

  constructor(status: Status, changed: () => void) {
    this.#status = status;
    this.#chosen = new Set(status.defaults?.metrics ?? []);
    this.#changed = changed;
    this.#others = el("details", { open: this.#chosen.size === 0 }, this.#summary, this.#rest);
    const all = () => {
      for (const metric of this.#metrics) if (obstacle(metric, this.#lang) === null) this.#chosen.add(metric.name);
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
      this.#chosen.size > 0 && el("p", { class: "muted" }, "Recommended"),
      this.#first,
      this.#waiting,
      this.#others,
      el(
        "div",
        { class: "controls" },
        button("All", redrawn(all), { class: "small", "aria-label": "All metrics" }),
        button("None", redrawn(() => this.#chosen.clear()), { class: "small", "aria-label": "None of the metrics" }),
      ),
    );
  }

  get #metrics(): OfferedMetric[] {
    const { recommended, others } = byRecommendation(this.#status);
    return [...recommended, ...others];
  }

  get wanted(): string[] {
    return this.#wantedOf(this.#metrics);
  }

  #wantedOf(metrics: readonly OfferedMetric[]): string[] {
    const wanted = metrics.filter((metric) => this.#chosen.has(metric.name) && obstacle(metric, this.#lang) === null);
    return wanted.map(({ name }) => name);
  }

  /** In place of the metrics that did not come. */
  fail(problem: HTMLElement): void {
    this.#waiting.replaceWith(problem);
  }

  draw(lang: string): void {
    this.#lang = lang;
    const { recommended, others } = byRecommendation(this.#status);
    const focused = this.element.contains(document.activeElement) ? document.activeElement : null;
    this.#first.replaceChildren(...recommended.map((metric) => this.#choice(metric)));
    this.#rest.replaceChildren(...others.map((metric) => this.#choice(metric)));
    this.#waiting.hidden = this.#status.metrics !== undefined;
    this.#others.hidden = others.length === 0;
    this.#summarise();
    if (focused instanceof HTMLInputElement) {
      const boxes = [...this.element.querySelectorAll("input")];
      boxes.find((box) => box.value === focused.value)?.focus();
    }
  }

  #summarise(): void {
    const { others } = byRecommendation(this.#status);
    const chosen = this.#wantedOf(others).length;
    const lacking = others.filter((metric) => speaks(metric, this.#lang) && obstacle(metric, this.#lang) !== null).length;
    this.#summary.textContent = [
      counted(others.length, "further metric"),
      ...(lacking > 0 ? [`${lacking} of them ${lacking === 1 ? "lacks" : "lack"} something here`] : []),
      ...(chosen > 0 ? [`${chosen} chosen`] : []),
    ].join(", ");
  }

  #choice(metric: OfferedMetric): HTMLElement {
    const obstructed = obstacle(metric, this.#lang);
    const able = obstructed === null;
    const box = el("input", { type: "checkbox", id: unique("metric"), value: metric.name, disabled: !able });
    box.checked = able && this.#chosen.has(metric.name);
    on(box, {
      change: () => {
        if (box.checked) this.#chosen.add(metric.name);
        else this.#chosen.delete(metric.name);
        this.#summarise();
        this.#changed();
      },
    });
    const about = obstructed ?? metric.description;
    return el(
      "div",
      { class: able ? "metric-choice" : "metric-choice unable" },
      box,
      el(
        "label",
        { for: box.id },
        el("span", { class: "strong" }, bdi(metric.name)),
        about ? el("span", { class: "muted" }, bdi(about)) : null,
      ),
    );
  }
}
