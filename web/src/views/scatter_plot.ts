/** A scatter plot on a canvas, for the pointer and for the keyboard. */

import { el, on } from "../base/dom.ts";
import { tickLabel, ticks } from "../base/numbers.ts";
import { scale } from "./interval_bar.ts";
import { along, Nearest, type Points } from "./scatter_points.ts";

export interface Plot {
  points: Points;
  xEnds: readonly [number, number];
  yEnds: readonly [number, number];
  xLabel: string;
  yLabel: string;
  /** Number of the colour of a point, from 0. */
  series: (place: number) => number;
  /** A line of equal values, where both axes measure the same. */
  diagonal: boolean;
  describe: (place: number) => string;
  open: (place: number) => void;
}

const MARGIN = { left: 52, right: 12, top: 10, bottom: 40 };

function widened([low, high]: readonly [number, number]): [number, number] {
  const pad = (high - low || Math.abs(high) || 1) * 0.02;
  return [low - pad, high + pad];
}

export class ScatterPlot {
  readonly element: HTMLElement;
  /** What the point under the pointer or the keyboard is. */
  readonly said = el("p", { class: "said", "aria-live": "polite" });
  readonly #points = el("canvas", { class: "points", "aria-hidden": "true" });
  readonly #ring = el("canvas", {
    class: "ring",
    tabindex: 0,
    role: "application",
    "aria-roledescription": "scatter plot",
  });
  #plot: Plot | null = null;
  #pixels: { x: Float32Array; y: Float32Array; nearest: Nearest } | null = null;
  #orders: { x: Uint32Array; y: Uint32Array } | null = null;
  #current = -1;

  constructor() {
    const frame = el("div", { class: "plot-frame" }, this.#points, this.#ring);
    this.element = frame;
    new ResizeObserver(() => this.#draw()).observe(frame);
    matchMedia("print").addEventListener("change", () => this.#draw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#draw());
    on(this.#ring, {
      pointermove: (event) => this.#select(this.#pixels?.nearest.at(event.offsetX, event.offsetY) ?? -1),
      pointerleave: () => this.#select(-1),
      click: (event) => {
        const place = this.#pixels?.nearest.at(event.offsetX, event.offsetY) ?? -1;
        if (place >= 0) this.#plot?.open(place);
      },
      keydown: (event) => this.#key(event),
    });
  }

  show(plot: Plot): void {
    this.#plot = plot;
    this.#orders = null;
    this.#current = -1;
    this.#ring.setAttribute(
      "aria-label",
      `${plot.yLabel} against ${plot.xLabel}, ${plot.points.x.length} points. Arrow keys go from point to point, Enter opens the segment.`,
    );
    this.#draw();
  }

  #key(event: KeyboardEvent): void {
    const plot = this.#plot;
    if (!plot || plot.points.x.length === 0) return;
    if (event.key === "Enter" && this.#current >= 0) return plot.open(this.#current);
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.#orders ??= { x: along(plot.points.x, plot.points.y), y: along(plot.points.y, plot.points.x) };
    const order = event.key === "ArrowRight" || event.key === "ArrowLeft" ? this.#orders.x : this.#orders.y;
    const stride = event.shiftKey ? Math.max(1, Math.round(order.length / 20)) : 1;
    const place = this.#current < 0 ? Math.floor(order.length / 2) : order.indexOf(this.#current) + step * stride;
    this.#select(order[Math.max(0, Math.min(order.length - 1, place))] ?? -1);
  }

  #select(place: number): void {
    if (place === this.#current) return;
    this.#current = place;
    this.said.textContent = place < 0 ? "" : (this.#plot?.describe(place) ?? "");
    this.#ring.classList.toggle("over", place >= 0);
    this.#drawRing();
  }

  #drawRing(): void {
    const context = this.#ring.getContext("2d");
    if (!context) return;
    context.clearRect(0, 0, this.#ring.width, this.#ring.height);
    const x = this.#pixels?.x[this.#current];
    const y = this.#pixels?.y[this.#current];
    if (x === undefined || y === undefined) return;
    context.beginPath();
    context.arc(x, y, 7, 0, 2 * Math.PI);
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
    const paper: Paper = {
      context,
      width,
      height,
      xEnds: [xLow, xHigh],
      yEnds: [yLow, yHigh],
      x: scale(xLow, xHigh, MARGIN.left, width - MARGIN.right),
      y: scale(yLow, yHigh, height - MARGIN.bottom, MARGIN.top),
      colour: (name) => style.getPropertyValue(name).trim(),
    };
    context.font = `12px ${paper.colour("--sans")}`;
    context.lineWidth = 1;
    drawMarks(paper);
    if (plot.diagonal) drawDiagonal(paper);
    drawLabels(paper, plot);
    const { x, y } = drawPoints(paper, plot);
    this.#pixels = { x, y, nearest: new Nearest(x, y) };
    this.#drawRing();
  }
}

/** What the parts of a plot are drawn on. */
interface Paper {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
  xEnds: readonly [number, number];
  yEnds: readonly [number, number];
  /** From scores to pixels. */
  x: (value: number) => number;
  y: (value: number) => number;
  /** A colour of the style sheet. */
  colour: (name: string) => string;
}

function line(context: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}

function drawMarks({ context, width, height, xEnds, yEnds, x, y, colour }: Paper): void {
  const xMarks = ticks(...xEnds, Math.max(2, Math.floor(width / 90)));
  const yMarks = ticks(...yEnds, Math.max(2, Math.floor(height / 60)));
  context.strokeStyle = colour("--line");
  context.fillStyle = colour("--muted");
  context.textAlign = "center";
  context.textBaseline = "top";
  for (const mark of xMarks) {
    line(context, x(mark), MARGIN.top, x(mark), height - MARGIN.bottom);
    context.fillText(tickLabel(mark, xMarks), x(mark), height - MARGIN.bottom + 5);
  }
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const mark of yMarks) {
    line(context, MARGIN.left, y(mark), width - MARGIN.right, y(mark));
    context.fillText(tickLabel(mark, yMarks), MARGIN.left - 6, y(mark));
  }
}

