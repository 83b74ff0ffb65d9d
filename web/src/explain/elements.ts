/** Elements of a page, built node by node: text is only ever text. */

const SVG = "http://www.w3.org/2000/svg";

export type Child = Node | string | null;
export type Attributes = Readonly<Record<string, string | number | boolean | null>>;

/** An HTML element; attributes that are null or false are left out, true is an empty attribute. */
export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

let identifiers = 0;

/** An id that no other element of the page has. */
export function uniqueId(stem: string): string {
  identifiers += 1;
  return `explain-${stem}-${identifiers}`;
}
