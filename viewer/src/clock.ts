// The one time cursor that picture, plots and controls share.

import {Result} from './result';

/** Seconds of the model for a second of the viewer: 1, 2, 5 times powers of ten. */
export const SPEEDS = [-4, -3, -2, -1, 0, 1, 2].flatMap((k) => [1, 2, 5].map((n) => n * 10 ** k));
/** The last picture stays a while before the motion starts again [s]. */
const HELD_SECONDS = 0.8;
const WATCHED_SECONDS = {least: 3, most: 60, wanted: 12};

export class Clock {
  /** All recorded times, where scrubbing and single steps stop. */
  readonly stops: number[];
  time: number;
  playing = false;
  speed: number;
  /** From the end to the start again. */
  loop = true;
  private held = 0;
  private readonly listeners: (() => void)[] = [];

  constructor(results: Result[]) {
    this.stops = mergedTimes(results.map((result) => result.time));
    this.time = this.start;
    this.speed = suitableSpeed(this.end - this.start);
  }

  get start() {
    return this.stops[0];
  }
  get end() {
    return this.stops[this.stops.length - 1];
  }

  onChange(listener: () => void) {
    this.listeners.push(listener);
  }

  seek(time: number) {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.changed();
  }

  /** Index of the stop nearest to now. */
  get stop(): number {
    let low = 0;
    let high = this.stops.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.stops[middle] <= this.time) low = middle;
      else high = middle;
    }
    return this.time - this.stops[low] <= this.stops[high] - this.time ? low : high;
  }

  seekStop(index: number) {
    this.seek(this.stops[Math.min(this.stops.length - 1, Math.max(0, index))]);
  }

  seekNearestStop(time: number) {
    this.time = time;
    this.seekStop(this.stop);
  }

  toggle() {
    if (!this.playing && this.time >= this.end) this.time = this.start;
    this.playing = !this.playing && this.end > this.start;
    this.changed();
  }

  pause() {
    this.playing = false;
    this.changed();
  }

  setSpeed(speed: number) {
    this.speed = speed;
    this.changed();
  }

  faster(steps: number) {
    const at = SPEEDS.findIndex((speed) => speed >= this.speed * (1 - 1e-9));
    this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + steps))]);
  }

  /** Called for every picture while playing, with the seconds since the last. */
  advance(seconds: number) {
    if (!this.playing) return;
    if (this.time >= this.end && this.loop) {
      this.held += seconds;
      if (this.held < HELD_SECONDS) return;
      this.held = 0;
      this.seek(this.start);
      return;
    }
    this.held = 0;
    const time = this.time + seconds * this.speed;
    if (time >= this.end && !this.loop) this.playing = false;
    this.seek(time);
  }

  setLoop(on: boolean) {
    this.loop = on;
    this.changed();
  }

  private changed() {
    for (const listener of this.listeners) listener();
  }
}

/** Times that differ by rounding only are one. */
export function mergedTimes(lists: ArrayLike<number>[]): number[] {
  const all = lists.flatMap((list) => Array.from(list)).sort((a, b) => a - b);
  const rounding = 1e-9 * (all[all.length - 1] - all[0]) / Math.max(1, all.length);
  return all.filter((time, i) => i === 0 || time - all[i - 1] > rounding);
}

/** Real time where that is watchable, else the round speed that shows all in about twelve seconds. */
export function suitableSpeed(duration: number): number {
  if (duration >= WATCHED_SECONDS.least && duration <= WATCHED_SECONDS.most) return 1;
  if (!(duration > 0)) return 1;
  const wanted = duration / WATCHED_SECONDS.wanted;
  return SPEEDS.reduce((best, speed) =>
    Math.abs(Math.log(speed / wanted)) < Math.abs(Math.log(best / wanted)) ? speed : best);
}
