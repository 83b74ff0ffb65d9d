// @vitest-environment happy-dom
import { describe, expect, it, vi } from "vitest";
import type { Explanation, Link, Word } from "../data/explanation.ts";
import { causes } from "./causes.ts";
import { runningSums } from "./edit_path.ts";
import { renderExplanation } from "./index.ts";
import { wellFormed } from "./well_formed.ts";

const fixtures = Object.entries(
  import.meta.glob<Explanation>("./fixtures/*.json", { eager: true, import: "default" }),
).map(([path, explanation]) => [path.replace(/^.*\/|\.json$/g, ""), explanation] as const);

function fixture(name: string): Explanation {
  const found = fixtures.find(([other]) => other === name);
  if (found === undefined) throw new Error(name);
  return found[1];
}

function texts(root: ParentNode, selector: string): string[] {
  return [...root.querySelectorAll(selector)].map((element) => element.textContent ?? "");
}

function press(element: Element | null, key: string): void {
  element?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}

function word(form: string, at: number): Word {
  return { form, start: 2 * at, end: 2 * at + 1, weight: 1, lemma: null, tag: null };
}

function long(length: number): Explanation {
  const words = Array.from({ length }, (_, at) => word("w", at));
  const links = words.map((_, at): Link => ({
    layer: "a",
    kind: "exact",
    hypothesis: [at],
    reference: [length - 1 - at],
    similarity: 1,
    weight: 1,
    penalty: 0,
    stage: "",
    context: [],
    word_pairs: [],
    factors: {},
    block: 0,
  }));
  return { ...wellFormed({} as Explanation), metric: "long", hypothesis: words, reference: words, links };
}

describe("every explanation", () => {
  it.each(fixtures)("%s shows its metric, its score, its words, its features and its signature", (_, explanation) => {
    const root = renderExplanation(explanation);
    expect(root.querySelector("h4")?.textContent).toContain(explanation.metric);
    expect(root.querySelectorAll(".explain-word")).toHaveLength(
      explanation.hypothesis.length + explanation.reference.length,
    );
    for (const feature of explanation.features) expect(root.textContent).toContain(feature.description || feature.name);
    expect(root.querySelector(".explain-signature code")?.textContent).toBe(explanation.signature);
  });

  it.each(fixtures)("%s has no style attributes in its markup but those of bars and headings", (_, explanation) => {
    const styled = [...renderExplanation(explanation).querySelectorAll("[style]")];
    expect(styled.every((element) => /explain-(fill|zero|sides)/.test(element.className))).toBe(true);
  });

  it.each(fixtures)("%s can be walked from word to word with the arrow keys", (_, explanation) => {
    const root = renderExplanation(explanation);
    document.body.replaceChildren(root);
    const start = root.querySelector<SVGElement>('.explain-word[tabindex="0"]');
    if (explanation.reference.length + explanation.hypothesis.length === 0) return expect(start).toBeNull();
    start?.focus();
    for (const key of [
      "ArrowRight",
      "ArrowDown",
      "ArrowDown",
      "ArrowLeft",
      "ArrowUp",
      "ArrowUp",
      "End",
      "Home",
      "ArrowUp",
      "ArrowDown",
    ]) {
      press(document.activeElement, key);
      expect(root.querySelectorAll('.explain-drawing g[tabindex="0"]')).toHaveLength(1);
      expect(root.querySelector(".explain-details .explain-subject")).not.toBeNull();
    }
  });
});

