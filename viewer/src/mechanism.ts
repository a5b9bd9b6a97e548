// One result as objects of the scene.

import * as THREE from 'three';
import {Color, Joint, linkName, Scene, Shape, Vector} from './payload';
import {Moment, Result} from './result';
import {skeleton, Skeleton, thickness} from './skeleton';
import {ball, box, jointSymbol, merged, place, rod, segment, solid, stretch, vector} from './solids';
import {Tendons, TensionRange} from './tendons';
import {colour} from './theme';

export interface Look {
  /** Typical length of a body, which sizes rods, joints and tendons. */
  size: number;
  /** The thinnest radius that is still seen when the whole motion is. */
  least: number;
  /** A second result is drawn in one colour and lets the first shine through. */
  ghost: boolean;
  range: TensionRange;
  up: THREE.Vector3;
}

export type Part = 'joints' | 'points' | 'centres' | 'tendons';

const BODY_COLOURS = 6;
const GHOST_OPACITY = 0.42;

/** Whether shapes show how something looks: then no symbols are needed to see it. */
function looksLikeItself(shapes: Shape[]): boolean {
  return shapes.some((shape) => shape.mesh);
}

/** What is shown unless it is asked for: symbols would hide a robot that looks like itself. */
export function shownParts(scenes: Scene[]): Record<Part, boolean> {
  const plain = !scenes.some(({bodies}) => bodies.some(({shapes}) => looksLikeItself(shapes)));
  return {joints: plain, points: plain, centres: false, tendons: true};
}

export class Mechanism {
  readonly root = new THREE.Group();
  readonly skeletons: Skeleton[];
  private readonly bodies: THREE.Group[] = [];
  private readonly tendons: Tendons;
  private readonly parts: Record<Part, THREE.Object3D[]> = {joints: [], points: [], centres: [], tendons: []};
  private readonly materials = new Map<string, THREE.MeshLambertMaterial>();
  private readonly flat: boolean;

  constructor(readonly result: Result, private readonly look: Look) {
    const {scene} = result;
    this.flat = scene.dimension === 2;
    this.skeletons = scene.bodies.map((_, i) => skeleton(scene, i));
    scene.bodies.forEach((_, i) => this.addBody(i));
    this.addWorld();
    const jointMaterial = this.material('joint');
    scene.joints.forEach((joint) => this.addJoint(joint, jointMaterial));
    this.addPoints();
    this.tendons = new Tendons(result, look.range, Math.max(0.014 * look.size, 0.7 * look.least), look.ghost ? 0.55 : 1);
    this.parts.tendons.push(this.tendons.group);
    this.root.add(this.tendons.group);
  }

  show(part: Part, visible: boolean) {
    for (const object of this.parts[part]) object.visible = visible;
  }

  update(moment: Moment) {
    this.bodies.forEach((group, i) => {
      const {com, quaternion: [w, x, y, z]} = this.result.pose(i, moment);
      group.position.set(...com);
      group.quaternion.set(x, y, z, w);
    });
    this.tendons.update(moment);
  }

  /** As it stands in the picture. */
  shownPose(body: number): {com: number[]; quaternion: number[]} {
    const group = this.bodies[body];
    group.updateWorldMatrix(true, false);
    const position = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    group.matrixWorld.decompose(position, turn, new THREE.Vector3());
    return {com: position.toArray(), quaternion: [turn.w, turn.x, turn.y, turn.z]};
  }

  /** The same object for the same colour, which spares the graphics card many changes. */
  private material(name: string): THREE.MeshLambertMaterial {
    const {ghost} = this.look;
    const shown = ghost ? 'ghost' : name;
    const known = this.materials.get(shown);
    if (known) return known;
    const made = new THREE.MeshLambertMaterial(
      {color: colour(shown), transparent: ghost, opacity: ghost ? GHOST_OPACITY : 1, depthWrite: !ghost});
    this.materials.set(shown, made);
    return made;
  }

  /** Of a shape that says its colour itself. */
  private tinted(color: Color): THREE.Material {
    const {ghost} = this.look;
    if (ghost) return this.material('ghost');
    const name = color.join(' ');
    const known = this.materials.get(name);
    if (known) return known;
    const [r, g, b, opacity] = color;
    const made = new THREE.MeshLambertMaterial({transparent: opacity < 1, opacity, depthWrite: opacity === 1});
    made.color.setRGB(r, g, b, THREE.SRGBColorSpace);
    this.materials.set(name, made);
    return made;
  }

  private addWorld() {
    const solids = new THREE.Group();
    for (const shape of this.result.scene.world_shapes ?? []) solids.add(solid(shape, this.material('ground'), (color) => this.tinted(color)));
    for (const mesh of merged(solids)) {
      mesh.userData.label = 'ground';
      this.root.add(mesh);
    }
  }

