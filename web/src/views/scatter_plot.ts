/** A scatter plot on a canvas, for the pointer and for the keyboard. */

import { button, el, on } from "../base/dom.ts";
import { count, counted, fixed, tickLabel, ticks } from "../base/numbers.ts";
import { scale } from "./interval_bar.ts";
import { CELL_RADIUS, type Frame, type Marks, marksOf, type Side, shades } from "./scatter_marks.ts";
import { along, Nearest, type Points } from "./scatter_points.ts";
import { drawMark, seriesLook } from "./series_marks.ts";

export interface Plot {
  points: Points;
  xEnds: readonly [number, number];
  yEnds: readonly [number, number];
  xLabel: string;
  yLabel: string;
  /** Number of the look of a point, from 0. */
  series: (place: number) => number;
  /** A line of equal values, where both axes measure the same. */
  diagonal: boolean;
  describe: (place: number) => string;
  open: (place: number) => void;
}

const MARGIN = { left: 52, right: 14, top: 14, bottom: 42 };
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

/** What the parts of a plot are drawn on. */
interface Paper {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
  frame: Frame;
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

function drawGrid({ context, width, height, frame, xEnds, yEnds, x, y, colour }: Paper): void {
  const xMarks = ticks(...xEnds, Math.max(2, Math.floor(width / 90)));
  const yMarks = ticks(...yEnds, Math.max(2, Math.floor(height / 60)));
  context.strokeStyle = colour("--line");
  context.fillStyle = colour("--muted");
  context.textAlign = "center";
  context.textBaseline = "top";
  for (const mark of xMarks) {
    line(context, x(mark), frame.top, x(mark), frame.bottom);
    context.fillText(tickLabel(mark, xMarks), x(mark), frame.bottom + 7);
  }
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const mark of yMarks) {
    line(context, frame.left, y(mark), frame.right, y(mark));
    context.fillText(tickLabel(mark, yMarks), frame.left - 8, y(mark));
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

function traceHexagon(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  for (let corner = 0; corner < 6; corner++) {
    const angle = (Math.PI / 3) * (corner + 0.5);
    context.lineTo(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
  }
  context.closePath();
}

/** The least count of each shade, and the greatest of all. */
interface Shaded {
  starts: readonly number[];
  most: number;
}

/** Draws the cells, if there are any, and tells how they are shaded. */
function drawCells({ context, colour }: Paper, { x, y, places, cells }: Marks): Shaded {
  if (cells === 0) return { starts: [], most: 0 };
  const most = Math.max(...places.slice(0, cells).map((inside) => inside.length));
  const starts = shades(most);
  const palette = starts.map((_, i) => colour(`--density-${i + 1}`));
  for (let i = 0; i < cells; i++) {
    const many = places[i]?.length ?? 0;
    context.fillStyle = palette[starts.filter((start) => start <= many).length - 1] ?? "";
    traceHexagon(context, x[i] ?? 0, y[i] ?? 0, CELL_RADIUS);
    context.fill();
  }
  return { starts, most };
}

/** Draws single points, the smaller and fainter the more there are, and those beyond the edges. */
function drawPoints({ context, colour }: Paper, plot: Plot, { x, y, places, cells, sides }: Marks): void {
  const many = places.length - cells;
  const size = many > 2_000 ? 4 : many > 500 ? 5 : 7;
  for (let i = cells; i < places.length; i++) {
    const systems = new Set(places[i]?.map((place) => plot.series(place)));
    const look = seriesLook([...systems][0] ?? 0);
    const side = sides.get(i);
    context.globalAlpha = side !== undefined ? 1 : many > 2_000 ? 0.6 : 0.8;
    context.fillStyle = colour(cells > 0 || systems.size > 1 ? "--fg" : look.colour);
    context.strokeStyle = context.fillStyle;
    if (side === undefined) drawMark(context, look.mark, x[i] ?? 0, y[i] ?? 0, size);
    else drawArrowhead(context, x[i] ?? 0, y[i] ?? 0, side);
  }
  context.globalAlpha = 1;
}

/** On the edge, with its tip outwards. */
function drawArrowhead(context: CanvasRenderingContext2D, x: number, y: number, side: Side): void {
  context.save();
  context.translate(x, y);
  context.rotate((side * Math.PI) / 2);
  context.beginPath();
  context.moveTo(9, 0);
  context.lineTo(1, -5);
  context.lineTo(1, 5);
  context.closePath();
  context.fill();
  context.restore();
}
