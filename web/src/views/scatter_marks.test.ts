import { describe, expect, it } from "vitest";
import { CELL_RADIUS, hexagons, marksOf, shades } from "./scatter_marks.ts";
import { pairUp } from "./scatter_points.ts";
import { seriesLook } from "./series_marks.ts";

const FRAME = { left: 0, right: 100, top: 0, bottom: 100 };
const same = (value: number) => value;
const points = (...pairs: [number, number][]) =>
  pairUp(Float64Array.from(pairs, ([x]) => x), Float64Array.from(pairs, ([, y]) => y));

describe("marks", () => {
  it("are the points where they are few", () => {
    const { x, places, cells, sides } = marksOf(points([1, 2], [30, 40]), same, same, FRAME);
    expect([[...x], places, cells, sides.size]).toEqual([[1, 30], [[0], [1]], 0, 0]);
  });

  it("are cells where they are many, and every point is in one", () => {
    const many = points(...Array.from({ length: 500 }, (_, i): [number, number] => [(i * 37) % 100, (i * 53) % 100]));
    const { places, cells } = marksOf(many, same, same, FRAME, 400);
    expect(cells).toBe(places.length);
    expect(places.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 500 }, (_, i) => i));
  });

  it("of points beyond the frame are on its edge, and stand for all that lie together there", () => {
    const { x, y, places, sides } = marksOf(points([50, 50], [900, 40], [800, 41], [50, -7], [100, 0]), same, same, FRAME);
    expect(places).toEqual([[0], [4], [1, 2], [3]]);
    expect([x[2], y[3], sides.get(2), sides.get(3)]).toEqual([100, 0, 0, 3]);
  });

  it("that are cells hold what is nearest to their middle", () => {
    const x = Float32Array.from({ length: 300 }, (_, i) => (i * 7.3) % 61);
    const y = Float32Array.from({ length: 300 }, (_, i) => (i * 3.1) % 47);
    const cells = hexagons(x, y, [...x.keys()]);
    for (const cell of cells) {
      for (const place of cell.places) {
        const distance = (other: { x: number; y: number }) => Math.hypot(other.x - (x[place] ?? 0), other.y - (y[place] ?? 0));
        expect(distance(cell)).toBeLessThanOrEqual(CELL_RADIUS + 1e-3);
        expect(distance(cell)).toBeLessThanOrEqual(Math.min(...cells.map(distance)) + 1e-3);
      }
    }
  });
});

describe("shades", () => {
  it("begin with one and go in steps of the logarithm", () => {
    expect(shades(1_000_000)).toEqual([1, 10, 100, 1_000, 10_000, 100_000]);
    for (let most = 1; most < 2_000; most++) {
      const starts = shades(most);
      expect(starts.every((start, i) => i === 0 || start > (starts[i - 1] ?? 0))).toBe(true);
    }
  });

  it("are no more than there are counts", () => {
    expect(shades(1)).toEqual([1]);
    expect(shades(4)).toEqual([1, 2, 3, 4]);
  });
});

describe("systems", () => {
  it("look different, seventy of them", () => {
    const looks = Array.from({ length: 70 }, (_, system) => Object.values(seriesLook(system)).join());
    expect(new Set(looks).size).toBe(70);
  });
});
