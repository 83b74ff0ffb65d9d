// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import type { Overview } from "../data/overview.ts";
import type { Failure, Probe, SeenCell } from "../data/probe.ts";
import type { Source } from "../data/source.ts";
import { severitiesOf, showProbe } from "./probed_errors.ts";

const seen = (accuracy: number, ties = 0): SeenCell => ({ accuracy, ties, low: accuracy / 2, high: accuracy });

const PROBE: Probe = {
  items: 30,
  leftOut: 0,
  resamples: 1000,
  seed: 1,
  kinds: [
    { name: "numbers", severity: "critical", items: 10, cells: [seen(1), seen(0.5, 0.25)] },
    { name: "<b>names</b>", severity: "critical", items: 10, cells: [seen(1), seen(1)] },
    { name: "spelling", severity: "odd", items: 10, cells: [seen(0), seen(1)] },
  ],
  means: [
    { severity: "critical", kinds: 2, cells: [seen(1), seen(0.75)] },
    { severity: null, kinds: 3, cells: [seen(0.5), seen(0.8)] },
  ],
};
const FAILURES: Failure[] = [
  { kind: 0, metric: 1, id: "7", source: "", reference: "It is 9.", good: "It's 9.", bad: "It's 8.", scores: [50, 50] },
  { kind: 2, metric: 0, id: "", source: "", reference: "a", good: "a b", bad: "<i>a</i> c", scores: [0.25, 0.5] },
];

function source(probe: Probe, failures: Failure[], more: Partial<Overview> = {}): Source {
  const overview = {
    title: "What metrics do not see",
    lang: "en",
    metaphrase: "1",
    metrics: [
      { name: "x", signature: "x|1", higherIsBetter: true, digits: 4 },
      { name: "y", signature: "y|1", higherIsBetter: true, digits: 2 },
    ],
    probe,
    ...more,
  } as Overview;
  return {
    local: true,
    overview: () => Promise.resolve(overview),
    block: () => Promise.resolve(new TextEncoder().encode(JSON.stringify(failures)).buffer as ArrayBuffer),
    explanation: () => Promise.resolve(null),
  };
}

async function page(probe = PROBE, failures = FAILURES, more: Partial<Overview> = {}): Promise<HTMLElement> {
  const root = document.createElement("div");
  await showProbe(root, source(probe, failures, more));
  return root;
}

const texts = (root: ParentNode, selector: string) =>
  [...root.querySelectorAll(selector)].map((element) => element.textContent);

describe("a page of errors", () => {
  it("has kinds below their severities, with accuracy, interval and ties", async () => {
    const root = await page();
    expect(severitiesOf(PROBE.kinds)).toEqual(["critical", "odd"]);
    expect(texts(root, "tbody th")).toEqual(["critical mean of 2", "numbers", "<b>names</b>", "odd", "spelling"]);
    const [, numbers] = root.querySelectorAll("tbody tr");
    expect(texts(numbers ?? root, "td")).toEqual(["10", "100.050.0–100.0", "50.025.0–50.025.0 % ties"]);
    expect(texts(root, "tfoot th")).toEqual(["All, mean of 3"]);
  });

  it("shows what was not seen, with both scores in the metric's own decimals", async () => {
    const root = await page();
    expect(texts(root, "summary")).toEqual(["numbers critical 1 example", "spelling odd 1 example"]);
    expect(texts(root, ".failure > h3")).toEqual([
      "y↑, higher is better sees no difference · item 7",
      "x↑, higher is better prefers the bad one",
    ]);
    const [first] = root.querySelectorAll(".failure");
    expect(texts(first ?? root, ".given h3")).toEqual(["Reference", "Good: 50.00", "Bad: 50.00"]);
    expect(texts(first ?? root, "del")).toEqual(["9"]);
    expect(texts(first ?? root, "ins")).toEqual(["8"]);
    const link = root.querySelector("tbody a");
    expect(root.querySelector(link?.getAttribute("href") ?? "")?.tagName).toBe("DETAILS");
  });

  it("says what was left out, and has no empty parts", async () => {
    const root = await page({ ...PROBE, leftOut: 2 }, [], { warnings: ["odd"] });
    expect(texts(root, ".warnings li")).toEqual(["odd", "Without 2 items of which a metric refused a text."]);
    expect(texts(root, "h2")).toEqual(["How often an error is seen", "Signatures"]);
    expect(root.querySelectorAll("tbody a").length).toBe(0);
  });
});
