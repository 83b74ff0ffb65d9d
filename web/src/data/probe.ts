/** What metrics see of errors: `metaphrase.report.page.probed_errors` writes it. */

/** Shares of items: `accuracy` with the ends of its interval, and ties, which are not right. */
export interface SeenCell {
  accuracy: number;
  low: number;
  high: number;
  ties: number;
}

export interface ErrorKind {
  name: string;
  severity: string;
  items: number;
  /** By metric. */
  cells: SeenCell[];
}

/** Means over the kinds of a severity; null is all of them. */
export interface SeenMean {
  severity: string | null;
  kinds: number;
  cells: SeenCell[];
}

export interface Probe {
  items: number;
  /** Items of which a metric refused a text. */
  leftOut: number;
  resamples: number;
  seed: number;
  /** By severity, the worst first. */
  kinds: ErrorKind[];
  means: SeenMean[];
}

/** An item about which a metric is wrong, or in which it sees no difference. */
export interface Failure {
  kind: number;
  metric: number;
  id: string;
  source: string;
  reference: string;
  good: string;
  bad: string;
  scores: [good: number, bad: number];
}
