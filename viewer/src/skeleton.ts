// How a body looks where the model gives it no shape: rods between its joints, struts to its points.

import {Body, Scene, Shape, Vector} from './payload';
import {rotate} from './result';

export interface Rod {
  from: Vector;
  to: Vector;
  /** A strut carries a point or leads from a shape to a joint; a rod is the body itself. */
  strut: boolean;
  /** Inside a shape, and worth drawing only where the shape is too thin to be seen. */
  hidden: boolean;
}

export interface Skeleton {
  rods: Rod[];
  /** The far end of a body that hangs in one joint. */
  tip: Vector | null;
  /** Whether the box of equal inertia stands for it. */
  boxed: boolean;
  /** Largest distance between two of its parts. */
  extent: number;
}

const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const along = (a: Vector, b: Vector, s: number): Vector =>
  [a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1]), a[2] + s * (b[2] - a[2])];
const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const distance = (a: Vector, b: Vector) => Math.hypot(...minus(a, b));

const SAME = 1e-9;

function distinct(points: Vector[]): Vector[] {
  return points.filter((p, i) => points.findIndex((q) => distance(p, q) < SAME) === i);
}

/** Where the body's joints are, in its frame. A free joint holds nothing. */
export function jointPlaces(scene: Scene, body: number): Vector[] {
  const places: Vector[] = [];
  for (const joint of scene.joints) {
    if (joint.type === 'free') continue;
    if (joint.child === body) places.push(joint.in_child.position);
    if (joint.parent === body) places.push(joint.in_parent.position);
  }
  return distinct(places);
}

function nearestOnRods(rods: Rod[], p: Vector): Vector | null {
  let best: Vector | null = null;
  for (const {from, to} of rods) {
    const line = minus(to, from);
    const s = Math.min(1, Math.max(0, dot(minus(p, from), line) / dot(line, line)));
    const foot = along(from, to, s);
    if (!best || distance(foot, p) < distance(best, p)) best = foot;
  }
  return best;
}

function mean(points: Vector[]): Vector {
  const sum = points.reduce((a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]], [0, 0, 0]);
  return sum.map((x) => x / points.length) as Vector;
}

type Frame = Pick<Skeleton, 'rods' | 'tip' | 'boxed'>;

/**
 * Two joints: a rod between them. More: a star. One: in the plane a rod through the centre of mass to the other side, in space
 * a rod to the box of equal inertia there, whose spin can be seen. None: the box alone.
 */
function bareFrame({com, equal_box: box}: Body, joints: Vector[], dimension: number): Frame {
  const rod = (from: Vector, to: Vector): Rod[] =>
    distance(from, to) < SAME ? [] : [{from, to, strut: false, hidden: false}];
  if (joints.length === 2) return {rods: rod(joints[0], joints[1]), tip: null, boxed: false};
  if (joints.length > 2) {
    const hub = mean(joints);
    return {rods: joints.flatMap((joint) => rod(hub, joint)), tip: null, boxed: false};
  }
  if (joints.length === 0 || distance(joints[0], com) < SAME) return {rods: [], tip: null, boxed: box !== null};
  const length = distance(joints[0], com);
  // A body as thin as a rod is one.
  const fits = box !== null && Math.max(...box.size) < 3 * length && box.size.filter((edge) => edge > 0.1 * length).length > 1;
  if (dimension === 3 && fits) return {rods: rod(joints[0], com), tip: null, boxed: true};
  const tip = along(joints[0], com, 2);
  return {rods: rod(joints[0], tip), tip, boxed: false};
}

function shapeStruts(body: Body, joints: Vector[]): Rod[] {
  return joints.filter((joint) => distance(joint, body.com) > SAME)
    .map((joint) => ({from: joint, to: body.com, strut: true, hidden: body.shapes.some((shape) => reaches(shape, joint))}));
}

/** Whether a point lies in a shape or close to its surface; of a mesh only the box around it is known. */
function reaches(shape: Shape, point: Vector): boolean {
  const [w, x, y, z] = shape.quaternion;
  const p = rotate([w, -x, -y, -z], minus(point, shape.position));
  const near = (x: number, half: number) => Math.abs(x) <= 1.05 * half;
  if (shape.box) return shape.box.every((edge, i) => near(p[i], edge / 2));
  if (shape.sphere) return near(Math.hypot(...p), shape.sphere.radius);
  if (shape.ellipsoid) return near(Math.hypot(...shape.ellipsoid.map((radius, i) => p[i] / radius)), 1);
  const across = Math.hypot(p[0], p[1]);
  if (shape.cylinder) return near(across, shape.cylinder.radius) && near(p[2], shape.cylinder.length / 2);
  if (shape.capsule) {
    const {radius, length} = shape.capsule;
    return near(Math.hypot(across, Math.max(0, Math.abs(p[2]) - length / 2)), radius);
  }
  return true;
}

/** Half the smallest measure of a body's thickest shape. */
export function thickness(body: Body): number {
  return Math.max(0, ...body.shapes.map(({box, ellipsoid, sphere, cylinder, capsule}) =>
    box ? Math.min(...box) / 2 : ellipsoid ? Math.min(...ellipsoid) : (sphere ?? cylinder ?? capsule)?.radius ?? Infinity));
}

export function skeleton(scene: Scene, index: number): Skeleton {
  const body: Body = scene.bodies[index];
  const joints = jointPlaces(scene, index);
  const shaped = body.shapes.length > 0;
  const {rods, tip, boxed} = shaped ? {rods: shapeStruts(body, joints), tip: null, boxed: false}
                                    : bareFrame(body, joints, scene.dimension);
  const core = [...rods];
  for (const point of scene.points) {
    if (point.body !== index) continue;
    const foot = nearestOnRods(core, point.at) ?? (shaped ? body.com : joints[0] ?? body.com);
    if (distance(foot, point.at) > SAME) rods.push({from: foot, to: point.at, strut: true, hidden: false});
  }
  const parts = [...joints, body.com, ...(tip ? [tip] : [])];
  let extent = 0;
  for (const a of parts) for (const b of parts) extent = Math.max(extent, distance(a, b));
  return {rods, tip, boxed, extent: Math.max(extent, shapeExtent(body), boxed ? Math.max(...body.equal_box!.size) : 0)};
}

function shapeExtent(body: Body): number {
  let extent = 0;
  for (const shape of body.shapes) {
    if (shape.box) extent = Math.max(extent, ...shape.box);
    if (shape.sphere) extent = Math.max(extent, 2 * shape.sphere.radius);
    if (shape.ellipsoid) extent = Math.max(extent, 2 * Math.max(...shape.ellipsoid));
    const round = shape.cylinder ?? shape.capsule;
    if (round) extent = Math.max(extent, round.length, 2 * round.radius);
  }
  return extent;
}

/** The length by which rods, joints and tendons are sized: that of a medium-sized body. */
export function typicalLength(skeletons: Skeleton[]): number {
  const extents = skeletons.map(({extent}) => extent).filter((extent) => extent > 0).sort((a, b) => a - b);
  return extents.length ? extents[extents.length >> 1] : 1;
}
