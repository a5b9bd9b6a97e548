// The way of a tendon round a circle, a cylinder or a sphere: two tangents and an arc, by the equations of
// src/torsor/model/wrap_law.h, which the comments there derive.

import {Vector, Wrap} from './payload';

type Planar = [number, number];
const dot = (a: Planar, b: Planar) => a[0] * b[0] + a[1] * b[1];
const cross = (a: Planar, b: Planar) => a[0] * b[1] - a[1] * b[0];
const perp = ([x, y]: Planar): Planar => [-y, x];
const sum = (a: Planar, f: number, b: Planar): Planar => [a[0] + f * b[0], a[1] + f * b[1]];

/** 1: counterclockwise from P to Q; -1: clockwise; 0: the segment is straight. */
function wayRound(P: Planar, Q: Planar, r: number, side: Planar): number {
  const A = dot(P, P);
  const B = dot(Q, Q);
  if (!(A > r * r && B > r * r)) return 0;
  const shorter = cross(P, Q) >= 0 ? 1 : -1;
  const d = sum(Q, -1, P);
  const square = dot(d, d);
  const near = sum(P, square > 0 ? Math.min(1, Math.max(0, -dot(P, d) / square)) : 0, d);
  const meets = dot(near, near) < r * r;
  if (side[0] === 0 && side[1] === 0) return meets ? shorter : 0;
  if (!meets) return dot(side, near) >= 0 ? 0 : -shorter;
  const byP = (r * Math.sqrt(A - r * r)) / A;
  const byQ = (r * Math.sqrt(B - r * r)) / B;
  const middle = sum(sum(sum([0, 0], (r * r) / A, P), shorter * byP, perp(P)), (r * r) / B, Q);
  return dot(side, sum(middle, -shorter * byQ, perp(Q))) >= 0 ? shorter : -shorter;
}

/** Places on the arc, and how far along the way each lies, as a share of its length. */
function arc(P: Planar, Q: Planar, r: number, way: number, pieces: number): {at: Planar; share: number}[] {
  const tangentP = Math.sqrt(dot(P, P) - r * r);
  const tangentQ = Math.sqrt(dot(Q, Q) - r * r);
  let phi = way * Math.atan2(cross(P, Q), dot(P, Q));
  if (phi < 0) phi += 2 * Math.PI;
  const turnP = Math.atan2(tangentP, r);
  const sweep = Math.max(0, phi - turnP - Math.atan2(tangentQ, r));
  const length = tangentP + r * sweep + tangentQ;
  const start = Math.atan2(P[1], P[0]) + way * turnP;
  return Array.from({length: pieces + 1}, (_, i) => {
    const angle = start + (way * sweep * i) / pieces;
    return {at: [r * Math.cos(angle), r * Math.sin(angle)], share: (tangentP + (r * sweep * i) / pieces) / length};
  });
}

/** Where a segment from P to Q lies on what it goes round, all in the frame of that; none where it is straight. */
export function wrappedPlaces({kind, radius, side}: Wrap, P: Vector, Q: Vector, pieces: number): Vector[] {
  if (kind !== 'sphere') {
    const p: Planar = [P[0], P[1]];
    const q: Planar = [Q[0], Q[1]];
    const way = wayRound(p, q, radius, side ? [side[0], side[1]] : [0, 0]);
    if (way === 0) return [];
    return arc(p, q, radius, way, pieces).map(({at, share}) => [at[0], at[1], P[2] + share * (Q[2] - P[2])]);
  }
  const inner = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const scaled = (f: number, a: Vector): Vector => [f * a[0], f * a[1], f * a[2]];
  const plus = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
  const reach = Math.sqrt(inner(P, P));
  if (!(reach > radius)) return [];
  const e0 = scaled(1 / reach, P);
  const off = plus(Q, scaled(-inner(Q, e0), e0));
  const height = Math.sqrt(inner(off, off));
  if (!(height > 0)) return [];
  const e1 = scaled(1 / height, off);
  const q: Planar = [inner(Q, e0), height];
  const way = wayRound([reach, 0], q, radius, side ? [inner(side, e0), inner(side, e1)] : [0, 0]);
  if (way === 0) return [];
  return arc([reach, 0], q, radius, way, pieces).map(({at}) => plus(scaled(at[0], e0), scaled(at[1], e1)));
}
