// Tendons as lines through their points and round what they are wrapped on, coloured by tension.

import * as THREE from 'three';
import {Column, linkName, Tendon, Vector, Wrap} from './payload';
import {Moment, Result} from './result';
import {segment, stretch, vector} from './solids';
import {colour} from './theme';
import {wrappedPlaces} from './wrap';

/** Straight pieces of an arc. */
const ARC = 16;

/** The largest tension and the largest push of a set of results, which the colours span. */
export interface TensionRange {
  pull: number;
  push: number;
}

function tensionOf(result: Result, tendon: string): Column | undefined {
  return result.columns.find(`tendons/${linkName(tendon)}/tension`);
}

export function tensionRange(results: Result[]): TensionRange {
  let pull = 0;
  let push = 0;
  for (const result of results) {
    for (const {name} of result.scene.tendons) {
      for (const tension of tensionOf(result, name)?.values ?? []) {
        pull = Math.max(pull, tension);
        push = Math.max(push, -tension);
      }
    }
  }
  return {pull, push};
}

export function tensionColour(tension: number, range: TensionRange): THREE.Color {
  const slack = new THREE.Color(colour('tendon-slack'));
  const full = new THREE.Color(colour(tension < 0 ? 'tendon-push' : 'tendon-pull'));
  const most = tension < 0 ? range.push : range.pull;
  return slack.lerp(full, most > 0 ? Math.min(1, Math.abs(tension) / most) : 0);
}

export class Tendons {
  readonly group = new THREE.Group();
  private readonly tendons;

  constructor(private readonly result: Result, private readonly range: TensionRange, private readonly radius: number,
              opacity: number) {
    this.tendons = result.scene.tendons.map((tendon) => {
      const material = new THREE.MeshBasicMaterial({transparent: opacity < 1, opacity});
      const pieces = tendon.path.length - 1 + (tendon.wraps?.length ?? 0) * (ARC + 2);
      const segments = Array.from({length: pieces}, () => {
        const made = segment(material);
        made.userData.label = `tendon ${tendon.name}`;
        this.group.add(made);
        return made;
      });
      return {tendon, material, segments, tension: tensionOf(result, tendon.name)};
    });
  }

  update(moment: Moment) {
    for (const {tendon, material, segments, tension} of this.tendons) {
      const pull = tension ? this.result.value(tension, 0, moment) : 0;
      material.color.copy(tensionColour(pull, this.range));
      const slack = tendon.tension_only && pull <= 0;
      const places = this.places(tendon, moment);
      segments.forEach((made, i) => {
        made.visible = i + 1 < places.length;
        if (made.visible) stretch(made, places[i], places[i + 1], this.radius * (slack ? 0.4 : 1));
      });
    }
  }

  private places(tendon: Tendon, moment: Moment): THREE.Vector3[] {
    const points = tendon.path.map((via) => vector(this.result.worldPoint(via.body, via.at, moment)));
    return points.flatMap((point, i) => {
      const wrap = tendon.wraps?.find(({segment: wrapped}) => wrapped === i);
      return wrap ? [point, ...this.round(wrap, point, points[i + 1], moment)] : [point];
    });
  }

  private round(wrap: Wrap, from: THREE.Vector3, to: THREE.Vector3, moment: Moment): THREE.Vector3[] {
    const [w, x, y, z] = wrap.quaternion;
    const turn = new THREE.Quaternion(x, y, z, w);
    const place = (at: Vector) => {
      const inBody = vector(at).applyQuaternion(turn).add(vector(wrap.position));
      return vector(this.result.worldPoint(wrap.body, inBody.toArray() as Vector, moment));
    };
    const centre = place([0, 0, 0]);
    const axes = [place([1, 0, 0]), place([0, 1, 0]), place([0, 0, 1])].map((end) => end.sub(centre));
    const inside = (point: THREE.Vector3): Vector => {
      const arm = point.clone().sub(centre);
      return [arm.dot(axes[0]), arm.dot(axes[1]), arm.dot(axes[2])];
    };
    return wrappedPlaces(wrap, inside(from), inside(to), ARC).map(place);
  }
}
