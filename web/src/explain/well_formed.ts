/**
 * A well-formed explanation: every list is there, every position is that of a word, every number is finite.
 *
 * Explanations come from files and servers, of metrics that may not have been written when this was. They
 * pass here once, so that nothing behind has to doubt them.
 */

import type { Explanation, Num } from "../data/explanation.ts";
import { SCHEMA } from "../data/explanation_schema.ts";

type Raw = Readonly<Record<string, unknown>>;
/** How many words each side has. */
type Sizes = Readonly<Record<string, number>>;

export function wellFormed(given: unknown): Explanation {
  const raw = record(given);
  const sizes = { hypothesis: values(raw["hypothesis"]).length, reference: values(raw["reference"]).length };
  return checkedRecord("Explanation", raw, sizes) as unknown as Explanation;
}

function checkedRecord(name: keyof typeof SCHEMA, value: unknown, sizes: Sizes): Raw {
  const raw = record(value);
  const found: Record<string, unknown> = {};
  for (const [field, kind] of Object.entries<string>(SCHEMA[name])) {
    // Words are of the side that the field is called, else of that which the record names.
    const side = field in sizes ? field : raw["side"] === "reference" ? "reference" : "hypothesis";
    found[field] = checked(kind, raw[field], sizes[side] ?? 0, sizes);
  }
  if (name === "Span") found["end"] = Math.max(Number(found["start"]), Number(found["end"]));
  return found;
}

function checked(kind: string, value: unknown, size: number, sizes: Sizes): unknown {
  if (kind === "place[]") return values(value).filter((item) => isPlace(item, size));
  if (kind.endsWith("[]")) return values(value).map((item) => checked(kind.slice(0, -2), item, size, sizes));
  if (kind === "text?") return text(value) || null;
  if (kind.endsWith("?")) {
    const found = isRecord(value) ? checkedRecord(kind.slice(0, -1) as keyof typeof SCHEMA, value, sizes) : null;
    return found === null || Object.values(found).includes(null) ? null : found;
  }
  if (kind === "text") return text(value);
  if (kind === "number") return number(value);
  if (kind === "count") return count(value);
  if (kind === "place") return isPlace(value, size) ? value : -1;
  if (kind === "gap") return Math.min(count(value), size);
  if (kind === "yes") return value !== false;
  if (kind === "no") return value === true;
  if (kind === "numbers")
    return Object.fromEntries(Object.entries(record(value)).map(([name, item]) => [name, number(item)]));
  return checkedRecord(kind as keyof typeof SCHEMA, value, sizes);
}

function isRecord(value: unknown): value is Raw {
  return typeof value === "object" && value !== null;
}

function record(value: unknown): Raw {
  return isRecord(value) ? value : {};
}

function values(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

function number(value: unknown): Num {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function count(value: unknown): number {
  return Math.max(0, Math.trunc(number(value) ?? 0));
}

function isPlace(value: unknown, size: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < size;
}
