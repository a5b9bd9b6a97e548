// The floor (in the plane: the wall behind) and the shadow on it.

import * as THREE from 'three';
import {Shadow} from './shadow';
import {Floor, lowest, roundSpacing} from './surroundings';
import {colour} from './theme';

/** Without a graphics card the shadow is coarser: it is soft anyway. */
const SHADOW = {card: {pixels: 512, widths: [3, 1.6]}, software: {pixels: 192, widths: [1.5, 1]}};

export interface SceneryPlace {
  /** Of all that the camera is to show at once. */
  box: THREE.Box3;
  /** Typical length of a body. */
  size: number;
  up: THREE.Vector3;
  flat: boolean;
  software: boolean;
}

export class Scenery {
  /** Of the grid. */
  readonly spacing: number;
  readonly objects: THREE.Object3D[];
  private readonly floor: Floor;
  private readonly shadow: Shadow;

  constructor({box, size, up, flat, software}: SceneryPlace) {
    const extent = Math.max(box.getSize(new THREE.Vector3()).length(), 1e-9);
    this.spacing = roundSpacing(extent);
    const centre = box.getCenter(new THREE.Vector3());
    const normal = flat ? new THREE.Vector3(0, 0, 1) : up;
    const depth = 0.35 * size + 0.02 * extent;
    const level = flat ? -depth : lowest(box, up);
    centre.addScaledVector(normal, level - centre.dot(normal));
    this.floor = new Floor({normal, centre, radius: (flat ? 2.2 : 1.7) * extent, spacing: this.spacing}, flat);
    const offset = flat ? new THREE.Vector3(0.35 * depth, -0.5 * depth, 1e-3 * extent) : up.clone().multiplyScalar(1e-4 * extent);
    const across = flat ? extent : acrossOf(box, up);
    const {pixels, widths} = software ? SHADOW.software : SHADOW.card;
    this.shadow = new Shadow({normal, centre, size: 1.25 * across + size, height: flat ? 2 * depth : extent, offset},
                             new THREE.Color(colour('shadow')), Number(colour('shadow-strength')), pixels, widths);
    this.objects = [this.floor.mesh, this.shadow.plane];
  }

  /** With a camera that goes along. */
  move(by: THREE.Vector3) {
    this.floor.move(by);
    this.shadow.move(by);
  }

  renderShadow(renderer: THREE.WebGLRenderer, scene: THREE.Scene, layers: number[]) {
    this.shadow.render(renderer, scene, layers);
  }

  dispose() {
    this.floor.dispose();
    this.shadow.dispose();
  }
}

/** The diagonal of a box seen along a direction. */
function acrossOf(box: THREE.Box3, up: THREE.Vector3): number {
  const size = box.getSize(new THREE.Vector3());
  return size.addScaledVector(up, -size.dot(up)).length();
}
