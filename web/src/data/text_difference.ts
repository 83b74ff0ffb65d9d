/** Which words two texts have in common, in order: a longest common subsequence. */

/** Beyond this many pairs of words a page would stall, and a reader learns nothing from marks. */
const MOST_PAIRS = 1_000_000;

export interface Piece {
  text: string;
  /** Part of the common subsequence; white space belongs to neither. */
  common: boolean;
  space: boolean;
}

/** Words and the white space between them; characters for languages that are written without spaces. */
export function pieces(text: string, lang: string): string[] {
  return /^(zh|ja|th|lo|km|my)\b/.test(lang)
    ? (text.match(/\s+|[\p{Script=Latin}\p{N}]+|\P{M}\p{M}*|\p{M}+/gu) ?? [])
    : (text.match(/\s+|[\p{L}\p{M}\p{N}\u200c\u200d'’-]+|[^\s\p{L}\p{M}\p{N}]/gu) ?? []);
}

/**
 * Both texts in pieces, each marked as common or not. Null if they are too long for it. If `exact`, words that differ
 * in case differ, and so does white space where nothing else does.
 */
export function difference(first: string, second: string, lang: string, exact = false): [Piece[], Piece[]] | null {
  if (first.length + second.length > 40_000) return null;
  const left = pieces(first, lang);
  const right = pieces(second, lang);
  const a = wordIndices(left);
  const b = wordIndices(right);
  const fold = (text: string | undefined) => (exact ? (text ?? "") : (text ?? "").toLocaleLowerCase());
  const x = a.map((i) => fold(left[i]));
  const y = b.map((i) => fold(right[i]));
  if (x.length * y.length > MOST_PAIRS) return null;
  const width = y.length + 1;
  const longest = new Uint16Array((x.length + 1) * width);
  for (let i = x.length - 1; i >= 0; i--) {
    for (let j = y.length - 1; j >= 0; j--) {
      longest[i * width + j] =
        x[i] === y[j]
          ? 1 + (longest[(i + 1) * width + j + 1] ?? 0)
          : Math.max(longest[(i + 1) * width + j] ?? 0, longest[i * width + j + 1] ?? 0);
    }
  }
  const commonLeft = new Set<number>();
  const commonRight = new Set<number>();
  for (let i = 0, j = 0; i < x.length && j < y.length;) {
    if (x[i] === y[j]) {
      commonLeft.add(a[i++] ?? -1);
      commonRight.add(b[j++] ?? -1);
    } else if ((longest[(i + 1) * width + j] ?? 0) >= (longest[i * width + j + 1] ?? 0)) i++;
    else j++;
  }
  if (exact && commonLeft.size === a.length && commonRight.size === b.length) return otherSpaces(left, right);
  return [marked(left, commonLeft), marked(right, commonRight)];
}

/** Texts of the same words: the spaces between them that are not the same are marked. */
function otherSpaces(left: readonly string[], right: readonly string[]): [Piece[], Piece[]] {
  /** What stands before each word and at the end. */
  const gaps = (texts: readonly string[]) => {
    const all = [""];
    for (const text of texts) {
      if (isSpace(text)) all[all.length - 1] = text;
      else all.push("");
    }
    return all;
  };
  const [x, y] = [gaps(left), gaps(right)];
  const side = (texts: readonly string[]): Piece[] => {
    let gap = 0;
    return texts.map((text) => {
      if (!isSpace(text)) {
        gap += 1;
        return { text, common: true, space: false };
      }
      const same = x[gap] === y[gap];
      return { text, common: same, space: same };
    });
  };
  return [side(left), side(right)];
}

function isSpace(text: string): boolean {
  return text.trim() === "";
}

function wordIndices(texts: readonly string[]): number[] {
  return texts.flatMap((text, i) => (isSpace(text) ? [] : [i]));
}

/** Neighbours of one kind are one piece, with the spaces between them, so that a mark runs through. */
function marked(texts: readonly string[], common: ReadonlySet<number>): Piece[] {
  const result: Piece[] = [];
  let pending = "";
  texts.forEach((text, i) => {
    const last = result.at(-1);
    if (isSpace(text)) {
      pending += text;
      return;
    }
    const kind = common.has(i);
    if (last && !last.space && last.common === kind) last.text += pending + text;
    else {
      if (pending) result.push({ text: pending, common: false, space: true });
      result.push({ text, common: kind, space: false });
    }
    pending = "";
  });
  if (pending) result.push({ text: pending, common: false, space: true });
  return result;
}
