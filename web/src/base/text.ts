/** Other people's text, made safe to look at: nothing in it can hide, reorder or break the page. */

/**
 * Characters that have no shape of their own or that reorder what follows: controls (except tab and line
 * feed, which are shown as such), bidirectional marks, embeddings, overrides and isolates, invisible
 * operators, tags, lone surrogates, noncharacters at the ends of planes.
 */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0001}\u{e0020}-\u{e007f}]|[\ud800-\udfff]/gu;

/** The mark of a character that cannot be seen, for example ⟨U+202E⟩. */
export function mark(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return `⟨U+${point.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** The text with marks in the place of what cannot be seen. Joiners (U+200C, U+200D) shape words and emoji and stay. */
export function visible(text: string): string {
  return text.replace(HIDDEN, mark);
}

/** At most `most` code units of the text, never half of a character. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}

/** The text in parts of about `size` code units, cut at a space where there is one near the end. */
export function parts(text: string, size: number): string[] {
  const result: string[] = [];
  for (let from = 0; from < text.length;) {
    let part = cut(text.slice(from, from + size + 1), size);
    if (from + part.length < text.length) {
      const space = part.lastIndexOf(" ");
      if (space > size * 0.8) part = part.slice(0, space + 1);
    }
    result.push(part);
    from += part.length;
  }
  return result;
}
