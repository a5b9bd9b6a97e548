// Tendons as lines through their points, coloured by tension.

import * as THREE from 'three';
import {Column, linkName} from './payload';
import {Moment, Result} from './result';
import {segment, stretch, vector} from './solids';
import {colour} from './theme';

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
      const segments = tendon.path.slice(1).map(() => {
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
      const points = tendon.path.map((via) => vector(this.result.worldPoint(via.body, via.at, moment)));
      segments.forEach((made, i) => stretch(made, points[i], points[i + 1], this.radius * (slack ? 0.4 : 1)));
    }
  }
}
