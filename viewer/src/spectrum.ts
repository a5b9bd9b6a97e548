// Amplitude spectrum of a record: resampled evenly, mean removed, Hann window, FFT.

const MOST_SAMPLES = 16384;
const LEAST_SAMPLES = 64;

/** In place; the length is a power of two. */
export function fft(re: Float64Array, im: Float64Array) {
  const n = re.length;
  for (let i = 1, j = 0; i < n; ++i) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
  for (let size = 2; size <= n; size *= 2) {
    const half = size / 2;
    for (let k = 0; k < half; ++k) {
      const [c, s] = [Math.cos((-2 * Math.PI * k) / size), Math.sin((-2 * Math.PI * k) / size)];
      for (let a = k; a < n; a += size) {
        const b = a + half;
        const [x, y] = [c * re[b] - s * im[b], s * re[b] + c * im[b]];
        re[b] = re[a] - x;
        im[b] = im[a] - y;
        re[a] += x;
        im[a] += y;
      }
    }
  }
}

/** On a straight line between records. */
function resampled(times: ArrayLike<number>, values: ArrayLike<number>, from: number, to: number, count: number): Float64Array {
  const even = new Float64Array(count);
  let index = 0;
  for (let i = 0; i < count; ++i) {
    const t = from + ((to - from) * i) / count;
    while (index + 2 < times.length && times[index + 1] <= t) ++index;
    const span = times[index + 1] - times[index];
    const share = span > 0 ? Math.min(1, Math.max(0, (t - times[index]) / span)) : 0;
    even[i] = values[index] + share * (values[index + 1] - values[index]);
  }
  return even;
}

export interface Spectrum {
  /** Hz. */
  frequency: number[];
  /** A sine of amplitude a stands as a peak of height a. */
  amplitude: number[];
}

/** Of the part of the record from one time to another. */
export function amplitudeSpectrum(times: ArrayLike<number>, values: ArrayLike<number>, from: number, to: number): Spectrum {
  let inside = 0;
  for (let i = 0; i < times.length; ++i) if (times[i] >= from && times[i] <= to) ++inside;
  if (inside < 4 || !(to > from)) return {frequency: [], amplitude: []};
  let count = LEAST_SAMPLES;
  while (count < inside && count < MOST_SAMPLES) count *= 2;
  const re = resampled(times, values, from, to, count);
  const im = new Float64Array(count);
  const mean = re.reduce((sum, x) => sum + x, 0) / count;
  for (let i = 0; i < count; ++i) re[i] = (re[i] - mean) * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / count));
  fft(re, im);
  // The window's mean is 1/2, and a sine has half its amplitude at either sign of the frequency.
  const shown = Math.min(count / 2, Math.ceil(inside / 2));
  const [frequency, amplitude]: [number[], number[]] = [[], []];
  for (let k = 1; k < shown; ++k) {
    frequency.push(k / (to - from));
    amplitude.push((4 / count) * Math.hypot(re[k], im[k]));
  }
  return {frequency, amplitude};
}
