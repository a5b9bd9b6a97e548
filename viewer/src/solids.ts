// Meshes of rods, shapes and joint symbols. Geometries of unit size are shared.

import * as THREE from 'three';
import {RoundedBoxGeometry} from 'three/examples/jsm/geometries/RoundedBoxGeometry.js';
import {mergeGeometries, toCreasedNormals} from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import {Color, Frame, float32Of, int32Of, Shape, Vector} from './payload';

const BALL = new THREE.SphereGeometry(1, 28, 18);
/** Where there are many: a mechanism of a hundred bodies has each drawn small. */
const COARSE_BALL = new THREE.SphereGeometry(1, 12, 8);
const TUBE = new THREE.CylinderGeometry(1, 1, 1, 48); // along y
const ROD = new THREE.CylinderGeometry(1, 1, 1, 14, 1, true);
/** Edges of a mesh flatter than this are smooth. */
const CREASE = 0.6;
/** Of the smallest edge: an edge that catches the light. */
const ROUNDED = 0.07;
const Y = new THREE.Vector3(0, 1, 0);
const Y_TO_Z = new THREE.Quaternion().setFromUnitVectors(Y, new THREE.Vector3(0, 0, 1));

export function vector(v: Vector): THREE.Vector3 {
  return new THREE.Vector3(...v);
}

export function place(object: THREE.Object3D, {position, quaternion: [w, x, y, z]}: Frame) {
  object.position.set(...position);
  object.quaternion.set(x, y, z, w);
}

/** Lays a tube of unit size between two points. */
export function stretch(mesh: THREE.Object3D, from: THREE.Vector3, to: THREE.Vector3, radius: number) {
  const line = to.clone().sub(from);
  const length = line.length();
  mesh.position.copy(from).addScaledVector(line, 0.5);
  mesh.scale.set(radius, Math.max(length, 1e-12), radius);
  if (length > 0) mesh.quaternion.setFromUnitVectors(Y, line.divideScalar(length));
}

export function segment(material: THREE.Material): THREE.Mesh {
  return new THREE.Mesh(ROD, material);
}

export function ball(radius: number, material: THREE.Material, fine = true): THREE.Mesh {
  const mesh = new THREE.Mesh(fine ? BALL : COARSE_BALL, material);
  mesh.scale.setScalar(radius);
  return mesh;
}

/** A rod with round ends. */
export function rod(from: Vector, to: Vector, radius: number, material: THREE.Material, fine = true): THREE.Mesh {
  const line = vector(to).sub(vector(from));
  const length = line.length();
  const mesh = new THREE.Mesh(fine ? new THREE.CapsuleGeometry(radius, length, 5, 18) : new THREE.CapsuleGeometry(radius, length, 2, 9), material);
  mesh.position.copy(vector(from)).addScaledVector(line, 0.5);
  mesh.quaternion.setFromUnitVectors(Y, line.divideScalar(length));
  return mesh;
}

export function box(size: Vector, material: THREE.Material): THREE.Mesh {
  const [x, y, z] = size.map((edge) => Math.max(edge, 1e-9));
  return new THREE.Mesh(new RoundedBoxGeometry(x, y, z, 2, ROUNDED * Math.min(x, y, z)), material);
}

/** Along z, as the model has its cylinders. */
function tube(radius: number, length: number, material: THREE.Material): THREE.Mesh {
  const mesh = new THREE.Mesh(TUBE, material);
  mesh.quaternion.copy(Y_TO_Z);
  mesh.scale.set(radius, length, radius);
  return mesh;
}

function capsule(radius: number, length: number, material: THREE.Material): THREE.Mesh {
  const mesh = new THREE.Mesh(new THREE.CapsuleGeometry(radius, length, 10, 40), material);
  mesh.quaternion.copy(Y_TO_Z);
  return mesh;
}

function ellipsoid(radii: Vector, material: THREE.Material): THREE.Mesh {
  const mesh = ball(1, material);
  mesh.scale.set(...radii);
  return mesh;
}

