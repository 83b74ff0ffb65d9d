/** What a report says about itself before any block is read: `metaphrase.report.dataset` writes it. */

import type { Probe } from "./probe.ts";

/** Points of the probability that raters prefer what scores higher; see `explain/raters.ts`. */
export interface Preferences {
  calibratedOn: string;
  segments: number;
  differences: number[];
  probabilities: number[];
}

export interface Metric {
  name: string;
  signature: string;
  /** What it measures, in one line. Results of earlier servers have none. */
  summary?: string;
  higherIsBetter: boolean;
  bounds: [number | null, number | null];
  explains: boolean;
  /** The share of people's judgements in its prediction intervals; null if it has none. */
  coverage?: number | null;
  /** Null if nobody has measured it; results of earlier servers have none. */
  preferences?: Preferences | null;
  /** Segments that it refused, which are in none of its scores; none if it is not there. */
  skipped?: number;
  /** Decimals of its scores, for the page; where Python does not say, `withDigits` sets it. */
  digits?: number;
}

export interface SystemRow {
  system: number;
  score: number | null;
  /** Ends of the bootstrap interval of the score. */
  low: number | null;
  high: number | null;
  /** Ends of the prediction interval: where people's judgement lies. */
  predicted?: [low: number, high: number] | null;
  /** From 1; systems of one cluster do not differ significantly. */
  cluster: number | null;
  rank: number;
  /** First and last place that tests of all pairs leave to it. Results of earlier servers have none. */
  best?: number | null;
  worst?: number | null;
}

export interface MetricTable {
  metric: number;
  /** Best first. */
  rows: SystemRow[];
  /** Systems × systems. */
  p: (number | null)[][];
  /** Systems × systems: how many segments differ. Results of earlier servers have none. */
  differing?: (number | null)[][];
  /** Systems × systems: why no p-value below the level was possible, in words. Results of earlier servers have none. */
  untestable?: (string | null)[][];
}

export interface Human {
  name: string;
  measure: string;
  system: (number | null)[];
  segments: boolean;
  agreement: { metric: number; segment: number | null; system: number | null }[];
}

/** Why a metric refused a segment; the first thousand are told. */
export interface Refusal {
  metric: number;
  segment: number;
  /** Null if all systems are concerned. */
  system: number | null;
  code: string;
  message: string;
}

export const SEVERITIES = ["critical", "major", "minor"] as const;
/** Worst first. */
export type Severity = (typeof SEVERITIES)[number];

/** A kind of finding: what checks found, how bad it is, what that means, and how often each system has it. */
export interface FindingKind {
  code: string;
  severity: Severity;
  description: string;
  counts: number[];
}

/** Where something is wrong, in code units; where something is missing the place is empty. */
export interface Place {
  side: "source" | "target";
  start: number;
  end: number;
}

/** One thing that is wrong with a translation, with its place if that is known. */
export interface Finding extends Partial<Place> {
  kind: number;
  message: string;
  expected?: string;
  found?: string;
  suggestion?: string;
  /** Where two versions are compared: only the later or only the earlier one has it. */
  change?: "new" | "gone";
}

/** Markup inside of a text, before the code unit at `position`: its kind, id, and how the file spells it. */
export type Tag = [position: number, kind: "open" | "close" | "standalone", id: string, markup: string];

export interface Overview {
  schema: 1;
  metaphrase: string;
  title: string;
  lang: string;
  segments: number;
  references: number;
  systems: string[];
  /** Which system scores higher, in words; null with one system. Results of earlier servers have none. */
  verdict?: string | null;
  metrics: Metric[];
  documents: string[] | null;
  /** Whether there are blocks with the scores of documents. Results of earlier servers have none. */
  documentScores?: boolean;
  /** Only where the segments have domains, whose scores are then there, too. */
  domains?: string[];
  table: MetricTable[];
  /** Of more than two systems, p-values are corrected for the number of pairs. */
  resampling: { test: string; resamples: number; seed: number; level: number; correction?: "holm" } | null;
  human: Human | null;
  chunk: number;
  explained: "all" | "some" | "none" | "live";
  /** What makes scores doubtful. Results of earlier servers have it among the notes. */
  warnings?: string[];
  notes: string[];
  /** Which segments metrics refused; only where some were. */
  refusals?: Refusal[];
  /** What checks found, the worst first; only where something was checked. */
  findings?: { checks: string[]; kinds: FindingKind[] };
  /** Two systems that are versions of one, and in words what changed; only where versions are compared. */
  changes?: { before: number; after: number; summary: string };
  /** Metrics with a block of what systems lose by kind of error; only where there is any. */
  profiles?: number[];
  /** Only where the page explains segments and shows nothing else: their numbers, null for a text that has none. */
  segmentNumbers?: (number | null)[];
  /** Whether such a page says of each segment which of two systems scores higher, and why. */
  compared?: boolean;
  /** Only where the page shows a challenge set and nothing else. */
  probe?: Probe;
}

/** An explanation that such a page shows: metric, system, segment and reference by their positions, and a caption. */
export type Shown = [metric: number, system: number, segment: number, reference: number, caption: string];

/** The texts of the segments of one chunk. */
export interface Texts {
  sources: string[] | null;
  /** By reference, then by row of the chunk. */
  references: string[][];
  /** By system, then by row of the chunk. */
  hypotheses: string[][];
  /** What localisation files call the segments. */
  units?: string[];
  /** The tags of those rows of the chunk that have any. */
  tags?: { sources: TagsByRow; references: TagsByRow[]; hypotheses: TagsByRow[] };
}

export type TagsByRow = Record<string, Tag[]>;
