/** The parts of a scatter plot, drawn on a canvas. */

import { tickLabel, ticks } from "../base/numbers.ts";
import { CELL_RADIUS, type Frame, type Marks, type Side, shades } from "./scatter_marks.ts";
import type { Points } from "./scatter_points.ts";
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

export const MARGIN = { left: 52, right: 14, top: 14, bottom: 42 };

/** What the parts of a plot are drawn on. */
export interface Paper {
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

export function drawGrid({ context, width, height, frame, xEnds, yEnds, x, y, colour }: Paper): void {
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

export function drawDiagonal({ context, xEnds, yEnds, x, y, colour }: Paper): void {
  const low = Math.max(xEnds[0], yEnds[0]);
  const high = Math.min(xEnds[1], yEnds[1]);
  context.strokeStyle = colour("--strong-line");
  line(context, x(low), y(low), x(high), y(high));
}

export function drawLabels({ context, width, height, colour }: Paper, plot: Plot): void {
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

export function traceHexagon(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  for (let corner = 0; corner < 6; corner++) {
    const angle = (Math.PI / 3) * (corner + 0.5);
    context.lineTo(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
  }
  context.closePath();
}

/** The least count of each shade, and the greatest of all. */
export interface Shaded {
  starts: readonly number[];
  most: number;
}

/** Draws the cells, if there are any, and tells how they are shaded. */
export function drawCells({ context, colour }: Paper, { x, y, places, cells }: Marks): Shaded {
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
export function drawPoints({ context, colour }: Paper, plot: Plot, { x, y, places, cells, sides }: Marks): void {
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
