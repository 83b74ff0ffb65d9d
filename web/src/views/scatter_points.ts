/** The points of a scatter plot: which they are, and which one is under the pointer. */

export interface Points {
  x: Float64Array;
  y: Float64Array;
  /** system × segments + segment; for a plot of two systems just the segment. */
  row: Uint32Array;
}

/** Pairs of values of which both are numbers, from `start` on. */
export function pairUp(x: Float64Array, y: Float64Array, first = 0, end = x.length): Points {
  const kept: number[] = [];
  for (let i = first; i < end; i++) if (Number.isFinite(x[i]) && Number.isFinite(y[i])) kept.push(i);
  return {
    x: Float64Array.from(kept, (i) => x[i] ?? 0),
    y: Float64Array.from(kept, (i) => y[i] ?? 0),
    row: Uint32Array.from(kept),
  };
}

/** Every k-th point, so that at most `most` remain. */
export function sample(points: Points, most: number): Points {
  const step = Math.ceil(points.x.length / most);
  if (step <= 1) return points;
  const every = (_: unknown, i: number) => i % step === 0;
  return { x: points.x.filter(every), y: points.y.filter(every), row: points.row.filter(every) };
}

const CELL = 12;

/** Finds the nearest of many points in pixels by looking only at cells around. */
export class Nearest {
  readonly #x: Float32Array;
  readonly #y: Float32Array;
  readonly #cells = new Map<number, number[]>();

  constructor(x: Float32Array, y: Float32Array) {
    this.#x = x;
    this.#y = y;
    for (let i = 0; i < x.length; i++) {
      const key = this.#key(Math.floor((x[i] ?? 0) / CELL), Math.floor((y[i] ?? 0) / CELL));
      const cell = this.#cells.get(key);
      if (cell) cell.push(i);
      else this.#cells.set(key, [i]);
    }
  }

  #key(column: number, row: number): number {
    return (row + 64) * 65536 + column + 64;
  }

  /** The point within a cell's width, or -1. */
  at(x: number, y: number): number {
    let best = -1;
    let least = CELL * CELL;
    const column = Math.floor(x / CELL);
    const row = Math.floor(y / CELL);
    for (let r = row - 1; r <= row + 1; r++) {
      for (let c = column - 1; c <= column + 1; c++) {
        for (const i of this.#cells.get(this.#key(c, r)) ?? []) {
          const distance = ((this.#x[i] ?? 0) - x) ** 2 + ((this.#y[i] ?? 0) - y) ** 2;
          if (distance < least) {
            least = distance;
            best = i;
          }
        }
      }
    }
    return best;
  }
}

/** The order of marks along one axis, for the arrow keys. */
export function along(values: ArrayLike<number>, other: ArrayLike<number>): Uint32Array {
  return Uint32Array.from({ length: values.length }, (_, i) => i).sort(
    (a, b) => (values[a] ?? 0) - (values[b] ?? 0) || (other[a] ?? 0) - (other[b] ?? 0) || a - b,
  );
}
