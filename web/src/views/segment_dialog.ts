/** One segment: its texts side by side, and why a system got its score. */

import type { Dataset, Segment } from "../data/dataset.ts";
import { difference, type Piece } from "../data/text_difference.ts";
import { bdi, button, choice, el, labelled, on, problem } from "../base/dom.ts";
import { renderExplanation } from "../explain/index.ts";
import { isFailure } from "../data/explanation.ts";
import { count, fixed, score } from "../base/numbers.ts";
import type { Store } from "../state/state.ts";
import { visible } from "../base/text.ts";
import { longText } from "./long_text.ts";
import { arrow, systemName, systemOptions } from "./parts.ts";

/** Pieces of a text; those that the other text has not are marked. */
function withMarks(pieces: readonly Piece[], tag: "ins" | "del", lang: string): HTMLElement {
  return el(
    "p",
    { class: "passage", dir: "auto", lang: lang === "xx" ? null : lang },
    ...pieces.map((piece) => (piece.common || piece.space ? visible(piece.text) : el(tag, {}, visible(piece.text)))),
  );
}

export class SegmentDialog {
  readonly element = el("dialog", { class: "segment-dialog", "aria-labelledby": "segment-title" });
  readonly #data: Dataset;
  readonly #store: Store;
  readonly #texts = el("div", { class: "stack" });
  readonly #why = el("section", { class: "stack why", "aria-labelledby": "why-title", "aria-live": "off" });
  readonly #title = el("h2", { id: "segment-title", tabindex: -1, autofocus: true });
  readonly #metric: HTMLSelectElement;
  readonly #system: HTMLSelectElement;
  readonly #reference = el("div");
  #shown = -1;
  #current: Segment | null = null;

