/** A text with everything that is known of its words: what differs, what checks found, and tags at their places. */

import { el } from "../base/dom.ts";
import { visible } from "../base/text.ts";
import type { Finding, FindingKind, Place, Tag } from "../data/overview.ts";
import type { Piece } from "../data/text_difference.ts";

type PlacedFinding = Finding & Place;

/** Those findings whose place is known to be in one of the two texts. */
export function placedIn(side: Place["side"], findings: readonly Finding[]): PlacedFinding[] {
  return findings.filter((one): one is PlacedFinding => one.side === side && one.start !== undefined);
}

export interface Notes {
  tags?: readonly Tag[];
  /** Those of this text. */
  findings?: readonly PlacedFinding[];
  kinds?: readonly FindingKind[];
  /** Tags that stand only in this text are marked as its other differences are. */
  otherTags?: readonly Tag[];
}

export function hasNotes({ tags, findings }: Notes): boolean {
  return (tags?.length ?? 0) > 0 || (findings?.length ?? 0) > 0;
}

/** How an element of markup is called where there is no room for it: by its id, or else by its name. */
function label([, kind, id, markup]: Tag): string {
  const name = id || /^<\/?\s*([\w:.-]{1,12})/.exec(markup)?.[1] || markup.slice(0, 12);
  if (kind === "open") return `<${name}>`;
  return kind === "close" ? `</${name}>` : `<${name}/>`;
}

/** A tag as a chip, which is not copied with the text. */
function chip(tag: Tag, finding: Finding | undefined, kinds: readonly FindingKind[], changed: boolean): HTMLElement {
  const [, kind, , markup] = tag;
  const severity = finding && kinds[finding.kind]?.severity;
  return el(
    "span",
    {
      class: ["tag", kind, severity, changed ? "changed" : null].filter(Boolean).join(" "),
      title: visible([markup, finding?.message].filter(Boolean).join("\n")),
    },
    el("bdi", { dir: "ltr" }, visible(label(tag))),
  );
}

/** The notes with all of their places in the text and none inside of a character. */
function within(text: string, notes: Notes): Notes {
  const inside = (place: number) => {
    const near = Math.max(0, Math.min(text.length, place));
    return /^[\udc00-\udfff]/.test(text.slice(near, near + 1)) ? Math.max(0, near - 1) : near;
  };
  return {
    ...notes,
    tags: (notes.tags ?? []).map(([position, ...rest]) => [inside(position), ...rest]),
    findings: (notes.findings ?? []).map((one) => ({ ...one, start: inside(one.start), end: inside(one.end) })),
  };
}

/** What of the text stands between two places at which something begins or ends. */
interface Stretch {
  start: number;
  end: number;
  differs: boolean;
  finding: Finding | undefined;
}

/** The worst of the findings that hold the place, since kinds are numbered from the worst on. */
function worst(findings: readonly PlacedFinding[]): PlacedFinding | undefined {
  return findings.reduce<PlacedFinding | undefined>((most, one) => (most && most.kind <= one.kind ? most : one), undefined);
}

function stretches(text: string, pieces: readonly Piece[], notes: Notes): Stretch[] {
  const cuts = new Set([0, text.length]);
  const differs: [number, number][] = [];
  let at = 0;
  for (const piece of pieces) {
    const end = at + piece.text.length;
    if (!piece.common && !piece.space) {
      differs.push([at, end]);
      cuts.add(at).add(end);
    }
    at = end;
  }
  for (const { start, end } of notes.findings ?? []) cuts.add(start).add(end);
  for (const [position] of notes.tags ?? []) cuts.add(position);
  const places = [...cuts].sort((a, b) => a - b);
  return places.slice(0, -1).map((start, i) => {
    const end = places[i + 1] ?? start;
    return {
      start,
      end,
      differs: differs.some(([from, to]) => from <= start && end <= to),
      finding: worst((notes.findings ?? []).filter((one) => one.start <= start && end <= one.end)),
    };
  });
}

/** What stands between the letters at a place: tags, and marks of what is missing there. */
function between(place: number, notes: Notes): Node[] {
  const kinds = notes.kinds ?? [];
  const here = (notes.findings ?? []).filter(({ start, end }) => start === end && start === place);
  const tags = (notes.tags ?? []).filter(([position]) => position === place);
  const ofTag = ([, , , markup]: Tag) =>
    here.find(({ expected, found }) => markup === found || markup === expected);
  const others = notes.otherTags?.map(([, , , markup]) => markup);
  const chips = tags.map((tag) => chip(tag, ofTag(tag), kinds, others !== undefined && !others.includes(tag[3])));
  const said = new Set(tags.map(ofTag));
  const missing = worst(here.filter((one) => !said.has(one)));
  return missing
    ? [
        ...chips,
        el("mark", { class: `missing ${kinds[missing.kind]?.severity ?? ""}`, title: visible(missing.message) }),
      ]
    : chips;
}

/** The children of a passage. `mark` is the element of words that differ. */
export function annotated(text: string, pieces: readonly Piece[], mark: "ins" | "del", given: Notes): (Node | string)[] {
  const result: (Node | string)[] = [];
  const notes = within(text, given);
  const kinds = notes.kinds ?? [];
  let open: { finding: Finding; element: HTMLElement } | null = null;
  for (const { start, end, differs, finding } of stretches(text, pieces, notes)) {
    const standing = between(start, notes);
    if (standing.length > 0 || open?.finding !== finding) open = null;
    result.push(...standing);
    if (finding && !open) {
      const severity = kinds[finding.kind]?.severity ?? "";
      open = { finding, element: el("mark", { class: `finding ${severity}`, title: visible(finding.message) }) };
      result.push(open.element);
    }
    const words = visible(text.slice(start, end));
    const node = differs ? el(mark, {}, words) : words;
    if (open) open.element.append(node);
    else result.push(node);
  }
  // Of an empty text there is no stretch, and at the end of any text something may be missing.
  result.push(...between(text.length, notes));
  return result;
}
