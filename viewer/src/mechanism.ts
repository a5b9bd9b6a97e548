// One result as objects of the scene.

import * as THREE from 'three';
import {JointSigns} from './joint_signs';
import {Paint} from './paint';
import {Joint, linkName, Scene, Shape, Vector} from './payload';
import {Moment, Result} from './result';
import {skeleton, Skeleton, thickness} from './skeleton';
import {ball, box, jointSymbol, merged, place, rod, segment, solid, stretch, vector} from './solids';
import {Tendons, TensionRange} from './tendons';

export interface Look {
  /** Typical length of a body, which sizes rods, joints and tendons. */
  size: number;
  /** The thinnest radius that is still seen when the whole motion is. */
  least: number;
  /** The one colour of a further result that lets the first shine through. */
  ghost: string | null;
  range: TensionRange;
  up: THREE.Vector3;
}

export type Part = 'joints' | 'elements' | 'points' | 'centres' | 'tendons';

const BODY_COLOURS = 6;
/** Up to so many, each is drawn of many triangles. */
const FEW_BODIES = 32;

/** Whether shapes show how something looks: then no symbols are needed to see it. */
function looksLikeItself(shapes: Shape[]): boolean {
  return shapes.some((shape) => shape.mesh);
}

/** What is shown unless it is asked for: symbols would hide a robot that looks like itself. */
export function shownParts(scenes: Scene[]): Record<Part, boolean> {
  const plain = !scenes.some(({bodies}) => bodies.some(({shapes}) => looksLikeItself(shapes)));
  return {joints: plain, elements: plain, points: plain, centres: false, tendons: true};
}

export class Mechanism {
  readonly root = new THREE.Group();
  readonly skeletons: Skeleton[];
  private readonly bodies: THREE.Group[] = [];
  private readonly tendons: Tendons;
  private readonly signs: JointSigns;
  private readonly parts: Record<Part, THREE.Object3D[]> = {joints: [], elements: [], points: [], centres: [], tendons: []};
  private readonly paint: Paint;
  private readonly flat: boolean;
  private readonly fine: boolean;

  constructor(readonly result: Result, private readonly look: Look) {
    const {scene} = result;
    this.flat = scene.dimension === 2;
    this.fine = scene.bodies.length <= FEW_BODIES;
    this.paint = new Paint(look.ghost);
    this.skeletons = scene.bodies.map((_, i) => skeleton(scene, i));
    scene.bodies.forEach((_, i) => this.addBody(i));
    this.addWorld();
    const jointMaterial = this.paint.named('joint');
    scene.joints.forEach((joint) => this.addJoint(joint, jointMaterial));
    this.addPoints();
    this.signs = new JointSigns(result, this.paint, this.pin(), this.flat);
    this.parts.elements.push(this.signs.moving, ...this.signs.attach((body) => this.frameOf(body)));
    this.tendons = new Tendons(result, look.range, Math.max(0.012 * look.size, 0.7 * look.least), this.paint);
    this.parts.tendons.push(this.tendons.group);
    this.root.add(this.signs.moving, this.tendons.group);
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
    this.signs.update(moment);
  }

  /** The radius of a joint's symbol. */
  private pin(): number {
    return Math.max(0.043 * this.look.size, 1.2 * this.look.least);
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

  private addWorld() {
    const solids = new THREE.Group();
    for (const shape of this.result.scene.world_shapes ?? []) solids.add(solid(shape, this.paint.named('ground'), (color) => this.paint.tinted(color)));
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
    const material = this.paint.named(`body-${index % BODY_COLOURS}`);
    const thin = body.shapes.length ? material : this.paint.named('strut');
    const solids = new THREE.Group();
    for (const shape of body.shapes) solids.add(solid(shape, material, (color) => this.paint.tinted(color)));
    const meshed = looksLikeItself(body.shapes);
    const {rods, boxed} = this.skeletons[index];
    const slight = thickness(body) < this.look.least;
    for (const {from, to, strut, hidden} of rods) {
      if (meshed || (hidden && !slight)) continue;
      const radius = Math.max((strut ? 0.011 : 0.034) * this.look.size, this.look.least);
      solids.add(rod(from, to, radius, strut ? thin : material, this.fine));
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
    const centre = ball(Math.max(0.03 * this.look.size, 1.5 * this.look.least), this.paint.named('centre'), this.fine);
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
    const pin = this.pin();
    const symbol = jointSymbol(joint.type, pin, this.flat, material, this.fine);
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
                                   this.paint.named('ground'));
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
    const rail = segment(this.paint.named('strut'));
    stretch(rail, vector([0, 0, least]), vector([0, 0, most]), Math.max(0.013 * this.look.size, this.look.least));
    const holder = new THREE.Group();
    place(holder, joint.in_parent);
    holder.add(rail);
    this.parts.joints.push(holder);
    this.frameOf(joint.parent).add(holder);
  }

  private addPoints() {
    const material = this.paint.named('point');
    for (const point of this.result.scene.points) {
      const mark = ball(Math.max(0.022 * this.look.size, 1.2 * this.look.least), material, this.fine);
      mark.position.set(...(point.at as Vector));
      mark.userData.label = `point ${point.name}`;
      this.parts.points.push(mark);
      this.frameOf(point.body).add(mark);
    }
  }
}