  constructor(data: Dataset, store: Store, step: (by: number) => void, closed: () => void) {
    this.#data = data;
    this.#store = store;
    const { metrics, systems } = data.overview;
    this.#metric = choice(
      metrics.map((metric, i) => [i, metric.name] as const),
      (value) => store.update({ explainMetric: Number(value) }),
    );
    this.#system = choice(
      systemOptions(systems),
      (value) => store.update({ explainSystem: Number(value) }),
    );
    this.element.append(
      el(
        "header",
        { class: "dialog-head" },
        this.#title,
        el(
          "div",
          { class: "dialog-buttons no-print" },
          button("‹ Previous", () => step(-1), {
            title: "Previous row of the list (k)",
            "aria-keyshortcuts": "k",
            "aria-label": "Previous row",
          }),
          button("Next ›", () => step(1), {
            title: "Next row of the list (j)",
            "aria-keyshortcuts": "j",
            "aria-label": "Next row",
          }),
          button("Close", () => this.element.close(), { title: "Close (Escape)" }),
        ),
      ),
      el(
        "div",
        { class: "dialog-body stack" },
        this.#texts,
        el("h3", { id: "why-title" }, "Why this score"),
        el("div", { class: "controls" }, labelled("Metric", this.#metric), labelled("System", this.#system)),
        this.#why,
      ),
    );
    on(this.element, {
      close: () => {
        store.update({ segment: -1 });
        closed();
      },
      keydown: (event) => {
        if (event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key === "j") step(1);
        else if (event.key === "k") step(-1);
      },
      click: (event) => {
        const { left, right, top, bottom } = this.element.getBoundingClientRect();
        const inside =
          event.clientX >= left && event.clientX <= right && event.clientY >= top && event.clientY <= bottom;
        if (event.target === this.element && !inside) this.element.close(); // on the backdrop
      },
    });
    store.watch(["segment"], () => void this.#draw());
    store.watch(["explainMetric", "explainSystem"], () => {
      if (store.state.segment >= 0 && store.state.segment === this.#shown) {
        this.#choose();
        void this.#explain();
      }
    });
  }

  /** After the element is in the page: shows the segment that the address names. */
  start(): void {
    if (this.#store.state.segment >= 0) void this.#draw();
  }

  async #draw(): Promise<void> {
    const { segment } = this.#store.state;
    this.#shown = segment;
    if (segment < 0) {
      if (this.element.open) this.element.close();
      return;
    }
    const { overview } = this.#data;
    if (!this.element.open) this.element.showModal();
    this.element.scrollTo(0, 0);
    this.#title.replaceChildren(
      `Segment ${count(segment + 1)}`,
      el("span", { class: "muted" }, ` of ${count(overview.segments)}`),
    );
    this.#why.replaceChildren();
    try {
      const [texts, documents, scores, human] = await Promise.all([
        this.#data.segment(segment),
        this.#data.documents(),
        this.#data.allScores(),
        overview.human?.segments ? this.#data.human() : null,
      ]);
      if (this.#shown !== segment) return;
      const document = overview.documents?.[documents[segment] ?? 0];
      if (document !== undefined) this.#title.append(el("span", { class: "muted" }, ", ", bdi(document)));
      this.#drawTexts(segment, texts, scores, human);
      await this.#explain();
    } catch (error) {
      if (this.#shown === segment) this.#texts.replaceChildren(problem(error));
    }
  }

  #drawTexts(segment: number, texts: Segment, scores: readonly Float64Array[], human: Float64Array | null): void {
    const { overview } = this.#data;
    const { lang, metrics, systems, segments } = overview;
    const reference = texts.references[0] ?? "";
    const rows = systems.map((name, system) => {
      const text = texts.hypotheses[system] ?? "";
      const compared = difference(text, reference, lang);
      const pick = on(
        el("input", {
          type: "radio",
          name: "explained-system",
          value: system,
          "aria-label": `Explain ${visible(name)}`,
        }),
        {
          change: () => this.#store.update({ explainSystem: system }),
        },
      );
      return el(
        "tr",
        { "data-system": system },
        el("td", { class: "pick no-print" }, metrics.some((metric) => metric.explains) && pick),
        el("th", { scope: "row" }, systemName(systems, system)),
        el("td", { class: "wide" }, compared ? withMarks(compared[0], "ins", lang) : longText(text, lang)),
        ...metrics.map((metric, i) =>
          el(
            "td",
            { class: "number", "data-metric": metric.name, "data-column": i },
            score(scores[i]?.[system * segments + segment], metric),
          ),
        ),
        human !== null &&
          el("td", { class: "number", "data-metric": "human" }, fixed(human[system * segments + segment], 3)),
      );
    });
    const labelledText = (label: string, content: HTMLElement) =>
      el("div", { class: "given" }, el("h3", {}, label), content);
    this.#current = texts;
    this.#texts.replaceChildren(
      ...(texts.source === null ? [] : [labelledText("Source", longText(texts.source, ""))]),
      ...texts.references.map((text, i) =>
        labelledText(
          texts.references.length > 1 ? `Reference ${i + 1}` : "Reference",
          i === 0 ? this.#reference : longText(text, lang),
        ),
      ),
      el(
        "p",
        { class: "muted key" },
        el("ins", {}, "marked"),
        " in a system: not in the reference. ",
        el("del", {}, "marked"),
        " in the reference: not in the chosen system.",
      ),
      el(
        "div",
        { class: "scrolling", role: "region", "aria-label": "Texts of the systems", tabindex: 0 },
        el(
          "table",
          { class: "texts", "aria-label": "Texts of the systems" },
          el(
            "thead",
            {},
            el(
              "tr",
              {},
              el("td", { class: "pick no-print" }),
              el("th", { scope: "col" }, "System"),
              el("th", { scope: "col" }, "Text"),
              ...metrics.map((metric, i) =>
                el("th", { scope: "col", class: "number", "data-column": i }, bdi(metric.name), " ", arrow(metric)),
              ),
              human !== null && el("th", { scope: "col", class: "number" }, "human"),
            ),
          ),
          el("tbody", {}, ...rows),
        ),
      ),
    );
    this.#choose();
  }

  /** Shows which system and metric are explained, and what of the reference that system misses. */
  #choose(): void {
    const { explainMetric, explainSystem } = this.#store.state;
    this.#metric.value = String(explainMetric);
    this.#system.value = String(explainSystem);
    for (const row of this.#texts.querySelectorAll("tr[data-system]")) {
      const chosen = row.getAttribute("data-system") === String(explainSystem);
      row.classList.toggle("chosen", chosen);
      const pick = row.querySelector("input");
      if (pick) pick.checked = chosen;
    }
    this.#showColumn(explainMetric);
    const { lang } = this.#data.overview;
    const reference = this.#current?.references[0] ?? "";
    const compared = difference(reference, this.#current?.hypotheses[explainSystem] ?? "", lang);
    this.#reference.replaceChildren(compared ? withMarks(compared[0], "del", lang) : longText(reference, lang));
  }

  /** Marks the scores of the explained metric, which stay in sight where not all metrics have room. */
  #showColumn(metric: number): void {
    for (const cell of this.#texts.querySelectorAll("[data-column]"))
      cell.classList.toggle("explained-metric", cell.getAttribute("data-column") === String(metric));
  }

  async #explain(): Promise<void> {
    const { segment, explainMetric, explainSystem } = this.#store.state;
    const { overview } = this.#data;
    const metric = overview.metrics[explainMetric];
    const still = () => {
      const now = this.#store.state;
      return now.segment === segment && now.explainMetric === explainMetric && now.explainSystem === explainSystem;
    };
    if (!metric) return;
    const say = (text: string) => this.#why.replaceChildren(el("p", { class: "muted" }, visible(text)));
    if (!metric.explains) return say(`${metric.name} does not explain its scores.`);
    if (overview.explained === "none") return say("This report was written without explanations (--explain none).");
    if (overview.explained === "live") say("Computing the explanation …");
    try {
      const answer = await this.#data.explanation(explainMetric, explainSystem, segment);
      if (!still()) return;
      if (answer === null)
        say(
          `No explanation of this score is in the report: it holds those of the most telling translations. To list them, close this and show “Explained by a metric”; a report written with --explain all has every one.`,
        );
      else if (isFailure(answer))
        this.#why.replaceChildren(
          el(
            "p",
            { class: "problem" },
            `${visible(answer.error.code)}: `,
            bdi([answer.error.message, answer.error.hint].filter(Boolean).join(" ")),
          ),
        );
      else this.#why.replaceChildren(renderExplanation(answer));
    } catch (error) {
      if (still()) this.#why.replaceChildren(problem(error));
    }
  }
}
