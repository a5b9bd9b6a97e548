// The picture: scene, camera, and one picture at a time on demand.

import * as THREE from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import {Bounds, centreOfMass, motionBounds} from './bounds';
import {Clock} from './clock';
import {Mechanism, Part, shownParts} from './mechanism';
import {makeRenderer} from './renderer';
import {Result} from './result';
import {skeleton, typicalLength} from './skeleton';
import {grid, lights, roundSpacing} from './surroundings';
import {tensionRange, TensionRange} from './tendons';
import {colour, seriesColour} from './theme';
import {Trace, TracePoint} from './traces';

export type Comparison = 'overlaid' | 'side by side';

const FIELD_OF_VIEW = 30;
/** Of what is shown: below it a rod would fall between the pixels. */
const LEAST_RADIUS = 0.0016;
/** Where a motion leaves its own size so far behind, the camera goes along. */
const FAR_TRAVEL = 6;

export class Stage {
  readonly renderer: THREE.WebGLRenderer;
  readonly range: TensionRange;
  readonly flat: boolean;
  follow = false;
  mechanisms: Mechanism[] = [];
  comparison: Comparison = 'overlaid';
  gridSpacing = 0;
  /** How many pictures were drawn. */
  pictures = 0;
  private readonly scene = new THREE.Scene();
  private readonly camera: THREE.PerspectiveCamera | THREE.OrthographicCamera;
  private readonly controls: OrbitControls;
  private readonly size: number;
  private readonly up: THREE.Vector3;
  private readonly bounds: Bounds;
  private readonly visible: Record<Part, boolean>;
  private readonly centre = new THREE.Vector3();
  private traces: {trace: Trace; result: Result}[] = [];
  private tracePoints: TracePoint[] = [];
  private grid = new THREE.Group();
  private placedByHand = false;

  constructor(private readonly host: HTMLElement, private readonly results: Result[], private readonly clock: Clock,
              private readonly requestPicture: () => void) {
    this.visible = shownParts(results.map(({scene}) => scene));
    this.flat = results.every(({scene}) => scene.dimension === 2);
    this.range = tensionRange(results);
    const skeletons = results.map(({scene}) => scene.bodies.map((_, i) => skeleton(scene, i)));
    this.size = typicalLength(skeletons.flat());
    this.up = this.upwards();
    this.bounds = {whole: new THREE.Box3(), around: new THREE.Box3()};
    results.forEach((result, i) => {
      const {whole, around} = motionBounds(result, skeletons[i], this.size);
      this.bounds.whole.union(whole);
      this.bounds.around.union(around);
    });
    this.follow = diagonal(this.bounds.whole) > FAR_TRAVEL * diagonal(this.bounds.around);

    this.renderer = makeRenderer();
    host.prepend(this.renderer.domElement);
    this.camera = this.flat ? new THREE.OrthographicCamera() : new THREE.PerspectiveCamera(FIELD_OF_VIEW);
    this.camera.up.copy(this.flat ? new THREE.Vector3(0, 1, 0) : this.up);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.setUpControls();
    this.build();
    new ResizeObserver(() => (this.placedByHand ? this.resize() : this.fit())).observe(host);
    this.controls.addEventListener('start', () => (this.placedByHand = true));
    this.fit();
  }

  /** Makes all objects, with the colours of the moment. */
  build() {
    for (const {root} of this.mechanisms) root.traverse(release);
    this.scene.clear();
    this.renderer.setClearColor(colour('stage'));
    this.scene.add(...lights(this.up, this.flat, this.viewDirection()));
    this.mechanisms = this.results.map((result, i) => {
      const look = {size: this.size, least: LEAST_RADIUS * this.extent(), ghost: i > 0 && this.comparison === 'overlaid', range: this.range, up: this.up};
      const mechanism = new Mechanism(result, look);
      mechanism.root.traverse((object) => object.layers.set(1 + i));
      this.scene.add(mechanism.root);
      return mechanism;
    });
    for (const part of Object.keys(this.visible) as Part[]) this.show(part, this.visible[part]);
    this.gridSpacing = roundSpacing(this.extent());
    this.grid = grid(this.shownBox(), this.gridSpacing, this.flat ? null : this.up, this.size);
    this.scene.add(this.grid);
    this.setTraces(this.tracePoints);
  }