function drawDiagonal({ context, xEnds, yEnds, x, y, colour }: Paper): void {
  const low = Math.max(xEnds[0], yEnds[0]);
  const high = Math.min(xEnds[1], yEnds[1]);
  context.strokeStyle = colour("--strong-line");
  line(context, x(low), y(low), x(high), y(high));
}

function drawLabels({ context, width, height, colour }: Paper, plot: Plot): void {
  context.fillStyle = colour("--fg");
  context.textAlign = "center";
  context.textBaseline = "bottom";
  context.fillText(plot.xLabel, (MARGIN.left + width - MARGIN.right) / 2, height - 4, width - MARGIN.left);
  context.save();
  context.translate(4, (MARGIN.top + height - MARGIN.bottom) / 2);
  context.rotate(-Math.PI / 2);
  context.textBaseline = "top";
  context.fillText(plot.yLabel, 0, 0, height - MARGIN.bottom);
  context.restore();
}

/** Draws the points, and tells where they are; the more there are, the smaller and fainter. */
function drawPoints({ context, x, y, colour }: Paper, plot: Plot): { x: Float32Array; y: Float32Array } {
  const { points } = plot;
  const many = points.x.length;
  const size = many > 20_000 ? 2 : many > 2_000 ? 3 : 5;
  context.globalAlpha = many > 20_000 ? 0.35 : many > 2_000 ? 0.5 : 0.75;
  const palette = Array.from({ length: 10 }, (_, i) => colour(`--series-${i + 1}`));
  const xs = new Float32Array(many);
  const ys = new Float32Array(many);
  let last = -1;
  for (let i = 0; i < many; i++) {
    const px = x(points.x[i] ?? 0);
    const py = y(points.y[i] ?? 0);
    xs[i] = px;
    ys[i] = py;
    const series = plot.series(i) % 10;
    if (series !== last) {
      context.fillStyle = palette[series] ?? "";
      last = series;
    }
    if (size < 4) context.fillRect(px - size / 2, py - size / 2, size, size);
    else {
      context.beginPath();
      context.arc(px, py, size / 2, 0, 2 * Math.PI);
      context.fill();
    }
  }
  context.globalAlpha = 1;
  return { x: xs, y: ys };
}
