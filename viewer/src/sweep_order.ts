// Rows in an order of which any beginning shows the whole.

/** 0 .. n - 1 in steps of the golden section of n: each beginning is spread evenly. */
export function spreadOrder(n: number): Int32Array {
  const gcd = (a: number, b: number): number => (b ? gcd(b, a % b) : a);
  let step = Math.max(1, Math.round(n * 0.6180339887498949));
  while (n > 1 && gcd(step, n) !== 1) ++step;
  return Int32Array.from({length: n}, (_, i) => (i * step) % n);
}
