// Light, and a grid that gives the picture its scale.

import * as THREE from 'three';
import {colour} from './theme';

const MOST_LINES = 14; // across what is shown

export function lights(up: THREE.Vector3, flat: boolean, view: THREE.Vector3): THREE.Light[] {
  const sky = new THREE.HemisphereLight(0xffffff, 0x8890a0, 1.9);
  sky.position.copy(up);
  const sun = new THREE.DirectionalLight(0xffffff, flat ? 1.0 : 1.7);
  sun.position.copy(flat ? new THREE.Vector3(0.2, 0.4, 1) : view.clone().addScaledVector(up, 0.9));
  return [sky, sun];
}

/** The finest round length of which a dozen or so span the extent. */
export function roundSpacing(extent: number): number {
  const power = 10 ** Math.floor(Math.log10(extent / MOST_LINES));
  return [1, 2, 5, 10].map((n) => n * power).find((spacing) => extent / spacing <= MOST_LINES) ?? 10 * power;
}

/** Below the motion, across `up`; in the plane (without `up`) behind it. */
export function grid(box: THREE.Box3, spacing: number, up: THREE.Vector3 | null, size: number): THREE.Group {
  const extent = box.getSize(new THREE.Vector3()).length();
  const lines = Math.max(2, 2 * Math.ceil((up ? 0.9 : 1.5) * extent / spacing));
  const helper = new THREE.GridHelper(lines * spacing, lines, colour('grid-strong'), colour('grid'));
  helper.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), up ?? new THREE.Vector3(0, 0, 1));
  helper.position.copy(box.getCenter(new THREE.Vector3())).divideScalar(spacing).round().multiplyScalar(spacing);
  if (up) helper.position.addScaledVector(up, lowest(box, up) - helper.position.dot(up));
  else helper.position.z = -3 * size;
  return new THREE.Group().add(helper);
}

function lowest({min, max}: THREE.Box3, up: THREE.Vector3): number {
  return Math.min(...[min.x, max.x].flatMap((x) => [min.y, max.y].flatMap((y) =>
    [min.z, max.z].map((z) => new THREE.Vector3(x, y, z).dot(up)))));
}
