/** A scatter plot on a canvas, for the pointer and for the keyboard. */

import { button, el, on } from "../base/dom.ts";
import { count, counted, fixed } from "../base/numbers.ts";
import { scale } from "./interval_bar.ts";
import {
  drawCells,
  drawDiagonal,
  drawGrid,
  drawLabels,
  drawPoints,
  MARGIN,
  type Paper,
  type Plot,
  type Shaded,
  traceHexagon,
} from "./scatter_drawing.ts";
import { CELL_RADIUS, type Marks, marksOf } from "./scatter_marks.ts";
import { along, Nearest } from "./scatter_points.ts";

/** Points of a cell that are listed. */
const MOST_LISTED = 100;

function widened([low, high]: readonly [number, number]): [number, number] {
  const pad = (high - low || Math.abs(high) || 1) * 0.02;
  return [low - pad, high + pad];
}

export class ScatterPlot {
  readonly element: HTMLElement;
  /** What the mark under the pointer or the keyboard is. */
  readonly said = el("p", { class: "said", "aria-live": "polite" });
  /** Which shade stands for how many points, and what lies beyond the edges. */
  readonly key = el("div", { class: "plot-key" });
  /** The points of a cell that was pressed. */
  readonly listed = el("div", { class: "cell-list no-print" });
  readonly #points = el("canvas", { class: "points", "aria-hidden": "true" });
  readonly #ring = el("canvas", {
    class: "ring",
    tabindex: 0,
    role: "application",
    "aria-roledescription": "scatter plot",
  });
  #plot: Plot | null = null;
  #marks: (Marks & { nearest: Nearest }) | null = null;
  #orders: { x: Uint32Array; y: Uint32Array } | null = null;
  #current = -1;

  constructor() {
    const frame = el("div", { class: "plot-frame" }, this.#points, this.#ring);
    this.element = frame;
    new ResizeObserver(() => this.#draw()).observe(frame);
    matchMedia("print").addEventListener("change", () => this.#draw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#draw());
    on(this.#ring, {
      pointermove: (event) => this.#select(this.#marks?.nearest.at(event.offsetX, event.offsetY) ?? -1),
      pointerleave: () => this.#select(-1),
      click: (event) => this.#press(this.#marks?.nearest.at(event.offsetX, event.offsetY) ?? -1, false),
      keydown: (event) => this.#key(event),
    });
  }

  show(plot: Plot): void {
    this.#plot = plot;
    this.listed.replaceChildren();
    this.#draw();
    const kind = this.#marks && this.#marks.cells > 0 ? "cell" : "point";
    this.#ring.setAttribute(
      "aria-label",
      `${plot.yLabel} against ${plot.xLabel}, ${counted(plot.points.x.length, "point")}. Arrow keys go from ${kind} to ${kind}, ` +
        (kind === "cell" ? "Enter lists the segments of a cell." : "Enter opens the segment."),
    );
  }

  /** Whether cells are drawn in place of points. */
  get dense(): boolean {
    return (this.#marks?.cells ?? 0) > 0;
  }

  #key(event: KeyboardEvent): void {
    const marks = this.#marks;
    if (!marks || marks.x.length === 0) return;
    if (event.key === "Enter") {
      event.preventDefault(); // or else it would press the first button of the list, too
      return this.#press(this.#current, true);
    }
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.#orders ??= { x: along(marks.x, marks.y), y: along(marks.y, marks.x) };
    const order = event.key === "ArrowRight" || event.key === "ArrowLeft" ? this.#orders.x : this.#orders.y;
    const stride = event.shiftKey ? Math.max(1, Math.round(order.length / 20)) : 1;
    const place = this.#current < 0 ? Math.floor(order.length / 2) : order.indexOf(this.#current) + step * stride;
    this.#select(order[Math.max(0, Math.min(order.length - 1, place))] ?? -1);
  }

  /** Opens the segment of a point, or lists those of a cell. */
  #press(mark: number, byKey: boolean): void {
    const plot = this.#plot;
    const places = this.#marks?.places[mark];
    if (!plot || !places) return;
    if (places.length === 1) return plot.open(places[0] ?? 0);
    const shown = places.slice(0, MOST_LISTED);
    const more = places.length - shown.length;
    this.listed.replaceChildren(
      el("p", { class: "strong" }, `${counted(places.length, "point")} here`),
      el(
        "ul",
        {},
        ...shown.map((place) => el("li", {}, button(plot.describe(place), () => plot.open(place), { class: "link" }))),
      ),
      ...(more > 0 ? [el("p", { class: "muted" }, `and ${count(more)} more`)] : []),
    );
    if (byKey) this.listed.querySelector("button")?.focus();
  }

  #select(mark: number): void {
    if (mark === this.#current) return;
    this.#current = mark;
    this.said.textContent = this.#describe(mark);
    this.#ring.classList.toggle("over", mark >= 0);
    this.#drawRing();
  }

  #describe(mark: number): string {
    const plot = this.#plot;
    const places = this.#marks?.places[mark];
    if (!plot || !places) return "";
    const outside = this.#marks?.sides.has(mark) ? " (beyond the edge)" : "";
    if (places.length === 1) return `${plot.describe(places[0] ?? 0)}${outside}`;
    const between = (label: string, values: Float64Array) => {
      const [low, high] = ends(places.map((place) => values[place] ?? 0)).map((value) => fixed(value, 4));
      return low === high ? `${label} ${low}` : `${label} ${low} to ${high}`;
    };
    return `${counted(places.length, "point")}: ${between(plot.xLabel, plot.points.x)}, ${between(plot.yLabel, plot.points.y)}${outside}`;
  }

  #drawRing(): void {
    const context = this.#ring.getContext("2d");
    if (!context) return;
    context.clearRect(0, 0, this.#ring.width, this.#ring.height);
    const x = this.#marks?.x[this.#current];
    const y = this.#marks?.y[this.#current];
    if (x === undefined || y === undefined) return;
    if (this.#current < (this.#marks?.cells ?? 0)) traceHexagon(context, x, y, CELL_RADIUS + 1);
    else {
      context.beginPath();
      context.arc(x, y, 8, 0, 2 * Math.PI);
    }
    context.strokeStyle = getComputedStyle(this.#ring).getPropertyValue("--fg");
    context.lineWidth = 2;
    context.stroke();
  }

  #draw(): void {
    const plot = this.#plot;
    const width = this.#points.parentElement?.clientWidth ?? 0;
    const height = this.#points.parentElement?.clientHeight ?? 0;
    const context = this.#points.getContext("2d");
    if (!plot || !context || width < MARGIN.left + 40 || height < 80) return;
    for (const canvas of [this.#points, this.#ring]) {
      canvas.width = Math.round(width * devicePixelRatio);
      canvas.height = Math.round(height * devicePixelRatio);
      canvas.getContext("2d")?.scale(devicePixelRatio, devicePixelRatio);
    }
    const style = getComputedStyle(this.#points);
    const [xLow, xHigh] = widened(plot.xEnds);
    const [yLow, yHigh] = widened(plot.yEnds);
    const frame = { left: MARGIN.left, right: width - MARGIN.right, top: MARGIN.top, bottom: height - MARGIN.bottom };
    const paper: Paper = {
      context,
      width,
      height,
      frame,
      xEnds: [xLow, xHigh],
      yEnds: [yLow, yHigh],
      x: scale(xLow, xHigh, frame.left, frame.right),
      y: scale(yLow, yHigh, frame.bottom, frame.top),
      colour: (name) => style.getPropertyValue(name).trim(),
    };
    context.font = `12px ${paper.colour("--sans")}`;
    context.lineWidth = 1;
    drawGrid(paper);
    const marks = marksOf(plot.points, paper.x, paper.y, frame);
    this.#marks = { ...marks, nearest: new Nearest(marks.x, marks.y) };
    this.#orders = null;
    this.#select(-1);
    const cells = drawCells(paper, marks);
    if (plot.diagonal) drawDiagonal(paper);
    drawPoints(paper, plot, marks);
    drawLabels(paper, plot);
    this.#drawRing();
    this.key.replaceChildren(...densityKey(cells), ...beyondKey(marks));
  }
}

/** Which shade stands for how many points. */
function densityKey({ starts, most }: Shaded): HTMLElement[] {
  if (starts.length === 0) return [];
  const range = (start: number, last: number) => (last > start ? `${count(start)}–${count(last)}` : count(start));
  return [
    el("p", {}, "Points in a cell"),
    el(
      "ul",
      { class: "legend shades" },
      ...starts.map((start, i) =>
        el(
          "li",
          { class: `shade-${i + 1}` },
          el("span", { class: "shade", "aria-hidden": "true" }),
          range(start, (starts[i + 1] ?? most + 1) - 1),
        ),
      ),
    ),
  ];
}

function beyondKey({ places, sides }: Marks): HTMLElement[] {
  const many = [...sides.keys()].reduce((sum, mark) => sum + (places[mark]?.length ?? 0), 0);
  return many > 0 ? [el("p", {}, `${count(many)} beyond the edge: see the arrowheads there`)] : [];
}

function ends(values: readonly number[]): [number, number] {
  return values.reduce<[number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity],
  );
}
