/** What a scatter plot draws: single points or, where they would run into a blot, cells that say how many there are. */

import type { Points } from "./scatter_points.ts";

/** More points than this are drawn as a density. */
export const MOST_POINTS = 5_000;
/** From the middle of a cell to its corners, in pixels. */
export const CELL_RADIUS = 6;

/** A side of the plot beyond which a point lies: how its mark is turned, in quarters from the right. */
export type Side = 0 | 1 | 2 | 3;

/** Where marks are, in pixels, and the places of the points that each stands for. */
export interface Marks {
  x: Float32Array;
  y: Float32Array;
  places: readonly (readonly number[])[];
  /** The first so many are cells. */
  cells: number;
  /** By mark, of points that lie beyond an edge and are drawn on it. */
  sides: ReadonlyMap<number, Side>;
}

export interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

type Scale = (value: number) => number;

/** Marks on an edge that are nearer to each other become one. */
const EDGE_STEP = 8;

/** Marks of the points inside the frame, as cells if there are more than `most`, and of those beyond it. */
export function marksOf(points: Points, x: Scale, y: Scale, frame: Frame, most = MOST_POINTS): Marks {
  const many = points.x.length;
  const xs = new Float32Array(many);
  const ys = new Float32Array(many);
  const inside: number[] = [];
  const edge = new Map<string, Cell & { side: Side }>();
  for (let i = 0; i < many; i++) {
    const [px, py] = [x(points.x[i] ?? 0), y(points.y[i] ?? 0)];
    xs[i] = px;
    ys[i] = py;
    const side = sideOf(px, py, frame);
    if (side === null) {
      inside.push(i);
      continue;
    }
    const stepped = (value: number, low: number, high: number) =>
      low + Math.round((Math.min(high, Math.max(low, value)) - low) / EDGE_STEP) * EDGE_STEP;
    const mark = {
      x: side === 0 ? frame.right : side === 2 ? frame.left : stepped(px, frame.left, frame.right),
      y: side === 1 ? frame.bottom : side === 3 ? frame.top : stepped(py, frame.top, frame.bottom),
      side,
    };
    const key = `${mark.x}/${mark.y}/${side}`;
    const known = edge.get(key);
    if (known) known.places.push(i);
    else edge.set(key, { ...mark, places: [i] });
  }
  const dense = many > most;
  const within = dense
    ? hexagons(xs, ys, inside)
    : inside.map((i) => ({ x: xs[i] ?? 0, y: ys[i] ?? 0, places: [i] }));
  const marks = [...within, ...edge.values()];
  return {
    x: Float32Array.from(marks, (mark) => mark.x),
    y: Float32Array.from(marks, (mark) => mark.y),
    places: marks.map((mark) => mark.places),
    cells: dense ? within.length : 0,
    sides: new Map([...edge.values()].map(({ side }, i) => [within.length + i, side])),
  };
}

/** The side beyond which a point lies; an axis that ends at a point has it inside. */
function sideOf(x: number, y: number, { left, right, top, bottom }: Frame): Side | null {
  const slack = 0.01;
  if (x > right + slack) return 0;
  if (y > bottom + slack) return 1;
  if (x < left - slack) return 2;
  return y < top - slack ? 3 : null;
}

interface Cell {
  x: number;
  y: number;
  places: number[];
}

/** Points by the nearest of the middles of hexagons that fill the plane, standing on a corner. */
export function hexagons(x: Float32Array, y: Float32Array, places: readonly number[]): Cell[] {
  const width = CELL_RADIUS * Math.sqrt(3);
  const height = CELL_RADIUS * 1.5;
  const cells = new Map<number, Cell>();
  for (const i of places) {
    const [px, py] = [x[i] ?? 0, y[i] ?? 0];
    // A hexagon's points are nearest to its middle: of the two rows around a point, one has it.
    const above = Math.floor(py / height);
    let best: [column: number, row: number, x: number, y: number] | undefined;
    let least = Infinity;
    for (const row of [above, above + 1]) {
      const shift = row % 2 === 0 ? 0 : width / 2;
      const column = Math.round((px - shift) / width);
      const [cx, cy] = [column * width + shift, row * height];
      const distance = (cx - px) ** 2 + (cy - py) ** 2;
      if (distance < least) {
        least = distance;
        best = [column, row, cx, cy];
      }
    }
    if (!best) continue;
    const key = best[1] * 65536 + best[0];
    const cell = cells.get(key);
    if (cell) cell.places.push(i);
    else cells.set(key, { x: best[2], y: best[3], places: [i] });
  }
  return [...cells.values()];
}

/** Shades that the style sheet has, from few to many. */
export const SHADES = 6;

/** The least count of each shade: equal steps of the logarithm from 1 to `most`, each shade its own whole numbers. */
export function shades(most: number): number[] {
  const starts = Array.from({ length: SHADES }, (_, i) => Math.round(most ** (i / SHADES)));
  return starts.map((start, i) => Math.max(start, i + 1)).filter((start) => start <= most);
}
