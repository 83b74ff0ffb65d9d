/** The colour and the mark of each system: seventy look different, and neighbours differ in both. */

const MARKS = ["disc", "square", "diamond", "plus", "cross", "ring", "frame"] as const;

export type Mark = (typeof MARKS)[number];

/** The marks of the first systems, one for each colour. Colours that share one are told apart by everybody. */
const FIRST = [0, 1, 2, 3, 4, 5, 6, 4, 0, 3];

/** `colour` is a property of the style sheet, `mark` a class in it. */
export function seriesLook(system: number): { colour: string; mark: Mark } {
  const colour = system % FIRST.length;
  const round = Math.floor(system / FIRST.length);
  return { colour: `--series-${colour + 1}`, mark: MARKS[((FIRST[colour] ?? 0) + round) % MARKS.length] ?? "disc" };
}

/** A mark about a point, `size` pixels wide. */
export function drawMark(context: CanvasRenderingContext2D, mark: Mark, x: number, y: number, size: number): void {
  const half = size / 2;
  const lines = (...ends: [number, number][]) => {
    for (const [dx, dy] of ends) {
      context.moveTo(x - dx, y - dy);
      context.lineTo(x + dx, y + dy);
    }
  };
  context.beginPath();
  context.lineWidth = size > 4 ? 1.8 : 1.4;
  if (mark === "disc" || mark === "ring") context.arc(x, y, mark === "disc" ? half : half - 0.4, 0, 2 * Math.PI);
  else if (mark === "square") context.rect(x - half * 0.9, y - half * 0.9, size * 0.9, size * 0.9);
  else if (mark === "frame") context.rect(x - half * 0.8, y - half * 0.8, size * 0.8, size * 0.8);
  else if (mark === "plus") lines([half * 1.15, 0], [0, half * 1.15]);
  else if (mark === "cross") lines([half * 0.9, half * 0.9], [half * 0.9, -half * 0.9]);
  else {
    context.moveTo(x, y - half * 1.25);
    for (const [dx, dy] of [[1, 0], [0, 1], [-1, 0]] as const) context.lineTo(x + dx * half * 1.25, y + dy * half * 1.25);
    context.closePath();
  }
  if (mark === "disc" || mark === "square" || mark === "diamond") context.fill();
  else context.stroke();
}
