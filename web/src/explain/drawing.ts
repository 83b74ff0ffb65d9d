/** The drawing of two sentences: words as boxes, links as curves, phrases as frames, jumps as arcs. */

import { svg } from "../base/dom.ts";
import type { Edit, Explanation, Link } from "../data/explanation.ts";
import { fixed } from "../base/numbers.ts";
import { editName, pairText } from "./details.ts";
import { dashes, tones } from "./link_looks.ts";
import type { Tone } from "./link_looks.ts";
import { FATE_NAMES } from "./layers.ts";
import type { Fate, Layer } from "./layers.ts";
import { HEIGHT, gapBefore, lanes, layout, stretch, textWidth } from "./layout.ts";
import type { Box, Layout, Room, Stretch } from "./layout.ts";
import { clamp, greatest, least, short } from "./numbers.ts";
import { SIDES, cut } from "./words.ts";
import type { SideName } from "./words.ts";

/** What can be looked at: a word, a link of the layer, or the edit with a jump, by its number. */
export type Target =
  { type: "word"; side: SideName; at: number } | { type: "link"; at: number } | { type: "jump"; at: number };

export interface Drawn {
  root: SVGSVGElement;
  plan: Layout;
  /** Every target with its element. */
  targets: Map<string, { target: Target; element: SVGGElement }>;
}

const LANE = 6;
const MOST_LANES = 8;
const PHRASE_ROOM = { rows: 22, columns: 46 };
const ARC_ROOM = 46;

export function targetKey(target: Target): string {
  return target.type === "word" ? `${target.side}-${target.at}` : `${target.type}-${target.at}`;
}

/** A layer of an explanation in `available` pixels. */
export function draw(
  explanation: Explanation,
  layer: Layer,
  fates: Record<SideName, readonly Fate[]>,
  available: number,
): Drawn {
  const words = { reference: explanation.reference, hypothesis: explanation.hypothesis };
  const jumps = explanation.edits.filter((edit) => edit.jump !== null);
  const room = (orientation: "rows" | "columns"): Room => ({
    outside: {
      reference: outside(explanation, jumps, "reference", orientation),
      hypothesis: outside(explanation, jumps, "hypothesis", orientation),
    },
    inside: {
      reference: inside(explanation, layer, "reference"),
      hypothesis: inside(explanation, layer, "hypothesis"),
    },
  });
  let plan = layout(words, room("rows"), available);
  if (plan.orientation === "columns") plan = layout(words, room("columns"), available);
  const drawing = new Drawing(explanation, layer, plan);
  drawing.phrases();
  drawing.links();
  drawing.words(fates);
  drawing.jumps(jumps);
  return { root: drawing.root, plan, targets: drawing.targets };
}

/** The lane of each link's bar on one side, if it joins several words there; −1 if not. */
function barLanes(layer: Layer, side: SideName): number[] {
  const wide = layer.links.flatMap((link, at) => (link[side].length > 1 ? [at] : []));
  const taken = lanes(
    wide.map((at) => ends(layer.links[at]?.[side] ?? [])),
    MOST_LANES,
  );
  const result = new Array<number>(layer.links.length).fill(-1);
  wide.forEach((at, index) => (result[at] = taken[index] ?? 0));
  return result;
}

function ends(places: readonly number[]): Stretch {
  return { from: least(places, Infinity), to: greatest(places) + 1 };
}

function inside(explanation: Explanation, layer: Layer, side: SideName): number {
  return explanation.phrases.length > 0 ? 4 : 4 + LANE * (greatest(barLanes(layer, side), -1) + 1);
}

function outside(
  explanation: Explanation,
  jumps: readonly Edit[],
  side: SideName,
  orientation: "rows" | "columns",
): number {
  const framed = explanation.phrases.some((one) => one.side === side && one.words.length > 0);
  const jumping = jumps.some((edit) => edit.jump?.side === side);
  return (framed ? PHRASE_ROOM[orientation] : 0) + (jumping ? ARC_ROOM : 0);
}

class Drawing {
  readonly root: SVGSVGElement;
  readonly targets = new Map<string, { target: Target; element: SVGGElement }>();
  private readonly rows: boolean;

