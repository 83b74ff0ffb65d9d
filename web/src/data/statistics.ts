/** The few statistics that the views need; what a report states about systems comes from Python. */

/** Values that are numbers, in ascending order. */
export function sortedFinite(values: ArrayLike<number>): Float64Array {
  return Float64Array.from(values).filter(Number.isFinite).sort();
}

/** The numbers of several arrays, in ascending order. */
export function sortedTogether(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return sortedFinite(all);
}

/** Quantile of sorted values with linear interpolation (numpy's default). */
export function quantile(sorted: Float64Array, q: number): number {
  if (sorted.length === 0) return NaN;
  const position = q * (sorted.length - 1);
  const below = Math.floor(position);
  const low = sorted[below] ?? NaN;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] ?? NaN;
  return low + (high - low) * (position - below);
}

/** Share of values that an axis may leave out at either end, and how many of few. */
const LEFT_OUT = 0.02;
const FEW = 3;
/** An end that is not further away than this share of the rest stretches nothing. */
const NEAR = 0.25;

/**
 * Ends of an axis that few values cannot stretch: outside are those more than three quartile ranges beyond the quartiles
 * (what Tukey calls far out), at either end one in fifty at most, or three.
 */
export function robustEnds(sorted: Float64Array): [number, number] {
  const least = sorted[0];
  const most = sorted.at(-1);
  if (least === undefined || most === undefined) return [0, 1];
  const outside = Math.min(Math.floor(sorted.length / 10), Math.max(FEW, Math.floor(sorted.length * LEFT_OUT)));
  const [lower, upper] = [quantile(sorted, 0.25), quantile(sorted, 0.75)];
  const fence = 3 * (upper - lower);
  const below = sorted.filter((value) => value < lower - fence).length;
  const above = sorted.filter((value) => value > upper + fence).length;
  const low = sorted[Math.min(outside, below)] ?? least;
  const high = sorted[sorted.length - 1 - Math.min(outside, above)] ?? most;
  const near = (high - low) * NEAR;
  return [low - least <= near ? least : low, most - high <= near ? most : high];
}

export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] ?? 0;
  return values.length ? sum / values.length : NaN;
}

/** How often values fall into each of `bins` equal parts of [low, high]. */
export function histogram(values: ArrayLike<number>, low: number, high: number, bins: number): Uint32Array {
  const counts = new Uint32Array(bins);
  const scale = high > low ? bins / (high - low) : 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? NaN;
    if (!(value >= low && value <= high)) continue;
    const bin = Math.min(bins - 1, Math.floor((value - low) * scale));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}

/** Silverman's rule of thumb for the bandwidth of a density of sorted values. */
export function silverman(sorted: Float64Array): number {
  const middle = mean(sorted);
  const deviation = Math.sqrt(mean(sorted.map((value) => (value - middle) ** 2)));
  const spread = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 1.34;
  return 0.9 * Math.min(deviation, spread || deviation) * sorted.length ** -0.2;
}

/** Counts smoothed with a Gaussian of `radius` bins, so that the outline of a histogram reads as a density. */
export function smoothed(counts: ArrayLike<number>, radius: number): Float64Array {
  const width = Math.ceil(3 * radius);
  const result = new Float64Array(counts.length);
  for (let i = 0; i < counts.length; i++) {
    let sum = 0;
    let weights = 0;
    for (let j = Math.max(0, i - width); j <= Math.min(counts.length - 1, i + width); j++) {
      const weight = Math.exp(-((i - j) ** 2) / (2 * radius * radius));
      sum += weight * (counts[j] ?? 0);
      weights += weight;
    }
    result[i] = sum / weights;
  }
  return result;
}

export function pearson(x: ArrayLike<number>, y: ArrayLike<number>): number {
  const n = x.length;
  if (n < 2) return NaN;
  const mx = mean(x);
  const my = mean(y);
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let i = 0; i < n; i++) {
    const dx = (x[i] ?? 0) - mx;
    const dy = (y[i] ?? 0) - my;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : NaN;
}

function tiedPairs(sorted: ArrayLike<number>): number {
  let pairs = 0;
  for (let start = 0; start < sorted.length;) {
    let end = start + 1;
    while (end < sorted.length && sorted[end] === sorted[start]) end++;
    pairs += ((end - start) * (end - start - 1)) / 2;
    start = end;
  }
  return pairs;
}

/** Sorts values and gives how many neighbours had to change places (Knight's algorithm, 1966). */
function exchanges(values: Float64Array): number {
  const other = new Float64Array(values.length);
  let total = 0;
  for (let width = 1; width < values.length; width *= 2) {
    for (let start = 0; start < values.length; start += 2 * width) {
      const middle = Math.min(start + width, values.length);
      const end = Math.min(start + 2 * width, values.length);
      let left = start;
      let right = middle;
      for (let to = start; to < end; to++) {
        if (left < middle && (right >= end || (values[left] ?? 0) <= (values[right] ?? 0))) {
          other[to] = values[left++] ?? 0;
        } else {
          total += middle - left;
          other[to] = values[right++] ?? 0;
        }
      }
    }
    values.set(other);
  }
  return total;
}

/** Kendall's tau-b, in n log n. */
export function kendall(x: ArrayLike<number>, y: ArrayLike<number>): number {
  const n = x.length;
  if (n < 2) return NaN;
  const order = Uint32Array.from({ length: n }, (_, i) => i).sort(
    (a, b) => (x[a] ?? 0) - (x[b] ?? 0) || (y[a] ?? 0) - (y[b] ?? 0),
  );
  const xs = Float64Array.from(order, (i) => x[i] ?? 0);
  const ys = Float64Array.from(order, (i) => y[i] ?? 0);
  let joint = 0;
  for (let start = 0; start < n;) {
    let end = start + 1;
    while (end < n && xs[end] === xs[start] && ys[end] === ys[start]) end++;
    joint += ((end - start) * (end - start - 1)) / 2;
    start = end;
  }
  const pairs = (n * (n - 1)) / 2;
  const tiedX = tiedPairs(xs);
  const discordant = exchanges(ys);
  const tiedY = tiedPairs(ys);
  const denominator = Math.sqrt((pairs - tiedX) * (pairs - tiedY));
  return denominator > 0 ? (pairs - tiedX - tiedY + joint - 2 * discordant) / denominator : NaN;
}

/** Ranks from 0 to 1, ties share their mean rank; NaN stays NaN. 1 is the greatest value. */
export function relativeRanks(values: ArrayLike<number>): Float64Array {
  const ranks = new Float64Array(values.length).fill(NaN);
  const order = Uint32Array.from({ length: values.length }, (_, i) => i)
    .filter((i) => Number.isFinite(values[i]))
    .sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const last = Math.max(1, order.length - 1);
  for (let start = 0; start < order.length;) {
    let end = start + 1;
    while (end < order.length && values[order[end] ?? 0] === values[order[start] ?? 0]) end++;
    for (let i = start; i < end; i++) ranks[order[i] ?? 0] = (start + end - 1) / 2 / last;
    start = end;
  }
  return ranks;
}
