import { describe, expect, it } from "vitest";
import { inSight, type Scrolled } from "./view_links.ts";

const page: Scrolled = { tops: [100, 400, 900, 1500], line: 200, atStart: true, atEnd: false, asked: 0 };
const scrolled = (by: number, more: Partial<Scrolled> = {}) =>
  inSight({ ...page, tops: page.tops.map((top) => top - by), atStart: false, ...more });

describe("the view in sight", () => {
  it("is the first at the top of the page, however high the window is", () => {
    expect(inSight({ ...page, line: 500 })).toBe(0);
    expect(inSight({ ...page, atEnd: true })).toBe(0);
  });

  it("is the last whose title came up to the line", () => {
    expect(scrolled(150)).toBe(0);
    expect(scrolled(200)).toBe(1);
    expect(scrolled(720)).toBe(2);
    expect(scrolled(2000)).toBe(3);
  });

  it("is at the end of the page the one that was asked for, or else the last", () => {
    expect(scrolled(300, { atEnd: true, asked: 2 })).toBe(2);
    expect(scrolled(300, { atEnd: true, asked: 0 })).toBe(3);
  });
});
