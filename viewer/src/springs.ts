// Springs, dampers and muscles between two places: how they are drawn as these move.

import * as THREE from 'three';
import {segment, stretch} from './solids';

const UP = new THREE.Vector3(0, 1, 0);

/** A helix of unit radius and length along y, with straight ends; `slender`: radius by length, for a round wire. */
class Helix extends THREE.Curve<THREE.Vector3> {
  constructor(private readonly radius: number, private readonly turns: number) {
    super();
  }
  override getPoint(t: number, target = new THREE.Vector3()): THREE.Vector3 {
    const [end, ramp] = [0.07, 0.05];
    const inner = Math.min(1, Math.max(0, (t - end) / (1 - 2 * end)));
    const toEnd = Math.min(t, 1 - t);
    const radius = this.radius * Math.min(1, Math.max(0, (toEnd - end + ramp) / ramp));
    const angle = 2 * Math.PI * this.turns * inner;
    return target.set(radius * Math.cos(angle), t - 0.5, radius * Math.sin(angle));
  }
}

function coilGeometry(slender: number, fine: boolean): THREE.BufferGeometry {
  const turns = fine ? 9 : 7;
  const geometry = new THREE.TubeGeometry(new Helix(slender, turns), turns * (fine ? 18 : 9), 0.19 * slender, fine ? 8 : 4);
  return geometry.scale(1 / slender, 1, 1 / slender);
}

export class Coil {
  readonly mesh: THREE.Mesh;
  constructor(material: THREE.Material, private readonly radius: number, length: number, fine: boolean) {
    this.mesh = new THREE.Mesh(coilGeometry(Math.min(0.4, radius / Math.max(length, radius)), fine), material);
  }
  lay(from: THREE.Vector3, to: THREE.Vector3) {
    stretch(this.mesh, from, to, this.radius);
  }
}

/** A cylinder at one end, a rod from the other that runs into it. */
export class Dashpot {
  readonly group = new THREE.Group();
  private readonly shell: THREE.Mesh;
  private readonly rod: THREE.Mesh;
  constructor(shell: THREE.Material, rod: THREE.Material, private readonly radius: number, private readonly length: number) {
    this.shell = new THREE.Mesh(new THREE.CylinderGeometry(1, 1, 1, 24), shell);
    this.rod = segment(rod);
    this.group.add(this.shell, this.rod);
  }
  lay(from: THREE.Vector3, to: THREE.Vector3) {
    const way = to.clone().sub(from);
    const distance = way.length();
    if (distance > 0) way.divideScalar(distance);
    const reach = Math.min(0.5 * this.length, 0.8 * distance);
    const start = from.clone().addScaledVector(way, 0.12 * reach);
    stretch(this.shell, start, from.clone().addScaledVector(way, reach), this.radius);
    stretch(this.rod, from, to, 0.35 * this.radius);
  }
}

const PROFILE = Array.from({length: 17}, (_, i) => {
  const t = i / 16;
  return new THREE.Vector2(0.12 + 0.88 * Math.sin(Math.PI * t) ** 1.5, t - 0.5);
});
const BELLY = new THREE.LatheGeometry(PROFILE, 20);
const BELLY_SHARE = 0.78;

/** The fibres of a muscle on a segment of its path, thick with activation. */
export class Belly {
  readonly mesh: THREE.Mesh;
  constructor(material: THREE.Material, private readonly radius: number) {
    this.mesh = new THREE.Mesh(BELLY, material);
  }
  lay(from: THREE.Vector3, to: THREE.Vector3, activation: number) {
    const way = to.clone().sub(from);
    const distance = way.length();
    const thick = this.radius * (0.55 + 1.1 * Math.min(1, Math.max(0, activation)));
    this.mesh.position.copy(from).addScaledVector(way, 0.5);
    this.mesh.scale.set(thick, Math.max(BELLY_SHARE * distance, 1e-12), thick);
    if (distance > 0) this.mesh.quaternion.setFromUnitVectors(UP, way.divideScalar(distance));
  }
}
