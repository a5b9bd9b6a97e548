// Where the values of a column stand on an axis, and what is written beside it.

import {number, powerOfTen} from './format';
import {SweepColumn} from './sweep_data';

export interface Tick {
  value: number;
  text: string;
}

/** A span so much smaller than its values is written as differences from one of them. */
const DIFFERENCES_BELOW = 1e-5;

const signed = (text: string) => text.replace('-', '−');

/** 1, 2 or 5 times a power of ten, at least as large. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((digit) => digit * power >= least * (1 - 1e-9)) ?? 10);
}

function linearTicks(low: number, high: number, most: number, offset: number): Tick[] {
  const step = niceStep((high - low) / Math.max(1, most));
  const largest = Math.max(Math.abs(low - offset), Math.abs(high - offset));
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const plain = largest < 1e5 && step >= 1e-4;
  const ticks: Tick[] = [];
  for (let i = Math.ceil((low - offset) / step - 1e-6); i * step <= high - offset + 1e-6 * step; ++i) {
    const value = i * step;
    const digits = Math.max(1, Math.round(Math.log10(largest / step)) + 1);
    const text = i === 0 ? '0' : plain ? signed(value.toFixed(decimals)) : number(Number(value.toPrecision(12)), digits);
    ticks.push({value: offset + value, text});
  }
  return ticks;
}

function logTicks(low: number, high: number, most: number): Tick[] {
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const ticks: Tick[] = [];
  if (last - first >= 2) {
    const step = Math.max(1, Math.ceil((last - first) / Math.max(1, most)));
    for (let power = first; power <= last; power += step) ticks.push({value: 10 ** power, text: powerOfTen(10 ** power)});
    return ticks;
  }
  for (let power = first - 1; power <= last; ++power) {
    for (const digit of [1, 2, 5]) {
      const value = digit * 10 ** power;
      if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) ticks.push({value, text: signed(String(Number(value.toPrecision(2))))});
    }
  }
  return ticks.length > 1 ? ticks : linearTicks(low, high, most, 0);
}

export class Axis {
  readonly low: number;
  readonly high: number;
  /** Ticks are differences from it. */
  readonly offset: number;

  /** With a margin at both ends, a share of the span; of all values of the column, or of a span of them. */
  constructor(readonly column: SweepColumn, margin = 0, span: [number, number] = [column.low, column.high]) {
    let [low, high] = [this.place(span[0]), this.place(span[1])];
    if (column.category) [low, high] = [-0.5, column.labels.length - 0.5];
    else if (!(high > low)) {
      const half = 0.5 * Math.abs(low) || 0.5;
      [low, high] = [low - half, high + half];
    } else {
      const extra = margin * (high - low);
      [low, high] = [low - extra, high + extra];
    }
    this.low = low;
    this.high = high;
    const middle = (low + high) / 2;
    const close = !column.log && !column.category && high - low < DIFFERENCES_BELOW * Math.abs(middle);
    this.offset = close ? Number(middle.toPrecision(6)) : 0;
  }

  /** 0 at the low end of the axis, 1 at the high end. */
  share(value: number): number {
    return (this.place(value) - this.low) / (this.high - this.low);
  }
  value(share: number): number {
    const place = this.low + share * (this.high - this.low);
    return this.column.log ? 10 ** place : place;
  }
  ticks(most: number): Tick[] {
    const {column, low, high} = this;
    if (column.category) {
      const every = Math.max(1, Math.ceil(column.labels.length / Math.max(1, most)));
      return column.labels.map((_, value) => ({value, text: column.label(value)})).filter(({value}) => value % every === 0);
    }
    return column.log ? logTicks(10 ** low, 10 ** high, most) : linearTicks(low, high, most, this.offset);
  }
  title(name?: string): string {
    if (!this.offset) return this.column.titled(name);
    const away = `${this.offset < 0 ? ' + ' : ' − '}${number(Math.abs(this.offset), 6)}`;
    return this.column.titled((name ?? this.column.name) + away);
  }

  private place(value: number): number {
    return this.column.log ? Math.log10(value) : value;
  }
}

/** `crank.position.0 [m]` as a whole, without its unit, or with a line for its first part, by which names differ most. */
export function titleLines(title: string, fits: (text: string) => boolean): string[] {
  if (fits(title)) return [title];
  const unitAt = title.lastIndexOf(' [');
  const [name, unit] = unitAt < 0 ? [title, []] : [title.slice(0, unitAt), [title.slice(unitAt + 1)]];
  const dot = name.search(/\.[^\d\s]/);
  return fits(name) || dot < 0 ? [name, ...unit] : [name.slice(0, dot), name.slice(dot + 1), ...unit];
}
