/** One segment: the chosen system's text and the reasons for its score, then what the others made of it. */

import type { Dataset } from "../data/dataset.ts";
import { bdi, button, choice, el, labelled, on, problem } from "../base/dom.ts";
import { renderContrast } from "../explain/contrast_view.ts";
import { renderExplanation } from "../explain/index.ts";
import { isFailure, type Explanation, type Failure } from "../data/explanation.ts";
import { count } from "../base/numbers.ts";
import type { Store } from "../state/state.ts";
import { cut, visible } from "../base/text.ts";
import { comparedText, marksKey, notedText, titledText } from "./compared_texts.ts";
import { openOnPaper } from "./drawing_time.ts";
import { chosenSystem, notesOf, otherSystems, type Translations } from "./system_texts.ts";
import { versionTexts } from "./version_texts.ts";
import { systemLabels, systemOptions } from "./system_names.ts";

/** Characters of a unit's id in the title. */
const UNIT = 80;
const NOT_EXPLAINED =
  "This report has no explanation of this score, only those of the most informative translations. To list them, " +
  "close this and show “Explained by a metric”. A report written with --explain all has every explanation.";

export class SegmentDialog {
  readonly element = el("dialog", { class: "segment-dialog", "aria-labelledby": "segment-title" });
  readonly #data: Dataset;
  readonly #store: Store;
  readonly #texts = el("div", { class: "stack" });
  readonly #why = el("section", { class: "stack why", "aria-labelledby": "why-title", "aria-live": "off" });
  readonly #title = el("h2", { id: "segment-title", tabindex: -1, autofocus: true });
  readonly #metric: HTMLSelectElement;
  readonly #system: HTMLSelectElement;
  readonly #versus: HTMLSelectElement;
  readonly #contrast = el("div", { class: "versus" });
  readonly #others = el("ul", { class: "others" });
  #shown = -1;
  #current: Translations | null = null;

  constructor(data: Dataset, store: Store, step: (by: number) => void, closed: () => void) {
    this.#data = data;
    this.#store = store;
    const { metrics, systems } = data.overview;
    this.#metric = choice(
      metrics.map((metric, i) => [i, metric.name] as const),
      (value) => store.update({ explainMetric: Number(value) }),
    );
    this.#system = choice(systemOptions(systems), (value) => store.update({ explainSystem: Number(value) }));
    const nobody: [number, string] = [-1, "no other system"];
    this.#versus = choice([nobody, ...systemOptions(systems)], (value) => store.update({ versus: Number(value) }));
    this.element.append(this.#head(step), this.#body());
    openOnPaper(this.element);
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
    store.watch(["explainMetric", "explainSystem", "versus"], () => {
      if (store.state.segment >= 0 && store.state.segment === this.#shown) {
        this.#choose();
        void this.#explain();
      }
    });
  }