describe("a link", () => {
  it("says its penalty and says in plain words which relations changed", () => {
    const root = renderExplanation(fixture("cobalt-paper"));
    document.body.replaceChildren(root);
    const voter = [...root.querySelectorAll<SVGElement>(".explain-link")].find((link) =>
      link.getAttribute("aria-label")?.startsWith("voter"),
    );
    voter?.focus();
    const details = root.querySelector(".explain-details")?.textContent;
    expect(root.querySelector(".explain-details")?.getAttribute("aria-live")).toBe("polite");
    expect(details).toContain("similarity 1.00 − penalty 0.43 = 0.57");
    expect(details).toContain("“voter” is no longer the owner of “cry” poss");
    expect(details).toContain("“of voter” now goes with “despair” prep_of");
  });

  it("differs from links of other kinds by its dashes, not by colour alone", () => {
    const root = renderExplanation(fixture("meteor"));
    const looks = [...root.querySelectorAll(".explain-link .explain-line")].map((line) =>
      line.getAttribute("stroke-dasharray"),
    );
    expect(new Set(looks).size).toBe(4); // exact, stem, synonym, paraphrase
    expect(texts(root, ".explain-legend li").slice(0, 4)).toEqual([
      "exact (5)",
      "paraphrase (1)",
      "synonym (1)",
      "stem (1)",
    ]);
  });

  it("shows the number of its block", () => {
    const labels = texts(renderExplanation(fixture("meteor")), ".explain-link .explain-label");
    expect(labels).toEqual(["#1", "#1", "#2", "#2", "#3", "#3", "#3", "#4"]);
  });

  it("between phrases shows their similarity, and the phrases their kind and weight", () => {
    const root = renderExplanation(fixture("pbe"));
    expect(texts(root, ".explain-link .explain-label")).toContain("#2 · 0.41");
    expect(texts(root, ".explain-phrase text")).toEqual([
      "NP 2",
      "VP 1",
      "NP 1",
      "NP 2",
      "NP 1",
      "NP 2",
      "VP 1",
      "NP 2",
    ]);
  });

  it("of phrases has words that name their phrase and its weight's factors", () => {
    const root = renderExplanation(fixture("pbe-tfidf"));
    document.body.replaceChildren(root);
    root.querySelector<SVGElement>(".explain-word")?.focus();
    expect(root.querySelector(".explain-details")?.textContent).toContain("in NP of weight 2.17 (tf.idf 2.17)");
  });

  it("of phrases has a table of the factors of their weights, which may be those of one side only", () => {
    const given = fixture("pbe-tfidf");
    expect(texts(renderExplanation(given), "caption")).toContain("Weights of phrases");
    const [first, ...others] = given.phrases;
    if (first === undefined) throw new Error("no phrases");
    const odd = { ...given, phrases: [{ ...first, factors: { words: 2 } }, ...others] };
    const table = [...renderExplanation(odd).querySelectorAll("table")].find(
      (one) => one.querySelector("caption")?.textContent === "Weights of phrases",
    );
    expect(texts(table ?? document, "th")).toEqual(["side", "phrase", "type", "words", "tf.idf", "weight"]);
    expect(texts(table?.querySelector("tbody tr") ?? document, "td").slice(3, 5)).toEqual(["2", ""]);
  });

  it("that is composed names its pieces", () => {
    const root = renderExplanation(fixture("celab"));
    document.body.replaceChildren(root);
    const composed = [...root.querySelectorAll<SVGElement>(".explain-link")].find((link) =>
      link.getAttribute("aria-label")?.includes("composed"),
    );
    composed?.focus();
    expect(root.querySelector(".explain-details")?.textContent).toContain("女儿 ↔ 闺女 (synonym)");
  });
});

describe("layers", () => {
  it("are tabs, one for each feature of TESLA-M, and arrow keys choose among them", () => {
    const root = renderExplanation(fixture("tesla-m"));
    document.body.replaceChildren(root);
    expect(texts(root, '[role="tab"]')).toEqual([
      "ms1 0.72",
      "ms2 0.15",
      "ms3 0.02",
      "pos1 0.63",
      "pos2 0.09",
      "pos3 0.01",
    ]);
    press(root.querySelector('[role="tab"]'), "ArrowRight");
    expect(texts(root, '[role="tab"][aria-selected="true"]')).toEqual(["ms2 0.15"]);
    expect(root.querySelector('[role="tabpanel"]')?.textContent).toContain("2-grams by lemma/synonym/tag");
    expect(document.activeElement?.textContent).toBe("ms2 0.15");
  });
});

describe("edits", () => {
  it("are listed in their order with what they add and the running sum, which ends in the best sequence's value", () => {
    const explanation = fixture("ppda-f");
    const rows = [...renderExplanation(explanation).querySelectorAll(".explain-edits tbody tr")];
    expect(rows).toHaveLength(explanation.edits.length);
    expect(texts(rows[0] ?? document, "td").slice(0, 5)).toEqual(["1", "word", "Scientists", "Scientists", "+0.0317"]);
    expect(runningSums(explanation.edits).at(-1)).toBeCloseTo(explanation.features[0]?.value ?? 0, 3);
  });

  it("draw jumps as numbered arcs and say where they land", () => {
    const root = renderExplanation(fixture("ppda-f"));
    expect(texts(root, ".explain-jump text")).toEqual(["1", "2", "3"]);
    expect(root.textContent).toContain("← 11 words to before “in”");
  });

  it("of an error rate are bad where they add something", () => {
    const root = renderExplanation(fixture("ter"));
    expect(root.querySelector("h4")?.textContent).toContain("lower is better");
    expect(root.querySelectorAll(".explain-edits .explain-bad")).toHaveLength(6);
    expect(root.querySelectorAll(".explain-edits .explain-good")).toHaveLength(0);
    expect(causes(wellFormed(fixture("ter")), false)).toEqual([
      {
        name: "3 changed words",
        items: ["arrested → the", "suspects → detained", "robbery. → suspect."],
        amount: "+37.5",
      },
      { name: "2 shifts", items: ["three", "police"], amount: "+25.0" },
      { name: "1 extra word", items: ["raid"], amount: "+12.5" },
    ]);
  });
});