  show(part: Part, visible: boolean) {
    this.visible[part] = visible;
    for (const mechanism of this.mechanisms) mechanism.show(part, visible);
    this.requestPicture();
  }
  isShown(part: Part): boolean {
    return this.visible[part];
  }

  setTraces(points: TracePoint[]) {
    this.tracePoints = points;
    for (const {trace} of this.traces) {
      this.scene.remove(trace.group);
      trace.dispose();
    }
    this.traces = points.flatMap((point, i) => this.results
      .filter(({scene}) => scene.bodies[point.body])
      .map((result) => {
        const second = result.index > 0;
        const trace = new Trace(result, point, new THREE.Color(second ? colour('ghost') : seriesColour(i)),
                                new THREE.Color(colour('stage')), second ? 1.25 : 1.75);
        trace.group.traverse((object) => object.layers.set(1 + result.index));
        this.scene.add(trace.group);
        return {trace, result};
      }));
    this.requestPicture();
  }

  setComparison(comparison: Comparison) {
    this.comparison = comparison;
    this.build();
    this.resize();
    this.fit();
  }

  setFollow(on: boolean) {
    this.follow = on;
    this.build();
    this.fit();
  }

  /** Shows the whole motion, from the front in the plane, from above and aside in space. */
  fit() {
    this.placedByHand = false;
    const box = this.shownBox();
    const centre = box.getCenter(new THREE.Vector3());
    this.placeCentre();
    if (this.follow) centre.add(this.centre);
    const back = this.flat ? new THREE.Vector3(0, 0, 1) : this.viewDirection();
    const right = new THREE.Vector3().crossVectors(this.camera.up, back).normalize();
    const upwards = new THREE.Vector3().crossVectors(back, right);
    const half = box.getSize(new THREE.Vector3()).multiplyScalar(0.5);
    const aspect = this.aspect();
    const slope = Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
    let distance = 1e-6;
    let height = 1e-6;
    for (const corner of [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => new THREE.Vector3(x, y, z))))) {
      corner.multiply(half);
      const reach = Math.max(Math.abs(corner.dot(upwards)), Math.abs(corner.dot(right)) / aspect);
      height = Math.max(height, reach);
      distance = Math.max(distance, corner.dot(back) + reach / slope);
    }
    if (this.camera instanceof THREE.OrthographicCamera) {
      this.camera.userData.height = 1.06 * height;
      this.camera.zoom = 1;
      distance = 10 * half.length() + 10 * this.size;
    }
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(back, 1.05 * distance);
    this.camera.near = 0.01 * distance;
    this.camera.far = 20 * distance;
    this.resize();
    this.controls.update();
    this.requestPicture();
  }

  /** Has the shaders compiled in the background, while others build their parts of the page. */
  prepare() {
    this.renderer.compile(this.scene, this.camera);
  }

  /** Draws the picture of the clock's time. */
  render() {
    this.results.forEach((result, i) => this.mechanisms[i].update(result.moment(this.clock.time)));
    for (const {trace, result} of this.traces) trace.update(result.moment(this.clock.time));
    this.goAlong();
    const {width, height} = this.pixels();
    const split = this.comparison === 'side by side' && this.results.length > 1;
    this.renderer.setScissorTest(split);
    this.results.forEach((_, i) => {
      if (!split && i > 0) return;
      if (split) {
        this.renderer.setViewport((i * width) / 2, 0, width / 2, height);
        this.renderer.setScissor((i * width) / 2, 0, width / 2, height);
      } else {
        this.renderer.setViewport(0, 0, width, height);
      }
      this.camera.layers.set(0);
      if (split) this.camera.layers.enable(1 + i);
      else this.results.forEach((_r, k) => this.camera.layers.enable(1 + k));
      this.renderer.render(this.scene, this.camera);
    });
    ++this.pictures;
  }

  /** What lies under a place of the canvas (in pixels of the page). */
  labelAt(x: number, y: number): string | null {
    const {width, height} = this.pixels();
    const split = this.comparison === 'side by side' && this.results.length > 1;
    const half = split ? width / 2 : width;
    const pane = split && x > half ? 1 : 0;
    const pointer = new THREE.Vector2((2 * (x - pane * half)) / half - 1, 1 - (2 * y) / height);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(pointer, this.camera);
    ray.layers.set(1 + pane);
    const hits = ray.intersectObjects(this.mechanisms.map(({root}) => root), true);
    return hits.find(({object}) => object.userData.label && shown(object))?.object.userData.label ?? null;
  }

  /** Of all that the camera is to show at once. */
  private extent(): number {
    return Math.max(diagonal(this.shownBox()), 1e-9);
  }
  private shownBox(): THREE.Box3 {
    return this.follow ? this.bounds.around : this.bounds.whole;
  }

  private upwards(): THREE.Vector3 {
    const gravity = new THREE.Vector3(...this.results[0].scene.gravity);
    if (gravity.length() > 0) return gravity.normalize().negate();
    return this.flat ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(0, 0, 1);
  }

  private viewDirection(): THREE.Vector3 {
    const side = new THREE.Vector3(Math.abs(this.up.x) > 0.8 ? 0 : 1, Math.abs(this.up.x) > 0.8 ? 1 : 0, 0);
    side.addScaledVector(this.up, -side.dot(this.up)).normalize();
    const front = new THREE.Vector3().crossVectors(side, this.up);
    return front.addScaledVector(side, 0.45).addScaledVector(this.up, 0.38).normalize();
  }

  private setUpControls() {
    this.controls.enableDamping = false;
    if (this.flat) {
      this.controls.enableRotate = false;
      this.controls.mouseButtons.LEFT = THREE.MOUSE.PAN;
      this.controls.touches.ONE = THREE.TOUCH.PAN;
    }
    this.controls.addEventListener('change', () => this.requestPicture());
  }

  private placeCentre() {
    const result = this.results[0];
    const {index, fraction} = result.moment(this.clock.time);
    this.centre.copy(centreOfMass(result, index));
    if (fraction > 0) this.centre.lerp(centreOfMass(result, index + 1), fraction);
  }

  private goAlong() {
    this.grid.position.set(0, 0, 0);
    if (!this.follow) return;
    const before = this.centre.clone();
    this.placeCentre();
    const way = this.centre.clone().sub(before);
    this.camera.position.add(way);
    this.controls.target.add(way);
    this.camera.updateMatrixWorld();
    // By whole spacings, so that its lines stay where they are in the world.
    this.grid.position.copy(this.centre).divideScalar(this.gridSpacing).round().multiplyScalar(this.gridSpacing);
  }

  private pixels() {
    return {width: Math.max(1, this.host.clientWidth), height: Math.max(1, this.host.clientHeight)};
  }

  private aspect(): number {
    const {width, height} = this.pixels();
    const split = this.comparison === 'side by side' && this.results.length > 1;
    return (split ? width / 2 : width) / height;
  }

  private resize() {
    const {width, height} = this.pixels();
    const {x, y} = this.renderer.getSize(new THREE.Vector2());
    if (x !== width || y !== height) this.renderer.setSize(width, height);
    const aspect = this.aspect();
    if (this.camera instanceof THREE.PerspectiveCamera) {
      this.camera.aspect = aspect;
    } else {
      const half = this.camera.userData.height ?? 1;
      Object.assign(this.camera, {left: -half * aspect, right: half * aspect, top: half, bottom: -half});
    }
    this.camera.updateProjectionMatrix();
    this.requestPicture();
  }
}

function diagonal(box: THREE.Box3): number {
  return box.getSize(new THREE.Vector3()).length();
}

/** Gives back what the graphics card holds of an object; shared shapes come again when they are drawn. */
function release(object: THREE.Object3D) {
  if (!(object instanceof THREE.Mesh)) return;
  object.geometry.dispose();
  (object.material as THREE.Material).dispose();
}

function shown(object: THREE.Object3D | null): boolean {
  for (let at = object; at; at = at.parent) if (!at.visible) return false;
  return true;
}