  #head(step: (by: number) => void): HTMLElement {
    return el(
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
    );
  }

  #body(): HTMLElement {
    const several = this.#data.overview.systems.length > 1;
    return el(
      "div",
      { class: several ? "dialog-body with-others" : "dialog-body" },
      el(
        "div",
        { class: "stack" },
        this.#texts,
        el(
          "div",
          { class: "why-head" },
          el("h3", { id: "why-title" }, "Why this score"),
          el(
            "div",
            { class: "controls" },
            labelled("Metric", this.#metric),
            several && labelled("System", this.#system),
          ),
        ),
        this.#why,
        several &&
          el(
            "section",
            { class: "versus-part", "aria-labelledby": "versus-title" },
            el(
              "div",
              { class: "why-head" },
              el("h3", { id: "versus-title" }, "Why the scores differ"),
              el("div", { class: "controls" }, labelled("Against", this.#versus)),
            ),
            this.#contrast,
          ),
      ),
      several && el("aside", { "aria-labelledby": "others-title" }, el("h3", { id: "others-title" }, "Other systems"), this.#others),
    );
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
      const [texts, documents, scores, human, findings] = await Promise.all([
        this.#data.segment(segment),
        this.#data.documents(),
        this.#data.allScores(),
        overview.human?.segments ? this.#data.human() : null,
        this.#data.findings(segment),
      ]);
      if (this.#shown !== segment) return;
      const document = overview.documents?.[documents[segment] ?? 0];
      if (document !== undefined) this.#title.append(el("span", { class: "muted" }, ", ", bdi(document)));
      // Catalogues call a message by its own text, which stands below.
      if (texts.unit !== null && texts.unit !== texts.source)
        this.#title.append(el("code", { class: "muted unit" }, " ", bdi(cut(texts.unit, UNIT))));
      this.#current = { segment, texts, scores, human, findings };
      this.#choose();
      await this.#explain();
    } catch (error) {
      if (this.#shown === segment) this.#texts.replaceChildren(problem(error));
    }
  }

  /** Shows the texts with the chosen system's, and the others' beside them. */
  #choose(): void {
    const { explainMetric, explainSystem, versus } = this.#store.state;
    this.#metric.value = String(explainMetric);
    this.#system.value = String(explainSystem);
    this.#versus.value = String(versus);
    for (const option of this.#versus.options) option.disabled = option.value === String(explainSystem);
    const current = this.#current;
    if (!current) return;
    const { overview } = this.#data;
    const { source, references, hypotheses, tags } = current.texts;
    this.#texts.replaceChildren(
      ...(source === null
        ? []
        : [titledText("Source", notedText(source, "", notesOf(overview, current, explainSystem, "source")))]),
      // Not every segment has as many references as there are.
      ...references.flatMap((text, i) =>
        i > 0 && text === ""
          ? []
          : titledText(
              references.length > 1 ? `Reference ${i + 1}` : "Reference",
              i === 0
                ? comparedText(text, hypotheses[explainSystem] ?? "", "del", overview.lang, { tags: tags.references[i] ?? [] })
                : notedText(text, overview.lang, { tags: tags.references[i] ?? [] }),
            ),
      ),
      ...versionTexts(overview, current, explainSystem),
      chosenSystem(overview, current, explainSystem, explainMetric),
      el("div", {}, marksKey("a system", "the chosen system")),
    );
    this.#others.replaceChildren(
      ...otherSystems(overview, current, explainSystem, explainMetric, (system) => {
        this.#store.update({ explainSystem: system });
        this.element.scrollTo(0, 0);
        this.#title.focus();
      }),
    );
  }

  async #explain(): Promise<void> {
    const { segment, explainMetric, explainSystem, versus } = this.#store.state;
    const { overview } = this.#data;
    const metric = overview.metrics[explainMetric];
    const still = () => {
      const now = this.#store.state;
      return (
        now.segment === segment &&
        now.explainMetric === explainMetric &&
        now.explainSystem === explainSystem &&
        now.versus === versus
      );
    };
    this.#contrast.replaceChildren();
    if (!metric) return;
    const say = (text: string) => this.#why.replaceChildren(el("p", { class: "muted" }, visible(text)));
    if (!metric.explains) return say(`${metric.name} does not explain its scores.`);
    if (overview.explained === "none") return say("This report was written without explanations (--explain none).");
    if (overview.explained === "live") say("Computing the explanation …");
    try {
      const answer = await this.#data.explanation(explainMetric, explainSystem, segment);
      if (!still()) return;
      if (answer === null) return say(NOT_EXPLAINED);
      if (isFailure(answer)) return this.#why.replaceChildren(failure(answer));
      this.#why.replaceChildren(renderExplanation(answer));
      await this.#compare(answer, still);
    } catch (error) {
      if (still()) this.#why.replaceChildren(problem(error));
    }
  }

  /** Shows why the explained system scores higher or lower than the other one, if one is chosen. */
  async #compare(answer: Explanation, still: () => boolean): Promise<void> {
    const { segment, explainMetric, explainSystem, versus } = this.#store.state;
    const names = systemLabels(this.#data.overview.systems);
    const [name, otherName] = [names[explainSystem] ?? "", names[versus]];
    if (otherName === undefined) return;
    try {
      const other = await this.#data.explanation(explainMetric, versus, segment);
      if (!still()) return;
      this.#contrast.replaceChildren(
        other === null || isFailure(other)
          ? el("p", { class: "muted" }, "There is no explanation of ", bdi(otherName), " to compare with.")
          : renderContrast(answer, other, [name, otherName], this.#data.overview.metrics[explainMetric]?.preferences),
      );
    } catch (error) {
      if (still()) this.#contrast.replaceChildren(problem(error));
    }
  }
}

/** The error that came instead of an explanation. */
function failure({ error }: Failure): HTMLElement {
  return el(
    "p",
    { class: "problem" },
    `${visible(error.code)}: `,
    bdi([error.message, error.hint].filter(Boolean).join(" ")),
  );
}
