/** What sentences are read as in other languages, what these readings share, and words that surprise a model. */

import { el } from "../base/dom.ts";
import type { Child } from "../base/dom.ts";
import type { Explanation, PivotMatch, PivotPhrase } from "../data/explanation.ts";
import { fixed } from "../base/numbers.ts";
import type { Fate } from "./layers.ts";
import { greatest, least, signed } from "./numbers.ts";
import { bar, table } from "./table.ts";
import { tabs } from "./tabs.ts";
import { SIDES, cut, phrase, wordsOf } from "./words.ts";

const CONTEXT = 3;

export function pivotView(explanation: Explanation): HTMLElement | null {
  const languages = new Set([...explanation.pivot_phrases, ...explanation.pivot_matches].map((one) => one.language));
  if (languages.size === 0) return null;
  const items = [...languages].map((language) => ({
    label: `through ${cut(language, 30)}`,
    ...added(explanation, language),
    panel: () => languageView(explanation, language),
  }));
  return section("Readings in other languages", tabs("Pivot languages", items));
}

/** What the language adds to the score, if the metric says so. */
function added(explanation: Explanation, language: string): { value?: string } {
  const adds = explanation.features.filter((one) => one.name.startsWith(`${language}.`)).map((one) => one.contribution);
  return adds.length === 0 ? {} : { value: signed(adds.reduce<number>((sum, one) => sum + (one ?? 0), 0), 3) };
}

function languageView(explanation: Explanation, language: string): HTMLElement {
  const matches = explanation.pivot_matches.filter((one) => one.language === language);
  const shared = new Set(matches.filter((one) => one.kind === "lemma" && common(one) > 0).map((one) => one.ngram));
  const rows = SIDES.flatMap((side) => {
    const phrases = explanation.pivot_phrases.filter((one) => one.language === language && one.side === side);
    return [
      el("dt", {}, side),
      el("dd", {}, el("ul", { class: "explain-readings" }, ...phrases.map((one) => reading(explanation, one, shared)))),
    ];
  });
  return el(
    "div",
    {},
    el("dl", { class: "explain-text" }, ...rows),
    el(
      "p",
      { class: "explain-hint" },
      "Each box is a phrase with its likeliest reading; open it for the others. " +
        "Solid: the other side has the same reading. Dashed: a part of it. Thick dashes: nothing of it.",
    ),
    ...[...new Set(matches.map((one) => one.kind))].map((kind) => matchTable(language, kind, matches)),
  );
}

/** A phrase of the sentence with its readings, likeliest first. */
function reading(explanation: Explanation, one: PivotPhrase, shared: ReadonlySet<string>): HTMLElement {
  const words = phrase(wordsOf(explanation, one.side), one.words, 60) || "?";
  const readings = Object.entries(one.readings);
  const [likeliest, ...others] = readings;
  const first =
    likeliest === undefined
      ? one.known
        ? "no reading"
        : "unknown, stands for itself"
      : `${cut(likeliest[0], 60)} ${fixed(likeliest[1], 2)}`;
  const fate: Fate =
    likeliest === undefined
      ? "ignored"
      : shared.has(likeliest[0])
        ? "matched"
        : readings.some(([text]) => text.split(" ").some((word) => shared.has(word)))
          ? "partly"
          : "lost";
  const summary = [el("b", { dir: "auto" }, words), el("span", { dir: "auto" }, `→ ${first}`)];
  const content: Child =
    others.length === 0
      ? el("div", { class: "explain-only" }, ...summary)
      : el(
          "details",
          {},
          el("summary", {}, ...summary),
          el(
            "ul",
            {},
            ...others.map(([text, value]) => el("li", { dir: "auto" }, `${cut(text, 60)} ${fixed(value, 2)}`)),
          ),
        );
  return el("li", { class: `explain-${fate}` }, content);
}

function common(match: PivotMatch): number {
  return Math.min(match.hypothesis ?? 0, match.reference ?? 0);
}

function matchTable(language: string, kind: string, matches: readonly PivotMatch[]): HTMLElement {
  const found = matches.filter((one) => one.kind === kind).sort((a, b) => common(b) - common(a));
  const largest = greatest(found.flatMap((one) => [one.reference, one.hypothesis]));
  const columns = [
    { title: "n-gram" },
    { title: "reference", number: true },
    { title: "hypothesis", number: true },
    { title: "in common", number: true },
    { title: "" },
  ];
  const rows = found.map((one): Child[] => [
    cut(one.ngram),
    fixed(one.reference, 2),
    fixed(one.hypothesis, 2),
    fixed(common(one), 2),
    bar(0, common(one), 0, largest, "explain-good"),
  ]);
  const caption = `N-grams of ${cut(language, 30)} in common, by ${cut(kind, 30)}`;
  return el(
    "details",
    { open: kind === "lemma" },
    el("summary", {}, `${caption} (${found.length})`),
    table(caption, columns, rows),
  );
}

/** Per language model the words that it expected least. */
export function improbableView(explanation: Explanation): HTMLElement | null {
  const models = [...new Set(explanation.improbable_words.map((one) => one.model))];
  if (models.length === 0) return null;
  const largest = -least(explanation.improbable_words.map((one) => one.log10));
  const columns = [
    { title: "word" },
    { title: "log₁₀ P", number: true },
    { title: "" },
    { title: "longest n-gram known", number: true },
  ];
  const panels = models.map((model) => ({
    label: cut(model, 40),
    panel: () => {
      const found = explanation.improbable_words.filter((one) => one.model === model);
      const rows = found.map((one): Child[] => [
        inContext(explanation, one.word),
        fixed(one.log10, 2),
        bar(0, -(one.log10 ?? 0), 0, largest, "explain-bad"),
        String(one.order || ""),
      ]);
      return table(`Words that the language model ${cut(model, 40)} expected least`, columns, rows);
    },
  }));
  return section("Improbable words", tabs("Language models", panels));
}

function inContext(explanation: Explanation, at: number): HTMLElement {
  const words = explanation.hypothesis;
  const place = at < 0 ? words.length : at;
  const before = Array.from({ length: Math.min(CONTEXT, place) }, (_, back) => place - Math.min(CONTEXT, place) + back);
  const form = at < 0 ? "end of the sentence" : phrase(words, [at], 60);
  const context = el("bdi", { class: "explain-dim" }, `${place > CONTEXT ? "… " : ""}${phrase(words, before, 60)}`);
  return el("span", {}, context, " ", el("b", {}, el("bdi", {}, form)));
}

function section(title: string, content: HTMLElement): HTMLElement {
  return el("section", {}, el("h5", {}, title), content);
}
