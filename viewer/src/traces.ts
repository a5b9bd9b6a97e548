// The paths of chosen points: the whole path faintly, the part up to now strongly.

import * as THREE from 'three';
import {Line2} from 'three/examples/jsm/lines/Line2.js';
import {LineGeometry} from 'three/examples/jsm/lines/LineGeometry.js';
import {LineMaterial} from 'three/examples/jsm/lines/LineMaterial.js';
import {Scene, Vector} from './payload';
import {Moment, Result} from './result';
import {Skeleton} from './skeleton';

export interface TracePoint {
  label: string;
  body: number;
  at: Vector;
}

const MOST_SEGMENTS = 1500;

/** What can be traced: named points that move, far ends of hanging bodies, centres of mass. */
export function tracePoints(scene: Scene, skeletons: Skeleton[]): TracePoint[] {
  const named = scene.points.filter(({body}) => body >= 0).map(({name, body, at}) => ({label: name, body, at}));
  const tips = skeletons.flatMap(({tip}, body) => (tip ? [{label: `end of ${scene.bodies[body].name}`, body, at: tip}] : []));
  const centres = scene.bodies.map(({name, com}, body) => ({label: `centre of ${name}`, body, at: com}));
  return [...named, ...tips, ...centres];
}

/** At first one: a named point that no tendon uses, else an end, else the centre of the heaviest body. */
export function firstTrace(scene: Scene, points: TracePoint[]): TracePoint | undefined {
  const used = new Set(scene.tendons.flatMap(({path}) => path.map(({name}) => name)));
  const named = new Set(scene.points.map(({name}) => name));
  return points.find(({label}) => named.has(label) && !used.has(label)) ??
    points.filter(({label}) => label.startsWith('end of ')).pop() ??
    points.reduce((best, point) => (scene.bodies[point.body].mass >= scene.bodies[best.body].mass ? point : best), points[0]);
}

export class Trace {
  readonly group = new THREE.Group();
  private readonly past: Line2;
  private readonly stride: number;
  private readonly segments: number;

  constructor(result: Result, point: TracePoint, colour: THREE.Color, background: THREE.Color, width: number) {
    this.stride = Math.max(1, Math.ceil(result.frames / MOST_SEGMENTS));
    const places: Vector[] = [];
    for (let index = 0; index < result.frames; index += this.stride) {
      places.push(result.worldPoint(point.body, point.at, {index, fraction: 0}));
    }
    // Relative to the first place, so that single precision does for paths far from the origin.
    const first = places[0];
    const flat = places.flatMap((p) => [p[0] - first[0], p[1] - first[1], p[2] - first[2]]);
    this.segments = places.length - 1;
    const geometry = () => {
      const made = new LineGeometry();
      if (this.segments > 0) made.setPositions(flat);
      return made;
    };
    const faint = colour.clone().lerp(background, 0.35);
    // Opaque: where segments meet, a transparent line would show every joint twice.
    const whole = new Line2(geometry(), new LineMaterial({color: faint, linewidth: 0.75 * width}));
    this.past = new Line2(geometry(), new LineMaterial({color: colour, linewidth: width, depthWrite: false}));
    this.past.renderOrder = 1;
    this.group.position.set(...first);
    this.group.add(whole, this.past);
    this.group.visible = this.segments > 0;
  }

  update({index}: Moment) {
    this.past.geometry.instanceCount = Math.min(this.segments, Math.floor(index / this.stride));
  }

  dispose() {
    for (const child of this.group.children as Line2[]) {
      child.geometry.dispose();
      child.material.dispose();
    }
  }
}
