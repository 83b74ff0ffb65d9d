/** What systems lose, by kind of error: `metaphrase.report.dataset.profiles` writes it, a block for each metric. */

export interface KindLoss {
  kind: string;
  /** For each segment, in the mean; negative where the metric would rather leave the errors as they are. */
  points: number;
  /** Ends of the bootstrap interval; null of few segments. */
  low: number | null;
  high: number | null;
  /** How many segments have any. */
  segments: number;
}

/** A repair that is needed again and again, and what all of it would gain in all segments together. */
export interface FrequentRepair {
  kind: string;
  before: string;
  after: string;
  count: number;
  points: number;
}

export interface SystemProfile {
  system: number;
  /** The mean of the segments that were looked at, and its interval. */
  score: number;
  low: number | null;
  high: number | null;
  /** The mean of all segments, where those are a sample and it is known. */
  scoreOfAll: number | null;
  lost: number;
  kinds: KindLoss[];
  frequent: FrequentRepair[];
}

/** Segments of a domain, of a document or of like length: points lost by system, and what most of them are lost by. */
export interface Group {
  by: "domain" | "document" | "length";
  name: string;
  segments: number;
  points: number[];
  mostly: string[];
}

export interface Profile {
  digits: number;
  segments: number;
  ofSegments: number;
  /** Why one of two systems scores higher. */
  paragraph: string | null;
  systems: SystemProfile[];
  groups: Group[];
  /** What short, medium and long are; null where there are too few segments. */
  lengths: string | null;
  /** Fewer points lost by the one than by the other. */
  difference: { better: number; worse: number; kinds: KindLoss[] } | null;
}

/** All kinds, those that cost most over all systems first. */
export function kindsOf(profile: Profile): string[] {
  const whole = new Map<string, number>();
  for (const { kinds } of profile.systems)
    for (const { kind, points } of kinds) whole.set(kind, (whole.get(kind) ?? 0) + points);
  return [...whole].sort(([, one], [, other]) => other - one).map(([kind]) => kind);
}

/** From the least to the greatest end of any interval, 0 within. */
export function endsOf(kinds: readonly KindLoss[]): [number, number] {
  const values = kinds.flatMap(({ points, low, high }) => [points, low ?? points, high ?? points]);
  return [Math.min(0, ...values), Math.max(0, ...values)];
}

/** The groups of one sort, of many those where most is lost. */
export function groupsBy(profile: Profile, by: Group["by"], most: number): Group[] {
  const found = profile.groups.filter((group) => group.by === by);
  if (found.length <= most) return found;
  const lost = ({ points }: Group) => points.reduce((sum, one) => sum + one, 0);
  return [...found].sort((one, other) => lost(other) - lost(one)).slice(0, most);
}