  /** A group at the centre of mass; what it holds is given in the body's frame. */
  private addBody(index: number) {
    const body = this.result.scene.bodies[index];
    const group = new THREE.Group();
    const frame = new THREE.Group();
    frame.position.set(-body.com[0], -body.com[1], -body.com[2]);
    group.add(frame);
    const material = this.material(`body-${index % BODY_COLOURS}`);
    const thin = body.shapes.length ? material : this.material('strut');
    const solids = new THREE.Group();
    for (const shape of body.shapes) solids.add(solid(shape, material, (color) => this.tinted(color)));
    const meshed = looksLikeItself(body.shapes);
    const {rods, boxed} = this.skeletons[index];
    const slight = thickness(body) < this.look.least;
    for (const {from, to, strut, hidden} of rods) {
      if (meshed || (hidden && !slight)) continue;
      const radius = Math.max((strut ? 0.011 : 0.032) * this.look.size, this.look.least);
      solids.add(rod(from, to, radius, strut ? thin : material));
    }
    if (boxed) {
      const {size, quaternion} = body.equal_box!;
      const equal = box(size.map((edge) => Math.max(edge, 0.06 * Math.max(...size))) as Vector, material);
      place(equal, {position: body.com, quaternion});
      solids.add(equal);
    }
    for (const mesh of merged(solids)) {
      mesh.userData.label = `body ${body.name}`;
      frame.add(mesh);
    }
    const centre = ball(Math.max(0.03 * this.look.size, 1.5 * this.look.least), this.material('centre'));
    centre.position.set(...body.com);
    this.onTop(centre);
    this.parts.centres.push(centre);
    frame.add(centre);
    this.bodies.push(group);
    this.root.add(group);
  }

  private frameOf(body: number): THREE.Object3D {
    return body < 0 ? this.root : this.bodies[body].children[0];
  }

  /** In the plane markers would sink into the rods that they mark. */
  private onTop(object: THREE.Object3D) {
    if (this.flat) object.position.z += 0.1 * this.look.size;
  }

  private addJoint(joint: Joint, material: THREE.Material) {
    if (joint.type === 'free') return;
    const pin = Math.max(0.047 * this.look.size, 1.2 * this.look.least);
    const symbol = jointSymbol(joint.type, pin, this.flat, material);
    place(symbol, joint.in_child);
    this.onTop(symbol);
    symbol.traverse((part) => (part.userData.label = `joint ${joint.name} (${joint.type})`));
    this.parts.joints.push(symbol);
    this.frameOf(joint.child).add(symbol);
    if (joint.parent < 0) this.addFooting(joint, pin);
    const slides = joint.type === 'prismatic' || joint.type === 'cylindrical';
    if (slides && !this.result.scene.bodies[joint.parent]?.shapes.length) this.addRail(joint);
  }

  /** The ground under a joint that stands on it. */
  private addFooting(joint: Joint, pin: number) {
    const footing = new THREE.Mesh(new THREE.ConeGeometry(1.9 * pin, 2.4 * pin, this.flat ? 4 : 20),
                                   this.material('ground'));
    footing.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), this.look.up);
    footing.position.set(...joint.in_parent.position).addScaledVector(this.look.up, -1.2 * pin);
    if (this.flat) footing.position.z -= 0.1 * this.look.size;
    footing.userData.label = 'ground';
    this.parts.joints.push(footing);
    this.root.add(footing);
  }

  /** As long as the slide goes in this record. */
  private addRail(joint: Joint) {
    const column = this.result.columns.find(`joints/${linkName(joint.name)}/position`);
    if (!column) return;
    let [least, most] = [0, 0];
    for (let i = column.width - 1; i < column.values.length; i += column.width) {
      least = Math.min(least, column.values[i]);
      most = Math.max(most, column.values[i]);
    }
    const rail = segment(this.material('strut'));
    stretch(rail, vector([0, 0, least]), vector([0, 0, most]), Math.max(0.013 * this.look.size, this.look.least));
    const holder = new THREE.Group();
    place(holder, joint.in_parent);
    holder.add(rail);
    this.parts.joints.push(holder);
    this.frameOf(joint.parent).add(holder);
  }

  private addPoints() {
    const material = this.material('point');
    for (const point of this.result.scene.points) {
      const mark = ball(Math.max(0.022 * this.look.size, 1.2 * this.look.least), material);
      mark.position.set(...(point.at as Vector));
      mark.userData.label = `point ${point.name}`;
      this.parts.points.push(mark);
      this.frameOf(point.body).add(mark);
    }
  }
}
