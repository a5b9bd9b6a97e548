// What acts in joints, and between bodies without one: springs, dampers, motors, bushings.

import * as THREE from 'three';
import {Paint} from './paint';
import {Bushing, Frame, Joint, JointElement} from './payload';
import {Moment, Result} from './result';
import {place, vector} from './solids';
import {Coil, Dashpot} from './springs';

/** A spiral about z, as the spring of a clock. */
class Spiral extends THREE.Curve<THREE.Vector3> {
  constructor(private readonly from: number, private readonly to: number, private readonly rise: number) {
    super();
  }
  override getPoint(t: number, target = new THREE.Vector3()): THREE.Vector3 {
    const [angle, radius] = [2 * Math.PI * 2.5 * t, this.from + t * (this.to - this.from)];
    return target.set(radius * Math.cos(angle), radius * Math.sin(angle), this.rise * (t - 0.5));
  }
}

const slides = ({type}: Joint) => type === 'prismatic' || type === 'cylindrical';
const FEW = 24;

export class JointSigns {
  readonly still: {body: number; frame: Frame; object: THREE.Object3D}[] = [];
  /** What moves by itself: springs along slides. */
  readonly moving = new THREE.Group();
  private readonly laid: {joint: Joint; lay: (from: THREE.Vector3, to: THREE.Vector3) => void}[] = [];

  /** `pin`: the radius of a joint's symbol. */
  constructor(private readonly result: Result, private readonly paint: Paint, private readonly pin: number, private readonly flat: boolean) {
    const {joint_elements: elements = [], joints, bushings = []} = result.scene;
    const fine = elements.length <= FEW;
    for (const element of elements) {
      const joint = joints[element.joint];
      if (joint) this.add(element, joint, fine);
    }
    for (const bushing of bushings) this.addBushing(bushing);
  }

  update(moment: Moment) {
    for (const {joint, lay} of this.laid) {
      lay(vector(this.result.worldPoint(joint.parent, joint.in_parent.position, moment)),
          vector(this.result.worldPoint(joint.child, joint.in_child.position, moment)));
    }
  }

  private add({kind, name}: JointElement, joint: Joint, fine: boolean) {
    const label = (object: THREE.Object3D) => object.traverse((part) => (part.userData.label = `${kind} ${name}`));
    if (slides(joint) && kind !== 'motor') {
      const moment = {index: 0, fraction: 0};
      const length = vector(this.result.worldPoint(joint.parent, joint.in_parent.position, moment))
        .distanceTo(vector(this.result.worldPoint(joint.child, joint.in_child.position, moment)));
      const made = kind === 'spring' ? new Coil(this.paint.named('spring'), 1.5 * this.pin, Math.max(length, 4 * this.pin), fine)
        : new Dashpot(this.paint.named('damper'), this.paint.named('strut'), 0.8 * this.pin, Math.max(length, 4 * this.pin));
      const object = made instanceof Coil ? made.mesh : made.group;
      label(object);
      this.moving.add(object);
      this.laid.push({joint, lay: (from, to) => made.lay(from, to)});
      return;
    }
    const object = kind === 'spring' ? this.spiral(fine) : kind === 'damper' ? this.ring(fine) : this.drum(joint);
    label(object);
    this.still.push({body: joint.child, frame: joint.in_child, object});
  }

  private spiral(fine: boolean): THREE.Object3D {
    const [p, rise] = [this.pin, this.flat ? 0 : 1.6 * this.pin];
    const curve = new Spiral(this.flat ? 1.1 * p : 1.35 * p, this.flat ? 2.1 * p : 1.35 * p, rise);
    const mesh = new THREE.Mesh(new THREE.TubeGeometry(curve, fine ? 70 : 32, 0.14 * p, fine ? 7 : 4), this.paint.named('spring'));
    if (this.flat) mesh.position.z = 0.3 * p;
    return mesh;
  }

  private ring(fine: boolean): THREE.Object3D {
    return new THREE.Mesh(new THREE.TorusGeometry(1.3 * this.pin, 0.26 * this.pin, fine ? 10 : 6, fine ? 36 : 14), this.paint.named('damper'));
  }

  private drum(joint: Joint): THREE.Object3D {
    const p = this.pin;
    const geometry = slides(joint) ? new THREE.BoxGeometry(2.3 * p, 2.3 * p, 2.2 * p)
      : new THREE.CylinderGeometry(1.65 * p, 1.65 * p, this.flat ? 0.3 * p : 1.7 * p, 40).rotateX(Math.PI / 2);
    const mesh = new THREE.Mesh(geometry, this.paint.named('motor'));
    if (this.flat) mesh.position.z = -0.2 * p;
    return mesh;
  }

  /** Rubber between two plates. */
  private addBushing({name, parent, in_parent: frame}: Bushing) {
    const object = new THREE.Group();
    const p = 1.5 * this.pin;
    const part = (radius: number, height: number, at: number, colour: string) => {
      const mesh = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, height, 32).rotateX(Math.PI / 2), this.paint.named(colour));
      mesh.position.z = at;
      mesh.userData.label = `bushing ${name}`;
      object.add(mesh);
    };
    part(p, 1.1 * p, 0, 'damper');
    part(1.15 * p, 0.25 * p, 0.6 * p, 'joint');
    part(1.15 * p, 0.25 * p, -0.6 * p, 'joint');
    this.still.push({body: parent, frame, object});
  }

  /** Puts what does not move by itself into its body's frame. */
  attach(frameOf: (body: number) => THREE.Object3D): THREE.Object3D[] {
    return this.still.map(({body, frame, object}) => {
      const holder = new THREE.Group();
      place(holder, frame);
      holder.add(object);
      frameOf(body).add(holder);
      return holder;
    });
  }
}
