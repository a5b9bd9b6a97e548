// How much room a motion takes.

import * as THREE from 'three';
import {Result} from './result';
import {jointPlaces, Skeleton} from './skeleton';
import {Vector} from './payload';

const SAMPLES = 120;

export interface Bounds {
  /** Of the whole motion. */
  whole: THREE.Box3;
  /** Of the motion around its own centre of mass, for a camera that goes along. */
  around: THREE.Box3;
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

function bodyPoints(result: Result, skeletons: Skeleton[]): {body: number; at: Vector}[] {
  const points: {body: number; at: Vector}[] = result.scene.bodies.flatMap((body, i) => [
    {body: i, at: body.com},
    ...jointPlaces(result.scene, i).map((at) => ({body: i, at})),
    ...(skeletons[i].tip ? [{body: i, at: skeletons[i].tip!}] : []),
    ...body.shapes.map(({position}) => ({body: i, at: position})),
  ]);
  return points.concat(result.scene.points.filter(({body}) => body >= 0));
}

export function motionBounds(result: Result, skeletons: Skeleton[], size: number): Bounds {
  const whole = new THREE.Box3();
  const around = new THREE.Box3();
  const points = bodyPoints(result, skeletons);
  const stride = Math.max(1, Math.floor(result.frames / SAMPLES));
  for (let index = 0; index < result.frames; index += stride) {
    const centre = centreOfMass(result, index);
    for (const {body, at} of points) {
      const p = new THREE.Vector3(...result.worldPoint(body, at, {index, fraction: 0}));
      whole.expandByPoint(p);
      around.expandByPoint(p.sub(centre));
    }
  }
  for (const joint of result.scene.joints) {
    if (joint.parent < 0 && joint.type !== 'free') whole.expandByPoint(new THREE.Vector3(...joint.in_parent.position));
  }
  for (const {body, at} of result.scene.points) if (body < 0) whole.expandByPoint(new THREE.Vector3(...at));
  // Bodies without shape are as thick as half of a middling one is long, at most.
  const margin = 0.12 * size;
  return {whole: whole.expandByScalar(margin), around: around.expandByScalar(margin)};
}
