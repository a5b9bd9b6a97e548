// From where all of some points are seen as large as they can be.

import * as THREE from 'three';
import {Scene, Vector} from './payload';

/** Free at every side, as a share of the picture. */
const MARGIN = 0.05;

export interface Axes {
  right: THREE.Vector3;
  up: THREE.Vector3;
  /** From what is seen to the camera. */
  back: THREE.Vector3;
}

export function axesOf(back: THREE.Vector3, upwards: THREE.Vector3): Axes {
  const right = new THREE.Vector3().crossVectors(upwards, back).normalize();
  return {right, up: new THREE.Vector3().crossVectors(back, right), back: back.clone().normalize()};
}

export interface Frame {
  /** Where the camera looks, in the middle of the points' depth. */
  target: THREE.Vector3;
  distance: number;
  /** Half of what is seen, upwards. */
  half: number;
}

/**
 * With slopes s of the picture's edges a point (x, y, z) in the camera's axes is seen from (cx, cy, d) where |x - cx| <= s (d - z):
 * the least d is half of max(x + s z) + max(-x + s z), by s; the larger of both directions counts.
 */
export function framed(points: Float64Array, {right, up, back}: Axes, aspect: number, slope: number | null): Frame {
  const rise = (slope ?? 0) * (1 - 2 * MARGIN);
  const [sx, sy] = [rise * aspect, rise];
  const most = new Float64Array(4).fill(-Infinity);
  let [near, far] = [-Infinity, Infinity];
  const p = new THREE.Vector3();
  for (let i = 0; i < points.length; i += 3) {
    p.fromArray(points, i);
    const [x, y, z] = [p.dot(right), p.dot(up), p.dot(back)];
    most[0] = Math.max(most[0], x + sx * z);
    most[1] = Math.max(most[1], -x + sx * z);
    most[2] = Math.max(most[2], y + sy * z);
    most[3] = Math.max(most[3], -y + sy * z);
    near = Math.max(near, z);
    far = Math.min(far, z);
  }
  const [cx, cy] = [(most[0] - most[1]) / 2, (most[2] - most[3]) / 2];
  const [wide, high] = [(most[0] + most[1]) / 2, (most[2] + most[3]) / 2];
  const middle = (near + far) / 2;
  const target = new THREE.Vector3().addScaledVector(right, cx).addScaledVector(up, cy).addScaledVector(back, middle);
  if (slope === null) {
    const half = Math.max(wide / aspect, high, 1e-9) / (1 - 2 * MARGIN);
    return {target, distance: near - middle + 10 * half, half};
  }
  const distance = Math.max(wide / sx, high / sy, near + 1e-9) - middle;
  return {target, distance: Math.max(distance, 1e-9), half: slope * distance};
}

/** Against gravity; without it y in the plane, z in space. */
export function upwards(gravity: Vector, flat: boolean): THREE.Vector3 {
  const down = new THREE.Vector3(...gravity);
  if (down.length() > 0) return down.normalize().negate();
  return flat ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(0, 0, 1);
}

/** From where a mechanism in space is seen at first: from the front, a little aside and above. */
export function viewDirection(up: THREE.Vector3): THREE.Vector3 {
  const side = new THREE.Vector3(Math.abs(up.x) > 0.8 ? 0 : 1, Math.abs(up.x) > 0.8 ? 1 : 0, 0);
  side.addScaledVector(up, -side.dot(up)).normalize();
  const front = new THREE.Vector3().crossVectors(side, up);
  return front.addScaledVector(side, 0.5).addScaledVector(up, 0.36).normalize();
}

/** Whether nothing ties the mechanism to the ground. */
export function floats({joints, tendons, bushings}: Scene): boolean {
  return !joints.some(({parent, child, type}) => type !== 'free' && (parent < 0 || child < 0)) &&
    !tendons.some(({path}) => path.some(({body}) => body < 0)) && !bushings?.some(({parent, child}) => parent < 0 || child < 0);
}
