// One result: its record in time, with the poses of its bodies at any moment.

import {Column, Columns, linkName, Quaternion, StoredResult, Vector} from './payload';

export interface Pose {
  com: Vector;
  quaternion: Quaternion;
}

/** Between the frames `index` and `index + 1`, `fraction` of the way. */
export interface Moment {
  index: number;
  fraction: number;
}

export class Result {
  readonly columns: Columns;
  readonly time: Float64Array;
  /** A dataset without which there is no picture. */
  missing?: string;
  /** Instead of the record's, where sliders move the bodies. */
  posed: Pose[] | null = null;
  /** Where they may: the picture has room for it. */
  reachable: Pose[][] = [];
  private readonly com: Column[];
  private readonly turn: Column[];

  constructor(readonly stored: StoredResult, readonly index: number) {
    this.columns = new Columns(stored.columns);
    this.time = this.columns.find('time')!.values as Float64Array;
    const flat = stored.scene.dimension === 2;
    const part = (body: string, what: string) => {
      const path = `bodies/${linkName(body)}/${what}`;
      const column = this.columns.find(path);
      if (!column) this.missing ??= path;
      return column!;
    };
    this.com = stored.scene.bodies.map((body) => part(body.name, 'com'));
    this.turn = stored.scene.bodies.map((body) => part(body.name, flat ? 'angle' : 'quaternion'));
  }

  get scene() {
    return this.stored.scene;
  }
  get frames() {
    return this.time.length;
  }
  get start() {
    return this.time[0];
  }
  get end() {
    return this.time[this.frames - 1];
  }

  /** The moment at a time; before the start the first frame, after the end the last. */
  moment(time: number): Moment {
    const last = this.frames - 1;
    if (!(time > this.time[0])) return {index: 0, fraction: 0};
    if (time >= this.time[last]) return {index: last, fraction: 0};
    let low = 0;
    let high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.time[middle] <= time) low = middle;
      else high = middle;
    }
    return {index: low, fraction: (time - this.time[low]) / (this.time[high] - this.time[low])};
  }

  /** On a frame exactly the record's; between two, on the straight line and the shortest arc. */
  pose(body: number, {index, fraction}: Moment): Pose {
    if (this.posed) return this.posed[body];
    const here = this.framePose(body, index);
    if (fraction === 0) return here;
    const next = this.framePose(body, index + 1);
    const [a, b] = [here.com, next.com];
    const com: Vector = [a[0] + fraction * (b[0] - a[0]), a[1] + fraction * (b[1] - a[1]), a[2] + fraction * (b[2] - a[2])];
    if (this.scene.dimension === 2) {
      const angles = this.turn[body].values;
      return {com, quaternion: aboutZ(angles[index] + fraction * (angles[index + 1] - angles[index]))};
    }
    return {com, quaternion: slerp(here.quaternion, next.quaternion, fraction)};
  }

  private framePose(body: number, frame: number): Pose {
    const com = this.com[body].values;
    const turn = this.turn[body].values;
    if (this.scene.dimension === 2) {
      return {com: [com[2 * frame], com[2 * frame + 1], 0], quaternion: aboutZ(turn[frame])};
    }
    return {
      com: [com[3 * frame], com[3 * frame + 1], com[3 * frame + 2]],
      quaternion: [turn[4 * frame], turn[4 * frame + 1], turn[4 * frame + 2], turn[4 * frame + 3]],
    };
  }

  /** World position of a point fixed on a body (-1: the ground). */
  worldPoint(body: number, at: Vector, moment: Moment): Vector {
    if (body < 0) return at;
    const {com, quaternion} = this.pose(body, moment);
    const centre = this.scene.bodies[body].com;
    const arm = rotate(quaternion, [at[0] - centre[0], at[1] - centre[1], at[2] - centre[2]]);
    return [com[0] + arm[0], com[1] + arm[1], com[2] + arm[2]];
  }

  /** One number of a column at a moment, interpolated. */
  value(column: Column, component: number, {index, fraction}: Moment): number {
    const at = (frame: number) => column.values[frame * column.width + component];
    return fraction === 0 ? at(index) : at(index) + fraction * (at(index + 1) - at(index));
  }
}

function aboutZ(angle: number): Quaternion {
  return [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];
}

export function rotate([w, x, y, z]: Quaternion, [a, b, c]: Vector): Vector {
  const tx = 2 * (y * c - z * b);
  const ty = 2 * (z * a - x * c);
  const tz = 2 * (x * b - y * a);
  return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
}

export function slerp(a: Quaternion, b: Quaternion, fraction: number): Quaternion {
  let cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = cosine < 0 ? -1 : 1;
  cosine *= sign;
  const angle = Math.acos(Math.min(1, cosine));
  const [p, q] =
    angle < 1e-4
      ? [1 - fraction, fraction]
      : [Math.sin((1 - fraction) * angle) / Math.sin(angle), Math.sin(fraction * angle) / Math.sin(angle)];
  const [w, x, y, z] = [p * a[0] + sign * q * b[0], p * a[1] + sign * q * b[1], p * a[2] + sign * q * b[2], p * a[3] + sign * q * b[3]];
  const length = Math.sqrt(w * w + x * x + y * y + z * z);
  return [w / length, x / length, y / length, z / length];
}