  constructor(
    private readonly explanation: Explanation,
    private readonly layer: Layer,
    private readonly plan: Layout,
  ) {
    this.rows = plan.orientation === "rows";
    const width = Math.ceil(plan.width);
    const height = Math.ceil(plan.height);
    this.root = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, class: `explain-${plan.orientation}` });
  }

  /** A point as `x y`. */
  private point(along: number, across: number): string {
    const [x, y] = this.rows ? [along, across] : [across, along];
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  }

  /** The attributes of a rectangle. */
  private rectangle(one: Stretch, across: number, to: number): Record<string, string> {
    const [low, high] = across < to ? [across, to] : [to, across];
    const [x, y, width, height] = this.rows
      ? [one.from, low, one.to - one.from, high - low]
      : [low, one.from, high - low, one.to - one.from];
    return { x: x.toFixed(1), y: y.toFixed(1), width: width.toFixed(1), height: height.toFixed(1) };
  }

  private text(
    along: number,
    across: number,
    content: string,
    attributes: Record<string, string> = {},
  ): SVGTextElement {
    const [x, y] = this.rows ? [along, across] : [across, along];
    return svg("text", { x: x.toFixed(1), y: (y + 4.5).toFixed(1), "text-anchor": "middle", ...attributes }, content);
  }

  /** The ground of a label, so that no line runs through it. */
  private plate(along: number, across: number, label: string): SVGRectElement {
    const [x, y] = this.rows ? [along, across] : [across, along];
    const width = plateWidth(label);
    return svg("rect", {
      x: (x - width / 2).toFixed(1),
      y: (y - 7).toFixed(1),
      width: width.toFixed(1),
      height: 14,
      class: "explain-plate",
    });
  }

  private add(target: Target, label: string, classes: string, ...children: SVGElement[]): void {
    const element = svg("g", { class: classes, role: "img", "aria-label": label, tabindex: -1 }, ...children);
    this.targets.set(targetKey(target), { target, element });
    this.root.append(element);
  }

  /** Outward from the words: −1 on the reference's side, 1 on the hypothesis's. */
  private outward(side: SideName): number {
    return side === "reference" ? -1 : 1;
  }

  words(fates: Record<SideName, readonly Fate[]>): void {
    for (const side of SIDES) {
      const { inner } = this.plan.edges[side];
      this.plan.boxes[side].forEach((box, at) => {
        const fate = fates[side][at] ?? "ignored";
        const size = this.rows ? HEIGHT : box.width;
        const outer = inner + this.outward(side) * size;
        const frame = svg("rect", { ...this.rectangle(box, inner, outer), rx: 4 });
        const form = this.text(middle(box), (inner + outer) / 2, box.text, {
          direction: "ltr",
          "unicode-bidi": "plaintext",
        });
        this.add(
          { type: "word", side, at },
          `${side} word ${at + 1}: ${box.text}, ${FATE_NAMES[fate]}`,
          `explain-word explain-${fate}`,
          frame,
          form,
        );
      });
    }
  }

  links(): void {
    const { links } = this.layer;
    const looks = tones(links.map((link) => link.kind));
    const heaviest = greatest(links.map((link) => link.weight));
    const brackets = { reference: this.brackets("reference"), hypothesis: this.brackets("hypothesis") };
    const labels = links.map((link) => this.linkLabel(link));
    // Labels stand below each other where words are narrower than they are.
    const rows = lanes(
      labels.map((label, at) => around(this.within(brackets.reference[at]?.along ?? 0, label), label)),
      MOST_LANES,
    );
    links.forEach((link, at) => {
      const tone = looks.get(link.kind) ?? 7;
      const ends = SIDES.flatMap((side) => brackets[side][at] ?? []);
      const [start, finish] = ends;
      if (start === undefined || finish === undefined) return;
      const width = heaviest > 0 ? 1.2 + (2.4 * clamp(link.weight, 0, heaviest)) / heaviest : 2;
      const half = (start.across + finish.across) / 2;
      const path =
        `M${this.point(start.along, start.across)}C${this.point(start.along, half)} ` +
        `${this.point(finish.along, half)} ${this.point(finish.along, finish.across)}`;
      const parts: SVGElement[] = [
        // A wider line that nobody sees is easier to point at.
        svg("path", { d: path, class: "explain-reach" }),
        svg("path", { d: path, class: "explain-line", "stroke-width": width.toFixed(1), ...dash(tone) }),
        ...ends.flatMap((end) => (end.bar === null ? [] : svg("path", { d: end.bar, class: "explain-bar" }))),
      ];
      const label = labels[at];
      if (label !== undefined && label !== "") {
        const near = start.across + (this.rows ? 15 + 13 * (rows[at] ?? 0) : 8 + label.length * 3.5);
        const along = this.within(start.along, label);
        parts.push(
          this.plate(along, near, label),
          this.text(along, near, label, { class: link.penalty ? "explain-cost" : "explain-label" }),
        );
      }
      const name = `${pairText(this.explanation, link)}: ${cut(link.kind)}`;
      this.add({ type: "link", at }, name, `explain-link explain-tone-${tone}`, ...parts);
    });
  }

  /** The place next to `along` where a label is not cut by the edge of the drawing. */
  private within(along: number, label: string): number {
    if (!this.rows) return along;
    const half = plateWidth(label) / 2;
    return clamp(along, half, Math.max(half, this.plan.width - half));
  }

  /** What a link shows without being asked: what it lost, how similar phrases are, its block. */
  private linkLabel(link: Link): string {
    const block = link.block > 0 ? `#${link.block}` : "";
    if (this.explanation.phrases.length > 0)
      return [block, link.similarity === null ? "" : fixed(link.similarity, 2)].filter(Boolean).join(" · ");
    return (link.penalty ?? 0) >= 0.05 ? `−${fixed(link.penalty, 2)}` : block;
  }

  /** Where links end on one side: at a word, or at a bar beside the words of a span. */
  private brackets(side: SideName): ({ along: number; across: number; bar: string | null } | null)[] {
    const { inner } = this.plan.edges[side];
    const inward = -this.outward(side);
    const stretches = this.layer.links.map((link) => stretch(this.plan.boxes[side], link[side]));
    const framed = this.explanation.phrases.length > 0;
    const lane = barLanes(this.layer, side);
    return stretches.map((one, at) => {
      if (one === null) return null;
      const own = lane[at] ?? -1;
      if (own < 0) return { along: middle(one), across: inner, bar: null };
      const across = inner + inward * (framed ? 3 : 4 + own * LANE);
      return {
        along: middle(one),
        across,
        bar: `M${this.point(one.from + 2, across)}L${this.point(one.to - 2, across)}`,
      };
    });
  }

  /** Frames of phrases, with their kind and weight outside. */
  phrases(): void {
    for (const side of SIDES) {
      const { inner, outer } = this.plan.edges[side];
      const outward = this.outward(side);
      for (const one of this.explanation.phrases) {
        const found = one.side === side ? stretch(this.plan.boxes[side], one.words) : null;
        if (found === null) continue;
        const around = { from: found.from - 3, to: found.to + 3 };
        const label = [cut(one.kind, 6), one.weight === null ? "" : short(one.weight)].filter(Boolean);
        const beyond = outer + outward * (this.rows ? 20 : 44);
        const frame = svg("rect", { ...this.rectangle(around, inner - outward * 3, beyond), rx: 6 });
        const wide = textWidth(label.join(" ")) * 0.8 < around.to - around.from;
        const texts = this.rows
          ? [
              this.text(middle(found), outer + outward * 11, wide ? label.join(" ") : (label[0] ?? ""), {
                class: "explain-label",
              }),
            ]
          : label.map((content, line) =>
              this.text(middle(found) + (line - (label.length - 1) / 2) * 12, outer + outward * 24, content, {
                class: "explain-label",
              }),
            );
        this.root.append(svg("g", { class: "explain-phrase", "aria-hidden": "true" }, frame, ...texts));
      }
    }
  }

  /** Arcs from gap to gap outside the words, numbered in their order. */
  jumps(jumps: readonly Edit[]): void {
    jumps.forEach((edit, at) => {
      const side = edit.jump?.side === "reference" ? "reference" : "hypothesis";
      const outward = this.outward(side);
      const moved = stretch(this.plan.boxes[side], edit.jump?.moved ?? []);
      const from = moved === null ? gapBefore(this.plan, side, edit.jump?.start ?? 0) : middle(moved);
      const to = gapBefore(this.plan, side, edit.jump?.target ?? 0);
      const apart = to >= from ? 2.5 : -2.5;
      const base = this.plan.edges[side].outer + outward * (this.rows ? 2 : 4);
      const rise = Math.min(16 + Math.abs(to - from) / 9, ARC_ROOM - 14) * (to >= from ? 0.8 : 1.15);
      const control = base + outward * rise * 1.3;
      const tip = base + outward * 7;
      const [start, end] = [from + apart, to - apart];
      const head = `M${this.point(end - 4, tip)}L${this.point(end + 4, tip)}L${this.point(end, base)}Z`;
      const path =
        `M${this.point(start, base)}C${this.point(start, control)} ` +
        `${this.point(end, control)} ${this.point(end, tip)}`;
      this.add(
        { type: "jump", at },
        `${editName(edit)} ${at + 1}`,
        "explain-jump",
        svg("path", { d: path, class: "explain-reach" }),
        svg("path", { d: path, class: "explain-line" }),
        svg("path", { d: head, class: "explain-head" }),
        this.text((from + to) / 2, base + outward * rise * 0.98, String(at + 1), { class: "explain-label" }),
      );
    });
  }
}

function plateWidth(label: string): number {
  return label.length * 6.6 + 4;
}

/** The stretch that a label in the middle of it takes. */
function around(along: number, label: string): Stretch {
  const half = label === "" ? 0 : label.length * 3.6;
  return { from: along - half, to: along + half };
}

function middle(one: Stretch | Box): number {
  return (one.from + one.to) / 2;
}

function dash(tone: Tone): Record<string, string> {
  const pattern = dashes(tone);
  return pattern === "" ? {} : { "stroke-dasharray": pattern };
}
