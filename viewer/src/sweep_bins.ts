// Classes of values: cells of the response surface, bars of the histogram.

import {Axis} from './sweep_axis';
import {SweepColumn} from './sweep_data';

/** Edges from the low end to the high end of an axis, as shares of it. */
export type Edges = number[];

const MOST_LEVELS = 256;

/** The values of a column, rising, if they are few. */
export function levelsOf({values}: SweepColumn): number[] | null {
  const found = new Set<number>();
  for (const value of values) {
    if (Number.isFinite(value)) found.add(value);
    if (found.size > MOST_LEVELS) return null;
  }
  return [...found].sort((a, b) => a - b);
}

/** Cells about levels, which end halfway between two. */
export function levelEdges(axis: Axis, levels: number[]): Edges {
  const shares = levels.map((level) => axis.share(level));
  const between = shares.slice(1).map((share, i) => (share + shares[i]) / 2);
  return [0, ...between, 1];
}

export function evenEdges(count: number): Edges {
  return Array.from({length: count + 1}, (_, i) => i / count);
}

/** The class in which a share lies; both ends belong to the classes beside them. */
export function classOf(edges: Edges, share: number): number {
  if (!(share >= 0 && share <= 1)) return -1;
  let [low, high] = [0, edges.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (share >= edges[middle]) low = middle;
    else high = middle;
  }
  return low;
}

/** Half a cell beyond the outer levels of a grid, as a share of their span. */
export function levelMargin(axis: Axis, levels: number[]): number {
  if (levels.length < 2) return 0;
  const shares = levels.map((level) => axis.share(level));
  return Math.min(0.5, Math.max(shares[1] - shares[0], shares[shares.length - 1] - shares[shares.length - 2]) / 2);
}
