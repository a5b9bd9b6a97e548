// The picture: scene, camera, and one picture at a time on demand.

import * as THREE from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import {ArrowKind} from './arrow_sources';
import {Arrows} from './arrows';
import {Bounds, centreOfMass, joinedBounds, motionBounds} from './bounds';
import {Clock} from './clock';
import {letter} from './dom';
import {axesOf, floats, framed, upwards, viewDirection} from './framing';
import {Mechanism, Part, shownParts} from './mechanism';
import {Pane, panesOf} from './panes';
import {Drawing, followPixelRatio, makeDrawing} from './renderer';
import {Result} from './result';
import {Scenery} from './scenery';
import {skeleton, typicalLength} from './skeleton';
import {lights} from './surroundings';
import {tensionRange, TensionRange} from './tendons';
import {colour, seriesColour} from './theme';
import {Trace, TracePoint} from './traces';

export type Comparison = 'overlaid' | 'side by side';

const FIELD_OF_VIEW = 28;
const SLOPE = Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
/** Of what is shown: below it a rod would fall between the pixels. */
const LEAST_RADIUS = 0.0016;
/** Where something that floats leaves its own size so far behind, the camera goes along. */
const FAR_TRAVEL = 3.5;
/** What casts a shadow, and what does not: the bodies of a result, its traces and arrows. */
const SOLID = 1;
const LINES = 16;

export class Stage {
  readonly range: TensionRange;
  readonly flat: boolean;
  follow = false;
  mechanisms: Mechanism[] = [];
  comparison: Comparison = 'overlaid';
  /** How many pictures were drawn. */
  pictures = 0;
  private readonly drawing: Drawing;
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
  private arrows: {arrows: Arrows; result: Result}[] = [];
  private arrowKinds: ArrowKind[] = [];
  private scenery: Scenery | null = null;
  private placedByHand = false;
  private readonly viewListeners: (() => void)[] = [];

