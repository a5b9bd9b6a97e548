// How much room a motion takes.

import * as THREE from 'three';
import {Body, float32Of, Shape, Vector} from './payload';
import {Result, rotate} from './result';
import {jointPlaces, Skeleton} from './skeleton';

const SAMPLES = 60;
const CORNERS = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z])));

export interface Bounds {
  /** Of the whole motion. */
  whole: THREE.Box3;
  /** Of the motion around its own centre of mass, for a camera that goes along. */
  around: THREE.Box3;
  /** Places that the motion takes: x, y, z one after the other. */
  wholePoints: number[];
  aroundPoints: number[];
}

export function centreOfMass(result: Result, frame: number): THREE.Vector3 {
  const centre = new THREE.Vector3();
  let mass = 0;
  result.scene.bodies.forEach((body, i) => {
    const weight = body.mass > 0 ? body.mass : 1e-9;
    const {com} = result.pose(i, {index: frame, fraction: 0});
    centre.addScaledVector(new THREE.Vector3(...com), weight);
    mass += weight;
  });
  return mass > 0 ? centre.divideScalar(mass) : centre;
}

function halfSize(shape: Shape): {centre: Vector; half: Vector} {
  const about = (half: Vector) => ({centre: [0, 0, 0] as Vector, half});
  if (shape.box) return about(shape.box.map((edge) => edge / 2) as Vector);
  if (shape.sphere) return about([shape.sphere.radius, shape.sphere.radius, shape.sphere.radius]);
  if (shape.ellipsoid) return about(shape.ellipsoid);
  if (shape.cylinder) return about([shape.cylinder.radius, shape.cylinder.radius, shape.cylinder.length / 2]);
  if (shape.capsule) {
    const {radius, length} = shape.capsule;
    return about([radius, radius, length / 2 + radius]);
  }
  const vertices = new THREE.BufferAttribute(float32Of(shape.mesh!.vertices), 3);
  const box = new THREE.Box3().setFromBufferAttribute(vertices);
  return {centre: box.getCenter(new THREE.Vector3()).toArray(), half: box.getSize(new THREE.Vector3()).multiplyScalar(0.5).toArray()};
}

/** Corners of the boxes around a body's shapes; of the box that stands for a body without any. */
function solidCorners(body: Body, {boxed}: Skeleton): Vector[] {
  return shapeCorners(boxed
    ? [{position: body.com, quaternion: body.equal_box!.quaternion, box: body.equal_box!.size}] : body.shapes);
}

function shapeCorners(shapes: Shape[]): Vector[] {
  return shapes.flatMap((shape) => {
    const {centre, half} = halfSize(shape);
    return CORNERS.map((signs) => {
      const corner = rotate(shape.quaternion, centre.map((c, k) => c + signs[k] * half[k]) as Vector);
      return corner.map((x, k) => x + shape.position[k]) as Vector;
    });
  });
}

/** Points of each body from its centre of mass, in its axes. */
function bodyPoints({scene}: Result, skeletons: Skeleton[]): Vector[][] {
  return scene.bodies.map((body, i) => {
    const {tip} = skeletons[i];
    const named = scene.points.filter((point) => point.body === i).map(({at}) => at);
    return [body.com, ...jointPlaces(scene, i), ...(tip ? [tip] : []), ...named, ...solidCorners(body, skeletons[i])]
      .map((at) => at.map((x, k) => x - body.com[k]) as Vector);
  });
}

export function motionBounds(result: Result, skeletons: Skeleton[], size: number): Bounds {
  const whole = new THREE.Box3();
  const around = new THREE.Box3();
  const wholePoints: number[] = [];
  const aroundPoints: number[] = [];
  const wholePlace = (place: THREE.Vector3) => {
    whole.expandByPoint(place);
    wholePoints.push(place.x, place.y, place.z);
  };
  const points = bodyPoints(result, skeletons);
  const [p, q] = [new THREE.Vector3(), new THREE.Vector3()];
  const stride = Math.max(1, Math.floor(result.frames / SAMPLES));
  const include = (index: number) => {
    const centre = centreOfMass(result, index);
    points.forEach((arms, body) => {
      const {com, quaternion} = result.pose(body, {index, fraction: 0});
      for (const arm of arms) {
        wholePlace(p.set(...rotate(quaternion, arm)).add(q.set(...com)));
        p.sub(centre);
        around.expandByPoint(p);
        aroundPoints.push(p.x, p.y, p.z);
      }
    });
  };
  for (let index = 0; index < result.frames; index += stride) include(index);
  for (const poses of result.reachable) {
    result.posed = poses;
    include(0);
  }
  result.posed = null;
  for (const corner of shapeCorners(result.scene.world_shapes ?? [])) wholePlace(p.set(...corner));
  for (const joint of result.scene.joints) {
    if (joint.parent < 0 && joint.type !== 'free') wholePlace(new THREE.Vector3(...joint.in_parent.position));
  }
  for (const {body, at} of result.scene.points) if (body < 0) wholePlace(new THREE.Vector3(...at));
  const margin = 0.08 * size;
  return {whole: whole.expandByScalar(margin), around: around.expandByScalar(margin), wholePoints, aroundPoints};
}

/** Of several results. */
export function joinedBounds(all: Bounds[]): Bounds {
  const joined: Bounds = {whole: new THREE.Box3(), around: new THREE.Box3(), wholePoints: [], aroundPoints: []};
  for (const {whole, around, wholePoints, aroundPoints} of all) {
    joined.whole.union(whole);
    joined.around.union(around);
    joined.wholePoints = joined.wholePoints.concat(wholePoints);
    joined.aroundPoints = joined.aroundPoints.concat(aroundPoints);
  }
  return joined;
}
