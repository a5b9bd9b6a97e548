// Where the values of a column stand on an axis, and what is written beside it.

import {number, powerOfTen} from './format';
import {SweepColumn} from './sweep_data';

export interface Tick {
  /** Of the axis, from its low end. */
  share: number;
  text: string;
}
/** A tick by its place: a difference, a value or its logarithm. */
interface Mark {
  place: number;
  text: string;
}

/** A span so much smaller than its values is written as differences from one of them. */
const DIFFERENCES_BELOW = 1e-5;
/** What is left out of a long number where there is no room for it. */
const FARTHER_DIGITS = /(?<=\.\d{2})\d+/;

const signed = (text: string) => text.replace('-', '−');

/** 1, 2 or 5 times a power of ten, at least as large. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((digit) => digit * power >= least * (1 - 1e-9)) ?? 10);
}

/** With as many digits as tell it from all others. */
function exactly(value: number): string {
  const [mantissa] = value.toExponential().split('e');
  return number(value, mantissa.replace(/\D/g, '').length);
}

function linearTicks(low: number, high: number, most: number): Mark[] {
  const step = niceStep((high - low) / Math.max(1, most));
  const largest = Math.max(Math.abs(low), Math.abs(high));
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const plain = largest < 1e5 && step >= 1e-4;
  const ticks: Mark[] = [];
  for (let i = Math.ceil(low / step - 1e-6); i * step <= high + 1e-6 * step; ++i) {
    const value = i * step;
    const digits = Math.max(1, Math.round(Math.log10(largest / step)) + 1);
    const text = i === 0 ? '0' : plain ? signed(value.toFixed(decimals)) : number(Number(value.toPrecision(12)), digits);
    ticks.push({place: value, text});
  }
  return ticks;
}

/** Between two logarithms. */
function logTicks(low: number, high: number, most: number): Mark[] {
  const [first, last] = [Math.ceil(low - 1e-9), Math.floor(high + 1e-9)];
  const ticks: Mark[] = [];
  if (last - first >= 2) {
    const step = Math.max(1, Math.ceil((last - first) / Math.max(1, most)));
    for (let power = first; power <= last; power += step) ticks.push({place: power, text: powerOfTen(10 ** power)});
    return ticks;
  }
  for (let power = first - 1; power <= last; ++power) {
    for (const digit of [1, 2, 5]) {
      const value = digit * 10 ** power;
      const place = Math.log10(value);
      if (place >= low - 1e-9 && place <= high + 1e-9) ticks.push({place, text: signed(String(Number(value.toPrecision(2))))});
    }
  }
  if (ticks.length > 1) return ticks;
  return linearTicks(10 ** low, 10 ** high, most).map(({place, text}) => ({place: Math.log10(place), text}));
}

export class Axis {
  /** A value from which all are written as differences, or 0. */
  private readonly offset: number;
  /** Places of both ends. */
  private readonly low: number;
  private readonly high: number;

  /** With a margin at both ends, a share of the span; of all values of the column, or of a span of them. */
  constructor(readonly column: SweepColumn, margin = 0, span: [number, number] = [column.low, column.high]) {
    const close = !column.log && !column.category && span[0] < span[1] && span[1] - span[0] < DIFFERENCES_BELOW * Math.abs(span[0]);
    this.offset = close ? span[0] : 0;
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
  }

  /** 0 at the low end of the axis, 1 at the high end. */
  share(value: number): number {
    return this.shareOf(this.place(value));
  }
  value(share: number): number {
    const place = this.low + share * (this.high - this.low);
    return this.column.log ? 10 ** place : this.offset + place;
  }
  ticks(most: number): Tick[] {
    const {column, low, high} = this;
    if (column.category) {
      const every = Math.max(1, Math.ceil(column.labels.length / Math.max(1, most)));
      return column.labels.map((_, i) => ({share: this.share(i), text: column.label(i)})).filter((_, i) => i % every === 0);
    }
    const marks = column.log ? logTicks(low, high, most) : linearTicks(low, high, most);
    return marks.map(({place, text}) => ({share: this.shareOf(place), text}));
  }
  /** `− 8.209244311456288` where ticks are differences from it, otherwise nothing. */
  get away(): string {
    return this.offset ? `${this.offset < 0 ? '+' : '−'} ${exactly(Math.abs(this.offset))}` : '';
  }
  /** With the first digits of a long number, if not all of them fit. */
  title(fits: (text: string) => boolean = () => true, name = this.column.name): string {
    const titled = (away: string) => this.column.titled([name, away].filter(Boolean).join(' '));
    const whole = titled(this.away);
    return fits(whole) ? whole : titled(this.away.replace(FARTHER_DIGITS, '…'));
  }

  private place(value: number): number {
    return this.column.log ? Math.log10(value) : value - this.offset;
  }
  private shareOf(place: number): number {
    return (place - this.low) / (this.high - this.low);
  }
}

/**
 * `crank.position.0 [m]` as a whole, without its unit, or with a line for its first part, by which names differ most; of differences
 * the name has one line, from what they are another.
 */
export function titleLines(title: string, fits: (text: string) => boolean): string[] {
  if (fits(title)) return [title];
  const unitAt = title.lastIndexOf(' [');
  const [name, unit] = unitAt < 0 ? [title, []] : [title.slice(0, unitAt), [title.slice(unitAt + 1)]];
  const away = name.search(/ [−+] /);
  const cut = away < 0 ? name.search(/\.[^\d\s]/) : away;
  return fits(name) || cut < 0 ? [name, ...unit] : [name.slice(0, cut), name.slice(cut + 1), ...unit];
}
