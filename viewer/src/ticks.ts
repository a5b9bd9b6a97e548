// Where the ticks of an axis stand, and what they say.

import {number, powerOfTen} from './format';

/** Round steps, about `wanted` of them. */
export function roundTicks(min: number, max: number, wanted: number): number[] {
  const span = max - min;
  if (!(span > 0) || !Number.isFinite(span)) return [min];
  const power = 10 ** Math.floor(Math.log10(span / wanted));
  const step = [1, 2, 5, 10].map((n) => n * power).find((size) => span / size <= wanted)!;
  const first = Math.ceil(min / step - 1e-9);
  const count = Math.floor((max + 1e-9 * span) / step - first) + 1;
  return Array.from({length: Math.min(Math.max(0, count), Math.ceil(wanted) + 2)}, (_, i) => (first + i) * step);
}

/** The whole decades around positive numbers. */
export function decades(min: number | null, max: number | null): [number, number] {
  if (!(min! > 0) || !(max! > 0)) return [1e-16, 1];
  const low = Math.floor(Math.log10(min!));
  const high = Math.max(low + 1, Math.ceil(Math.log10(max!)));
  return [10 ** low, 10 ** high];
}

/** At most six of them, evenly apart. */
export function powers(min: number, max: number): number[] {
  const [low, high] = [Math.round(Math.log10(min)), Math.round(Math.log10(max))];
  const step = Math.max(1, Math.ceil((high - low) / 6));
  const ticks: number[] = [];
  for (let power = high; power >= low; power -= step) ticks.unshift(10 ** power);
  return ticks;
}

export function wholePower(value: number | null): string {
  if (!(value! > 0)) return '';
  const power = Math.log10(value!);
  return Math.abs(power - Math.round(power)) < 1e-6 ? powerOfTen(value!) : '';
}

export function tick(value: number): string {
  if (value === 0) return '0';
  if (Math.abs(value) >= 1e5 || Math.abs(value) < 1e-3) return number(value, 2).replace(/\.0(?=\u202f)/, '');
  return String(Number(value.toPrecision(6))).replace('-', '−');
}
