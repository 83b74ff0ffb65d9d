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

/** The recommended metrics, in the order of the recommendation, and the others. */
export function byRecommendation({ metrics, defaults }: Pick<Status, "metrics" | "defaults">): {
  recommended: OfferedMetric[];
  others: OfferedMetric[];
} {
  const names = defaults?.metrics ?? [];
  return {
    recommended: names.flatMap((name) => metrics.find((metric) => metric.name === name) ?? []),
    others: metrics.filter((metric) => !names.includes(metric.name)),
  };
}

/** The names of the recommended metrics for a language. */
export function recommended(status: Status, lang: string): string[] {
  return byRecommendation(status).recommended.filter((metric) => speaks(metric, lang)).map(({ name }) => name);
}

/** The metrics, of which those that do not know the language cannot be chosen. */
export class MetricField {
  readonly element: HTMLElement;
  readonly #recommended: readonly OfferedMetric[];
  readonly #others: readonly OfferedMetric[];
  readonly #chosen: Set<string>;
  readonly #first = el("div", { class: "metric-choices" });
  readonly #rest = el("div", { class: "metric-choices" });
  readonly #summary = el("summary");
  readonly #changed: () => void;
  #lang = "";

  constructor(status: Status, changed: () => void) {
    const { recommended, others } = byRecommendation(status);
    this.#recommended = recommended;
    this.#others = others;
    this.#chosen = new Set(status.defaults?.metrics ?? []);
    this.#changed = changed;
    const all = () => {
      for (const metric of [...recommended, ...others]) if (speaks(metric, this.#lang)) this.#chosen.add(metric.name);
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
      recommended.length > 0 && el("p", { class: "muted" }, "Recommended"),
      this.#first,
      others.length > 0 && el("details", { open: recommended.length === 0 }, this.#summary, this.#rest),
      el(
        "div",
        { class: "controls" },
        button("All", redrawn(all), { class: "small", "aria-label": "All metrics" }),
        button("None", redrawn(() => this.#chosen.clear()), { class: "small", "aria-label": "None of the metrics" }),
      ),
    );
  }

  get wanted(): string[] {
    return this.#wantedOf([...this.#recommended, ...this.#others]);
  }

  #wantedOf(metrics: readonly OfferedMetric[]): string[] {
    return metrics.filter(({ name }) => this.#chosen.has(name)).flatMap((metric) => speaks(metric, this.#lang) ? metric.name : []);
  }

  draw(lang: string): void {
    this.#lang = lang;
    this.#first.replaceChildren(...this.#recommended.map((metric) => this.#choice(metric)));
    this.#rest.replaceChildren(...this.#others.map((metric) => this.#choice(metric)));
    this.#summarise();
  }

  #summarise(): void {
    const chosen = this.#wantedOf(this.#others).length;
    this.#summary.textContent = `${counted(this.#others.length, "further metric")}${chosen > 0 ? `, ${chosen} chosen` : ""}`;
  }

  #choice(metric: OfferedMetric): HTMLElement {
    const able = speaks(metric, this.#lang);
    const box = el("input", { type: "checkbox", id: unique("metric"), disabled: !able });
    box.checked = able && this.#chosen.has(metric.name);
    on(box, {
      change: () => {
        if (box.checked) this.#chosen.add(metric.name);
        else this.#chosen.delete(metric.name);
        this.#summarise();
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
