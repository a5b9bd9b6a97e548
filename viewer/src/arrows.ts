// Arrows on request: straight ones, in the plane round ones for moments and turning; the longest of a run says how long one
// is drawn.

import * as THREE from 'three';
import {mergeGeometries} from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import {ArrowKind, largest, Source, sourcesOf} from './arrow_sources';
import {Moment, Result} from './result';
import {colour} from './theme';

const Y = new THREE.Vector3(0, 1, 0);
const ARC = 1.5 * Math.PI;
/** Of the length of the longest straight arrow. */
const ROUND = 0.3;

/** About z from x on, of unit radius. */
function roundGeometry(): THREE.BufferGeometry {
  const head = new THREE.ConeGeometry(0.2, 0.42, 16).translate(0, 0.12, 0).rotateZ(ARC).translate(Math.cos(ARC), Math.sin(ARC), 0);
  return mergeGeometries([new THREE.TorusGeometry(1, 0.065, 8, 48, ARC), head])!;
}

/** Moments that hinges do not transmit, beside the forces that they do. */
const isRounding = (result: Result, moment: number, length: number) =>
  moment <= 1e-9 * length * largest(result, sourcesOf(result, 'reaction'));

/** All arrows of one kind of one result. */
export class Arrows {
  readonly group = new THREE.Group();
  /** The longest of the run, drawn at full length. */
  readonly most: number;
  private readonly sources: Source[];
  private readonly meshes: THREE.InstancedMesh[];
  private readonly round: boolean;
  private readonly heads: number;

  constructor(result: Result, readonly kind: ArrowKind, private readonly length: number, private readonly radius: number) {
    this.sources = sourcesOf(result, kind);
    const most = largest(result, this.sources);
    this.most = kind === 'reaction-moment' && isRounding(result, most, length) ? 0 : most;
    const turning = kind === 'moment' || kind === 'spin' || kind === 'reaction-moment';
    this.round = turning && result.scene.dimension === 2;
    this.heads = turning ? 2 : 1;
    const material = new THREE.MeshStandardMaterial({color: colour(`arrow-${kind}`), roughness: 0.5});
    const count = this.sources.length;
    this.meshes = this.round ? [new THREE.InstancedMesh(roundGeometry(), material, count)]
      : [new THREE.InstancedMesh(new THREE.CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0), material, count),
         new THREE.InstancedMesh(new THREE.ConeGeometry(1, 1, 14).translate(0, -0.5, 0), material, count * this.heads)];
    for (const mesh of this.meshes) {
      mesh.frustumCulled = false;
      this.group.add(mesh);
    }
  }

  update(moment: Moment) {
    this.sources.forEach((source, i) => (this.round ? this.layRound(source, i, moment) : this.layStraight(source, i, moment)));
    for (const mesh of this.meshes) mesh.instanceMatrix.needsUpdate = true;
  }

  private layRound(source: Source, i: number, moment: Moment) {
    const value = source.value(moment)[2];
    const size = this.most > 0 ? (Math.abs(value) / this.most) * ROUND * this.length : 0;
    const turn = new THREE.Quaternion();
    if (value < 0) turn.setFromAxisAngle(new THREE.Vector3(1, 0, 0), Math.PI);
    const place = new THREE.Vector3(...source.at(moment));
    place.z += 8 * this.radius;
    this.meshes[0].setMatrixAt(i, new THREE.Matrix4().compose(place, turn, new THREE.Vector3(size, size, size)));
  }

  private layStraight(source: Source, i: number, moment: Moment) {
    const way = new THREE.Vector3(...source.value(moment));
    const length = this.most > 0 ? (way.length() / this.most) * this.length : 0;
    const seen = length > 0.01 * this.length;
    const turn = new THREE.Quaternion();
    if (seen) turn.setFromUnitVectors(Y, way.normalize());
    const tip = Math.min(5 * this.radius, 0.6 * length);
    const place = new THREE.Vector3(...source.at(moment));
    const scale = new THREE.Vector3(this.radius, Math.max(1e-9, length - 0.8 * tip), this.radius);
    const matrix = new THREE.Matrix4().compose(place, turn, seen ? scale : scale.setScalar(0));
    const [shafts, heads] = this.meshes;
    shafts.setMatrixAt(i, matrix);
    scale.set(0.42 * tip, tip, 0.42 * tip).multiplyScalar(seen ? 1 : 0);
    for (let k = 0; k < this.heads; ++k) {
      matrix.compose(place.clone().addScaledVector(way, length - 0.7 * k * tip), turn, scale);
      heads.setMatrixAt(i * this.heads + k, matrix);
    }
  }

  dispose() {
    for (const mesh of this.meshes) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
    (this.meshes[0].material as THREE.Material).dispose();
  }
}