function triangles(vertices: THREE.BufferAttribute, faces: Uint32Array, material: THREE.Material): THREE.Mesh {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', vertices);
  geometry.setIndex(new THREE.BufferAttribute(faces, 1));
  return new THREE.Mesh(toCreasedNormals(geometry, CREASE), material);
}

/** One object for each part of a colour. */
function surface({mesh, color}: Shape, plain: THREE.Material, tinted: (color: Color) => THREE.Material): THREE.Mesh[] {
  const vertices = new THREE.BufferAttribute(float32Of(mesh!.vertices), 3);
  const faces = new Uint32Array(int32Of(mesh!.triangles));
  const parts = color ? [] : mesh!.parts ?? [];
  const starts = [0, ...parts.map(({first}) => first)];
  return starts.flatMap((start, i) => {
    const own = faces.subarray(3 * start, i < parts.length ? 3 * starts[i + 1] : undefined);
    const material = color ? tinted(color) : i > 0 ? tinted(parts[i - 1].color) : plain;
    return own.length ? [triangles(vertices, own.slice(), material)] : [];
  });
}

/** In its own colours, or in `plain`. */
export function solid(shape: Shape, plain: THREE.Material, tinted: (color: Color) => THREE.Material): THREE.Object3D {
  const holder = new THREE.Group();
  const material = shape.color ? tinted(shape.color) : plain;
  place(holder, shape);
  if (shape.box) holder.add(box(shape.box, material));
  if (shape.cylinder) holder.add(tube(shape.cylinder.radius, shape.cylinder.length, material));
  if (shape.sphere) holder.add(ball(shape.sphere.radius, material));
  if (shape.ellipsoid) holder.add(ellipsoid(shape.ellipsoid, material));
  if (shape.capsule) holder.add(capsule(shape.capsule.radius, shape.capsule.length, material));
  if (shape.mesh) for (const part of surface(shape, plain, tinted)) holder.add(part);
  return holder;
}

/** The symbol of a joint in its own frame, z its axis; `size` is the radius of a pin. */
export function jointSymbol(type: string, size: number, flat: boolean, material: THREE.Material, fine = true): THREE.Object3D {
  const symbol = new THREE.Group();
  const length = flat ? 0.5 * size : 2.6 * size;
  switch (type) {
    case 'revolute':
    case 'helical':
      symbol.add(tube(size, length, material));
      break;
    case 'cylindrical':
      symbol.add(tube(size, 4 * size, material));
      break;
    case 'prismatic':
      symbol.add(box([1.7 * size, 1.7 * size, 3.4 * size], material));
      break;
    case 'universal': {
      const [first, second] = [tube(0.6 * size, 2.8 * size, material), tube(0.6 * size, 2.8 * size, material)];
      first.quaternion.setFromUnitVectors(Y, new THREE.Vector3(1, 0, 0));
      second.quaternion.identity();
      symbol.add(first, second);
      break;
    }
    case 'spherical':
      symbol.add(ball(1.15 * size, material, fine));
      break;
    case 'planar':
      symbol.add(box([2.6 * size, 2.6 * size, 0.4 * size], material));
      break;
    case 'free':
      break;
    default:
      symbol.add(box([1.3 * size, 1.3 * size, 1.3 * size], material));
  }
  return symbol;
}

/** All meshes below an object as one for each material, in the object's frame: far fewer calls to draw. */
export function merged(holder: THREE.Object3D): THREE.Mesh[] {
  holder.updateMatrixWorld(true);
  const inverse = holder.matrixWorld.clone().invert();
  const groups = new Map<THREE.Material, THREE.BufferGeometry[]>();
  holder.traverse((object) => {
    if (!(object instanceof THREE.Mesh)) return;
    const geometry = (object.geometry as THREE.BufferGeometry).clone().applyMatrix4(inverse.clone().multiply(object.matrixWorld));
    const plain = geometry.index ? geometry.toNonIndexed() : geometry;
    plain.deleteAttribute('uv');
    groups.set(object.material, [...(groups.get(object.material) ?? []), plain]);
  });
  return [...groups].map(([material, geometries]) => new THREE.Mesh(mergeGeometries(geometries), material));
}