describe("readings in other languages", () => {
  it("have a tab for each language with what it adds", () => {
    const root = renderExplanation(fixture("tesla"));
    expect(texts(root, '[aria-label="Pivot languages"] [role="tab"]')).toEqual([
      "through de −0.001",
      "through fr +0.059",
      "through es +0.049",
      "through cs −0.088",
    ]);
    expect(texts(root, ".explain-readings li b")).toContain("has given");
  });
});

describe("what cost most", () => {
  it("is missing and extra words and other contexts for Cobalt", () => {
    const found = causes(wellFormed(fixture("cobalt")), true);
    expect(found.map((cause) => cause.name)).toEqual(["Missing", "Extra", "Other context", "Only similar"]);
    expect(found[0]?.items.slice(0, 3)).toEqual(["would", "line", "two"]);
    expect(found[2]?.items[0]).toContain("build −0.63");
  });

  it("is what edits cost together, the dearest first", () => {
    const names = causes(wellFormed(fixture("ppda-f")), true).map((cause) => cause.name);
    expect(names).toEqual(["6 missing words", "5 extra words", "3 jumps", "1 changed word"]);
  });

  it("is nothing if all features are perfect", () => {
    const given = wellFormed(fixture("tesla-m"));
    const features = given.features.map((one) => ({ ...one, value: 1 }));
    expect(causes({ ...given, features, links: [], leftovers: [] }, true)).toEqual([]);
  });

  it("is nothing for two empty sentences", () => {
    expect(causes(wellFormed(fixture("empty")), true)).toEqual([]);
  });
});

describe("numbers", () => {
  it("that round to nothing are not negative", () => {
    const features = [{ name: "f", description: "bits", value: 1, details: {}, contribution: -1e-9 }];
    const given = { ...fixture("tesla"), features, score: -1e-9 };
    const cells = texts(renderExplanation(given), ".explain-number");
    expect(cells).toContain("0.0000");
    expect(cells).not.toContain("−0.0000");
  });

  it("of readings are not shown where there are none", () => {
    const plain = { ...fixture("tesla"), pivot_phrases: [], pivot_matches: [] };
    expect(renderExplanation(plain).textContent).not.toContain("in common");
  });
});

describe("odd input", () => {
  it("shows markup and control characters as text", () => {
    const root = renderExplanation(fixture("hostile"));
    expect(root.querySelector("script, img, b > b")).toBeNull();
    expect(root.textContent).toContain("⟨U+202E⟩");
    expect(root.textContent).not.toContain("\u202e");
  });

  it.each([
    [{}],
    [{ links: null, hypothesis: "x", edits: [null, 3, {}] }],
    [{ links: [{}], features: [{}], phrases: [{}], leftovers: [{}] }],
    [{ features: [{ contribution: "b" }], pivot_phrases: [{}], pivot_matches: [{}], improbable_words: [{}] }],
  ])("is rendered somehow: %j", (odd) => {
    expect(renderExplanation(odd as unknown as Explanation).querySelector("h4")).not.toBeNull();
  });

  it("is not drawn if it is too large, and says so beside the text and the table", () => {
    const root = renderExplanation(long(1000));
    expect(root.querySelector(".explain-drawing")).toBeNull();
    expect(root.textContent).toContain("Too large to draw (1,000 words in the reference");
    expect(root.querySelector("details[open] table")?.querySelectorAll("tbody tr")).toHaveLength(200);
    root.querySelector<HTMLButtonElement>(".explain-scroll .explain-more")?.click();
    expect(root.querySelector("details[open] table")?.querySelectorAll("tbody tr")).toHaveLength(400);
  });

  it("is drawn up to 150 words a side", () => {
    expect(renderExplanation(long(150)).querySelectorAll(".explain-link")).toHaveLength(150);
  });
});

describe("the signature", () => {
  it("is copied", async () => {
    const writeText = vi.fn(() => Promise.resolve());
    vi.stubGlobal("navigator", { clipboard: { writeText } });
    const root = renderExplanation(fixture("cobalt"));
    root.querySelector<HTMLButtonElement>(".explain-signature button")?.click();
    await Promise.resolve();
    expect(writeText).toHaveBeenCalledWith(fixture("cobalt").signature);
    expect(root.querySelector(".explain-signature [role=status]")?.textContent).toBe(" copied");
    vi.unstubAllGlobals();
  });
});