  constructor(private readonly host: HTMLElement, private readonly results: Result[], private readonly clock: Clock,
              private readonly requestPicture: () => void) {
    this.visible = shownParts(results.map(({scene}) => scene));
    this.flat = results.every(({scene}) => scene.dimension === 2);
    this.range = tensionRange(results);
    const skeletons = results.map(({scene}) => scene.bodies.map((_, i) => skeleton(scene, i)));
    this.size = typicalLength(skeletons.flat());
    this.up = upwards(results[0].scene.gravity, this.flat);
    this.bounds = joinedBounds(results.map((result, i) => motionBounds(result, skeletons[i], this.size)));
    this.follow = results.every(({scene}) => floats(scene)) && diagonal(this.bounds.whole) > FAR_TRAVEL * diagonal(this.bounds.around);

    this.drawing = makeDrawing();
    const canvas = this.renderer.domElement;
    host.prepend(canvas);
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', this.description());
    canvas.tabIndex = 0;
    this.camera = this.flat ? new THREE.OrthographicCamera() : new THREE.PerspectiveCamera(FIELD_OF_VIEW);
    this.camera.up.copy(this.flat ? new THREE.Vector3(0, 1, 0) : this.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.setUpControls();
    this.build();
    followPixelRatio(this.drawing, () => this.resize());
    new ResizeObserver(() => {
      this.measure();
      if (this.placedByHand) this.resize();
      else this.fit();
    }).observe(host);
    this.measure();
    this.fit();
  }

  /** Between two lines of the grid [m]. */
  get gridSpacing(): number {
    return this.scenery?.spacing ?? 0;
  }
  get renderer(): THREE.WebGLRenderer {
    return this.drawing.renderer;
  }

  /** Makes all objects, with the colours of the moment. */
  build() {
    for (const {root} of this.mechanisms) root.traverse(release);
    this.scene.clear();
    this.renderer.setClearColor(colour('stage'));
    this.scene.add(...lights(this.up, this.flat, viewDirection(this.up)));
    this.mechanisms = this.results.map((result, i) => {
      const ghost = i > 0 && this.comparison === 'overlaid' ? `run-${i % 6}` : null;
      const look = {size: this.size, least: LEAST_RADIUS * this.extent(), ghost, range: this.range, up: this.up};
      const mechanism = new Mechanism(result, look);
      mechanism.root.traverse((object) => object.layers.set(SOLID + i));
      this.scene.add(mechanism.root);
      return mechanism;
    });
    for (const part of Object.keys(this.visible) as Part[]) this.show(part, this.visible[part]);
    this.scenery?.dispose();
    this.scenery = new Scenery({box: this.shownBox(), size: this.size, up: this.up, flat: this.flat, software: this.drawing.software});
    this.scene.add(...this.scenery.objects);
    this.setTraces(this.tracePoints);
    this.setArrows(this.arrowKinds);
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
        const further = result.index > 0;
        const tone = further ? colour(`run-${result.index % 6}`) : seriesColour(i);
        const trace = new Trace(result, point, new THREE.Color(tone), new THREE.Color(colour('stage')), (further ? 1.6 : 1.9) * magnification());
        this.addLines(trace.group, result);
        return {trace, result};
      }));
    this.requestPicture();
  }

  /** Those kinds, with the longest value of each that is drawn. */
  setArrows(kinds: ArrowKind[]): Map<ArrowKind, number> {
    this.arrowKinds = kinds;
    for (const {arrows} of this.arrows) {
      this.scene.remove(arrows.group);
      arrows.dispose();
    }
    const longest = new Map<ArrowKind, number>();
    this.arrows = kinds.flatMap((kind) => this.results.map((result) => {
      const arrows = new Arrows(result, kind, 0.22 * this.extent(), Math.max(0.0028 * this.extent(), LEAST_RADIUS * this.extent()));
      longest.set(kind, Math.max(longest.get(kind) ?? 0, arrows.most));
      this.addLines(arrows.group, result);
      return {arrows, result};
    }));
    this.requestPicture();
    return longest;
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

  /** Shows the whole motion as large as it can be, from the front in the plane, from above and aside in space. */
  fit() {
    this.placedByHand = false;
    const back = this.flat ? new THREE.Vector3(0, 0, 1) : viewDirection(this.up);
    const points = Float64Array.from(this.follow ? this.bounds.aroundPoints : this.bounds.wholePoints);
    const frame = framed(points, axesOf(back, this.camera.up), this.aspect(), this.flat ? null : SLOPE);
    this.placeCentre();
    if (this.follow) frame.target.add(this.centre);
    const distance = frame.distance + 0.3 * this.size;
    if (this.camera instanceof THREE.OrthographicCamera) {
      this.camera.userData.height = frame.half + 0.1 * this.size;
      this.camera.zoom = 1;
    }
    this.controls.target.copy(frame.target);
    this.camera.position.copy(frame.target).addScaledVector(back, distance);
    this.setDepth(distance);
    this.resize();
    this.controls.update();
    this.requestPicture();
    for (const listener of this.viewListeners) listener();
  }

  /** Where the camera stands, looks, and how far it is zoomed: what an address keeps of it; null where nobody moved it. */
  get view(): number[] | null {
    if (!this.placedByHand) return null;
    const offset = this.follow ? this.centre : new THREE.Vector3();
    const [position, target] = [this.camera.position.clone().sub(offset), this.controls.target.clone().sub(offset)];
    return [...position.toArray(), ...target.toArray(), this.camera.zoom];
  }
  set view(numbers: number[] | null) {
    if (numbers?.length !== 7 || !numbers.every(Number.isFinite)) return;
    this.placedByHand = true;
    this.placeCentre();
    const offset = this.follow ? this.centre : new THREE.Vector3();
    this.camera.position.fromArray(numbers).add(offset);
    this.controls.target.fromArray(numbers, 3).add(offset);
    this.camera.zoom = numbers[6] > 0 ? numbers[6] : 1;
    this.setDepth(this.camera.position.distanceTo(this.controls.target));
    this.resize();
    this.controls.update();
  }
  onView(listener: () => void) {
    this.viewListeners.push(listener);
  }

  /** By keys: turns about what is looked at (in the plane: shifts), in steps. */
  turn(right: number, up: number) {
    const arm = this.camera.position.clone().sub(this.controls.target);
    if (this.flat) {
      const step = 0.08 * (this.camera.userData.height ?? 1) / this.camera.zoom;
      const way = new THREE.Vector3(-right * step, -up * step, 0);
      this.camera.position.add(way);
      this.controls.target.add(way);
    } else {
      const {right: aside} = axesOf(arm.clone().normalize(), this.camera.up);
      arm.applyAxisAngle(this.camera.up, -0.12 * right);
      const tilted = arm.clone().applyAxisAngle(aside, 0.12 * up);
      if (Math.abs(tilted.clone().normalize().dot(this.camera.up)) < 0.995) arm.copy(tilted);
      this.camera.position.copy(this.controls.target).add(arm);
    }
    this.movedByHand();
  }
  zoomBy(factor: number) {
    if (this.flat) this.camera.zoom *= factor;
    else this.camera.position.sub(this.controls.target).divideScalar(factor).add(this.controls.target);
    this.camera.updateProjectionMatrix();
    this.movedByHand();
  }

  /** Has the shaders compiled in the background, while others build their parts of the page. */
  prepare() {
    this.renderer.compile(this.scene, this.camera);
  }

  /** Draws the picture of the clock's time. */
  render() {
    this.results.forEach((result, i) => this.mechanisms[i].update(result.moment(this.clock.time)));
    for (const {trace, result} of this.traces) trace.update(result.moment(this.clock.time));
    for (const {arrows, result} of this.arrows) arrows.update(result.moment(this.clock.time));
    this.goAlong();
    const {height} = this.pixels();
    const panes = this.panes();
    const split = panes.length > 1;
    panes.forEach(({x, y, width, height: high}, i) => {
      const shown = split ? [i] : this.results.map((_, k) => k);
      this.scenery?.renderShadow(this.renderer, this.scene, shown.map((k) => SOLID + k));
      this.renderer.setScissorTest(split);
      this.renderer.setViewport(x, height - y - high, width, high);
      this.renderer.setScissor(x, height - y - high, width, high);
      this.camera.layers.set(0);
      for (const k of shown) {
        this.camera.layers.enable(SOLID + k);
        this.camera.layers.enable(LINES + k);
      }
      this.renderer.render(this.scene, this.camera);
    });
    ++this.pictures;
  }

  /** What lies under a place of the canvas (in pixels of the page), and of which run where several lie over each other. */
  labelAt(x: number, y: number): string | null {
    const panes = this.panes();
    const at = Math.max(0, panes.findIndex((pane) => x >= pane.x && x < pane.x + pane.width && y >= pane.y && y < pane.y + pane.height));
    const {x: left, y: top, width, height} = panes[at];
    const pointer = new THREE.Vector2((2 * (x - left)) / width - 1, 1 - (2 * (y - top)) / height);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(pointer, this.camera);
    const overlaid = panes.length < this.results.length;
    ray.layers.disableAll();
    this.results.forEach((_, k) => (overlaid || k === at) && ray.layers.enable(SOLID + k));
    const hits = ray.intersectObjects(this.mechanisms.map(({root}) => root), true);
    const hit = hits.find(({object}) => object.userData.label && shown(object))?.object;
    if (!hit) return null;
    const run = this.results.findIndex((_, k) => hit.layers.isEnabled(SOLID + k));
    return overlaid ? `${letter(run)}: ${hit.userData.label}` : hit.userData.label;
  }

  /** One for all results, or one for each beside each other. */
  panes(): Pane[] {
    const {width, height} = this.pixels();
    return this.comparison === 'side by side' ? panesOf(this.results.length, width, height) : [{x: 0, y: 0, width, height}];
  }

  private description(): string {
    const {scene} = this.results[0];
    return `Moving picture of ${scene.name}: ${scene.bodies.length} bodies. Space plays, the arrow keys step through time, W A S D turn the view, F fits it.`;
  }

  private addLines(group: THREE.Object3D, result: Result) {
    group.traverse((object) => object.layers.set(LINES + result.index));
    this.scene.add(group);
  }

  /** Of all that the camera is to show at once. */
  private extent(): number {
    return Math.max(diagonal(this.shownBox()), 1e-9);
  }
  private shownBox(): THREE.Box3 {
    return this.follow ? this.bounds.around : this.bounds.whole;
  }

  private setUpControls() {
    this.controls.enableDamping = false;
    if (this.flat) {
      this.controls.enableRotate = false;
      this.controls.mouseButtons.LEFT = THREE.MOUSE.PAN;
      this.controls.touches.ONE = THREE.TOUCH.PAN;
    }
    this.controls.addEventListener('change', () => this.requestPicture());
    this.controls.addEventListener('start', () => (this.placedByHand = true));
    this.controls.addEventListener('end', () => this.viewListeners.forEach((listener) => listener()));
  }

  private movedByHand() {
    this.placedByHand = true;
    this.controls.update();
    this.requestPicture();
    for (const listener of this.viewListeners) listener();
  }

  private setDepth(distance: number) {
    this.camera.near = this.flat ? 0 : 0.01 * distance;
    this.camera.far = 20 * distance + 10 * this.extent();
  }

  private placeCentre() {
    const result = this.results[0];
    const {index, fraction} = result.moment(this.clock.time);
    this.centre.copy(centreOfMass(result, index));
    if (fraction > 0) this.centre.lerp(centreOfMass(result, index + 1), fraction);
  }

  private goAlong() {
    if (!this.follow) return;
    const before = this.centre.clone();
    this.placeCentre();
    const way = this.centre.clone().sub(before);
    this.camera.position.add(way);
    this.controls.target.add(way);
    this.camera.updateMatrixWorld();
    this.scenery?.move(this.centre);
  }

  /** Of the canvas, kept: to ask the page for them at every picture would have it laid out anew. */
  private pixels() {
    const size = this.renderer.getSize(new THREE.Vector2());
    return {width: size.x, height: size.y};
  }

  private measure() {
    const [width, height] = [Math.max(1, this.host.clientWidth), Math.max(1, this.host.clientHeight)];
    const now = this.pixels();
    if (now.width !== width || now.height !== height) this.renderer.setSize(width, height);
  }

  private aspect(): number {
    const [{width, height}] = this.panes();
    return width / height;
  }

  private resize() {
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

/** Lines grow with letters on large screens. */
function magnification(): number {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) / 14;
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
