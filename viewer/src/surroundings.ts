// Light, and a floor (in the plane: a wall behind) with a grid that gives the picture its scale.

import * as THREE from 'three';
import {colour} from './theme';

const MOST_LINES = 14; // across what is shown

export function lights(up: THREE.Vector3, flat: boolean, view: THREE.Vector3): THREE.Light[] {
  const sky = new THREE.HemisphereLight(0xffffff, 0xb4b0aa, flat ? 2.3 : 1.75);
  sky.position.copy(up);
  const sun = new THREE.DirectionalLight(0xfffaf2, flat ? 1.3 : 1.9);
  const aside = new THREE.Vector3().crossVectors(view, up).normalize();
  sun.position.copy(flat ? new THREE.Vector3(-0.5, 0.7, 1) : view.clone().multiplyScalar(0.55).addScaledVector(up, 1).addScaledVector(aside, 0.5));
  const rim = new THREE.DirectionalLight(0xdfe9ff, flat ? 0.2 : 0.5);
  rim.position.copy(view).negate().addScaledVector(up, 0.5).addScaledVector(aside, -0.6);
  return [sky, sun, rim];
}

/** The finest round length of which a dozen or so span the extent. */
export function roundSpacing(extent: number): number {
  const power = 10 ** Math.floor(Math.log10(extent / MOST_LINES));
  return [1, 2, 5, 10].map((n) => n * power).find((spacing) => extent / spacing <= MOST_LINES) ?? 10 * power;
}

const VERTEX = `varying vec2 vAt;
void main() {
  vAt = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
const FRAGMENT = `uniform vec3 base, thin, thick, far;
uniform float spacing, radius;
uniform vec2 shift;
varying vec2 vAt;
void main() {
  float fade = 1.0 - smoothstep(0.3, 1.0, length(vAt) / radius);
  vec2 cell = (vAt + shift) / spacing;
  vec2 sharp = 1.0 / fwidth(cell);
  vec2 fine = abs(fract(cell - 0.5) - 0.5) * sharp;
  vec2 coarse = abs(fract(0.2 * cell - 0.5) - 0.5) * 5.0 * sharp;
  vec3 tone = mix(thin, base, min(min(fine.x, fine.y), 1.0));
  tone = mix(thick, tone, min(min(coarse.x, coarse.y), 1.0));
  gl_FragColor = vec4(mix(far, tone, fade), 1.0);
  #include <colorspace_fragment>
}`;

export interface FloorPlace {
  normal: THREE.Vector3;
  centre: THREE.Vector3;
  radius: number;
  spacing: number;
}

/** A plane whose grid fades into the background; `move` takes it along while its lines stay where they are. */
export class Floor {
  readonly mesh: THREE.Mesh;
  private readonly material: THREE.ShaderMaterial;
  private readonly inverse: THREE.Quaternion;

  constructor(private readonly place: FloorPlace, flat: boolean) {
    const of = (name: string) => ({value: new THREE.Color(colour(name))});
    this.material = new THREE.ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, depthWrite: false, side: THREE.DoubleSide,
      uniforms: {base: of(flat ? 'stage' : 'floor'), thin: of('grid'), thick: of('grid-strong'), far: of('stage'),
                 spacing: {value: place.spacing}, radius: {value: place.radius}, shift: {value: new THREE.Vector2()}},
    });
    this.mesh = new THREE.Mesh(new THREE.CircleGeometry(place.radius, 64), this.material);
    this.mesh.renderOrder = -2;
    this.mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), place.normal);
    this.inverse = this.mesh.quaternion.clone().invert();
    this.move(new THREE.Vector3());
  }

  move(by: THREE.Vector3) {
    const at = this.place.centre.clone().add(by);
    this.mesh.position.copy(at);
    const inPlane = at.applyQuaternion(this.inverse);
    const wrap = 5 * this.place.spacing; // keeps small numbers in single precision
    this.material.uniforms.shift.value.set(inPlane.x % wrap, inPlane.y % wrap);
  }

  dispose() {
    this.mesh.geometry.dispose();
    this.material.dispose();
  }
}

/** The lowest of a box along a direction. */
export function lowest({min, max}: THREE.Box3, up: THREE.Vector3): number {
  return Math.min(...[min.x, max.x].flatMap((x) => [min.y, max.y].flatMap((y) =>
    [min.z, max.z].map((z) => new THREE.Vector3(x, y, z).dot(up)))));
}
