// Tendons through their points and round what they are wrapped on: cables, springs, dampers, muscles; coloured by
// tension, muscles by activation.

import * as THREE from 'three';
import {Paint} from './paint';
import {Column, linkName, Tendon, Vector, Wrap} from './payload';
import {Moment, Result} from './result';
import {segment, stretch, vector} from './solids';
import {Belly, Coil, Dashpot} from './springs';
import {colour} from './theme';
import {wrappedPlaces} from './wrap';

/** Straight pieces of an arc. */
const ARC = 24;
/** With more springs than that, each is drawn of fewer triangles. */
const MANY = 24;

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

interface Palette {
  slack: THREE.Color;
  pull: THREE.Color;
  push: THREE.Color;
  rest: THREE.Color;
  active: THREE.Color;
}

function palette(): Palette {
  const of = (name: string) => new THREE.Color(colour(name));
  return {slack: of('tendon-slack'), pull: of('tendon-pull'), push: of('tendon-push'), rest: of('muscle-rest'), active: of('muscle-active')};
}

/** A two-point tendon that also pushes is a spring. */
export function isSpring({path, wraps, stiff, muscle, tension_only: cable}: Tendon): boolean {
  return path.length === 2 && !wraps?.length && !cable && !muscle && stiff === true;
}

interface Drawn {
  tendon: Tendon;
  material: THREE.MeshStandardMaterial;
  segments: THREE.Mesh[];
  coil?: Coil;
  dashpot?: Dashpot;
  belly?: {belly: Belly; material: THREE.MeshStandardMaterial; activation: Column | undefined};
  tension: Column | undefined;
}

export class Tendons {
  readonly group = new THREE.Group();
  private readonly drawn: Drawn[];
  private readonly colours = palette();

  constructor(private readonly result: Result, private readonly range: TensionRange, private readonly radius: number,
              private readonly paint: Paint) {
    const through = result.scene.tendons.filter(({path}) => path.length > 1); // those over joints have no path
    const fine = through.filter(isSpring).length <= MANY;
    this.drawn = through.map((tendon) => this.make(tendon, fine));
  }

  update(moment: Moment) {
    for (const {tendon, material, segments, coil, dashpot, belly, tension} of this.drawn) {
      const pull = tension ? this.result.value(tension, 0, moment) : 0;
      this.paintTension(material, pull);
      const slack = tendon.tension_only && pull <= 0;
      const places = this.places(tendon, moment);
      segments.forEach((made, i) => {
        made.visible = i + 1 < places.length;
        if (made.visible) stretch(made, places[i], places[i + 1], this.radius * (slack ? 0.4 : 1));
      });
      coil?.lay(places[0], places[1]);
      dashpot?.lay(places[0], places[1]);
      if (belly) {
        const activation = belly.activation ? this.result.value(belly.activation, 0, moment) : 0;
        belly.material.color.copy(this.colours.rest).lerp(this.colours.active, Math.min(1, Math.max(0, activation)));
        const [from, to] = longest(places);
        belly.belly.lay(from, to, activation);
      }
    }
  }

  /** Where the path of a tendon runs. */
  places(tendon: Tendon, moment: Moment): THREE.Vector3[] {
    const points = tendon.path.map((via) => vector(this.result.worldPoint(via.body, via.at, moment)));
    if (!tendon.wraps?.length) return points;
    return points.flatMap((point, i) => {
      const wrap = tendon.wraps?.find(({segment: wrapped}) => wrapped === i);
      return wrap ? [point, ...this.round(wrap, point, points[i + 1], moment)] : [point];
    });
  }

  private make(tendon: Tendon, fine: boolean): Drawn {
    const material = this.paint.changing();
    const made: Drawn = {tendon, material, segments: [], tension: tensionOf(this.result, tendon.name)};
    const start = this.places(tendon, {index: 0, fraction: 0});
    const length = start[0].distanceTo(start[1]);
    const label = (object: THREE.Object3D, kind: string) =>
      object.traverse((part) => (part.userData.label = `${kind} ${tendon.name}`));
    const kind = tendon.muscle ? 'muscle' : isSpring(tendon) ? (tendon.damped ? 'spring and damper' : 'spring') : 'tendon';
    if (isSpring(tendon)) made.coil = new Coil(material, 4 * this.radius, length, fine);
    const straight = tendon.path.length === 2 && !tendon.wraps?.length;
    if (tendon.damped && straight && !tendon.muscle) {
      made.dashpot = new Dashpot(this.paint.named('damper'), this.paint.named('strut'), (made.coil ? 1.7 : 2.4) * this.radius, length);
    }
    if (tendon.muscle) {
      const fibres = this.paint.changing();
      const belly = new Belly(fibres, 4.2 * this.radius);
      made.belly = {belly, material: fibres, activation: this.result.columns.find(`muscles/${linkName(tendon.name)}/activation`)};
      this.group.add(belly.mesh);
      label(belly.mesh, kind);
    }
    if (!made.coil && !(made.dashpot && !tendon.stiff)) {
      const pieces = tendon.path.length - 1 + (tendon.wraps?.length ?? 0) * (ARC + 2);
      made.segments = Array.from({length: pieces}, () => segment(material));
    }
    for (const object of [...made.segments, made.coil?.mesh, made.dashpot?.group]) {
      if (!object) continue;
      label(object, kind);
      this.group.add(object);
    }
    return made;
  }

  private paintTension({color}: THREE.MeshStandardMaterial, tension: number) {
    const {pull, push} = this.range;
    const most = tension < 0 ? push : pull;
    color.copy(this.colours.slack).lerp(tension < 0 ? this.colours.push : this.colours.pull,
                                        most > 0 ? Math.min(1, Math.abs(tension) / most) : 0);
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

/** The longest straight piece of a path, where the fibres are drawn. */
function longest(places: THREE.Vector3[]): [THREE.Vector3, THREE.Vector3] {
  let best = 0;
  places.forEach((place, i) => {
    if (i + 1 < places.length && place.distanceTo(places[i + 1]) > places[best].distanceTo(places[best + 1])) best = i;
  });
  return [places[best], places[best + 1]];
}
