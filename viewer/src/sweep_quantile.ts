// Values below which a share of others lies.

/** In a rising list, by linear interpolation. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  if (!sorted.length) return NaN;
  const place = share * (sorted.length - 1);
  const i = Math.min(sorted.length - 2, Math.floor(place));
  return sorted.length === 1 ? sorted[0] : sorted[i] + (place - i) * (sorted[i + 1] - sorted[i]);
}
