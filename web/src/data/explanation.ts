/**
 * Why a segment scored as it did: what `metaphrase.metrics.explanation.Explanation.to_dict()` writes.
 *
 * Names are those of Python, and the types are made of its annotations. A number that JSON cannot hold (NaN,
 * infinity) arrives as null, so every number may be null. Kinds, layers, stages and states are open sets: a
 * metric may bring its own.
 */

import type { SCHEMA } from "./explanation_schema.ts";

export type Num = number | null;
type Schema = typeof SCHEMA;
/** What the kind of a field stands for. */
type Value<Kind> = Kind extends `${infer One}[]`
  ? Value<One>[]
  : Kind extends `${infer One}?`
    ? Whole<Value<One>> | null
    : Kind extends keyof Schema
      ? { -readonly [Field in keyof Schema[Kind]]: Value<Schema[Kind][Field]> }
      : Kind extends keyof Simple
        ? Simple[Kind]
        : never;
/** What may be missing is missing whole. */
type Whole<One> = One extends string ? One : { [Field in keyof One]: NonNullable<One[Field]> };
interface Simple {
  text: string;
  number: Num;
  count: number;
  /** In the list of words of its side; -1 is none. */
  place: number;
  /** Before a word, or behind the last one. */
  gap: number;
  numbers: Record<string, Num>;
  yes: boolean;
  no: boolean;
}

export type Explanation = Value<"Explanation">;
export type Word = Value<"Word">;
export type Link = Value<"Link">;
export type ContextRelation = Value<"ContextRelation">;
export type Leftover = Value<"Leftover">;
export type Feature = Value<"Feature">;
export type Edit = Value<"Edit">;
export type Jump = Value<"Jump">;
export type Phrase = Value<"Phrase">;
export type PivotPhrase = Value<"PivotPhrase">;
export type PivotMatch = Value<"PivotMatch">;
export type Prediction = NonNullable<Explanation["prediction"]>;
export type Repair = Value<"Repair">;
export type Span = Value<"Span">;

/** An explanation that could not be made, with the code that the command line would give. */
export interface Failure {
  error: { code: string; message: string; hint?: string | null };
}

export function isFailure(answer: Explanation | Failure): answer is Failure {
  return "error" in answer;
}
