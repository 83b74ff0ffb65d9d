/** Names of systems that fit into a table and can still be told apart. */

const ELLIPSIS = "…";

/** Columns that a character takes: ideographs, syllables and emoji are twice as wide as letters. */
function columns(character: string): number {
  return (character.codePointAt(0) ?? 0) < 0x1100 ? 1 : 2;
}

export function nameWidth(name: string): number {
  let sum = 0;
  for (const character of name) sum += columns(character);
  return sum;
}

/** As many characters of the beginning, or from the end, as fit. */
function fitting(characters: readonly string[], most: number, fromEnd = false): string {
  const kept: string[] = [];
  let room = most;
  for (const character of fromEnd ? [...characters].reverse() : characters) {
    room -= columns(character);
    if (room < 0) break;
    kept.push(character);
  }
  return (fromEnd ? kept.reverse() : kept).join("");
}

function withoutMiddle(name: string, most: number): string {
  if (nameWidth(name) <= most) return name;
  const characters = [...name];
  const head = Math.ceil((most - 1) / 2);
  return fitting(characters, head) + ELLIPSIS + fitting(characters, most - 1 - head, true);
}

/** How many characters all names begin with. */
function sharedBeginning(names: readonly (readonly string[])[]): number {
  const [first = [], ...others] = names;
  let length = 0;
  while (length < first.length && others.every((name) => name[length] === first[length])) length += 1;
  return length;
}

/** Beginning and end of a name, and between them what stands where it first differs. */
function aroundDifference(name: readonly string[], differs: number, most: number): string {
  const part = Math.floor((most - 2) / 3);
  const tail = fitting(name, part, true);
  const middle = fitting(name.slice(Math.max(0, differs - 1)), most - 2 - 2 * part);
  return fitting(name, part) + ELLIPSIS + middle + ELLIPSIS + tail;
}

/**
 * Each name in at most about `most` columns. Long ones lose their middle; those that would then look alike show
 * where they differ; and if even that is not enough, they are numbered.
 */
export function shortNames(names: readonly string[], most: number): string[] {
  const shown = names.map((name) => withoutMiddle(name, most));
  for (const alike of groups(shown)) {
    const characters = alike.map((place) => [...(names[place] ?? "")]);
    const differs = sharedBeginning(characters);
    alike.forEach((place, i) => {
      shown[place] = aroundDifference(characters[i] ?? [], differs, most);
    });
  }
  for (const alike of groups(shown)) {
    for (const place of alike) shown[place] = `${place + 1}: ${withoutMiddle(names[place] ?? "", most - 4)}`;
  }
  return shown;
}

/** Places of texts that occur more than once. */
function groups(texts: readonly string[]): number[][] {
  const places = new Map<string, number[]>();
  texts.forEach((text, place) => places.set(text, [...(places.get(text) ?? []), place]));
  return [...places.values()].filter((same) => same.length > 1);
}
