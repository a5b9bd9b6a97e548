// The data that the program puts into the page (src/io/report.cc), and what is read from them.

import type {StoredSweep} from './sweep_data';

export type Vector = [number, number, number];
/** w, x, y, z */
export type Quaternion = [number, number, number, number];

export interface Frame {
  position: Vector;
  quaternion: Quaternion;
}

/** Red, green, blue and opacity from 0 to 1. */
export type Color = [number, number, number, number];

export interface Shape extends Frame {
  box?: Vector;
  cylinder?: {radius: number; length: number};
  sphere?: {radius: number};
  capsule?: {radius: number; length: number};
  /** Half the axes. */
  ellipsoid?: Vector;
  /** Triangles from `first` on have the colour of a part, up to those of the next. */
  mesh?: {vertices: string; triangles: string; parts?: {first: number; color: Color}[]};
  color?: Color;
}

export interface Body {
  name: string;
  mass: number;
  com: Vector;
  equal_box: {size: Vector; quaternion: Quaternion} | null;
  shapes: Shape[];
}

/** Body indices; -1 is the ground. */
export interface Joint {
  name: string;
  type: string;
  parent: number;
  child: number;
  closes_loop: boolean;
  implicit: boolean;
  in_parent: Frame;
  in_child: Frame;
}

export interface Point {
  name: string;
  body: number;
  at: Vector;
}

/** What a segment of a tendon goes round: z is the axis of a cylinder. */
export interface Wrap extends Frame {
  segment: number;
  body: number;
  kind: 'circle' | 'cylinder' | 'sphere';
  radius: number;
  /** Towards which it passes, in its frame; null: the shorter way. */
  side: Vector | null;
}

export interface Tendon {
  name: string;
  path: Point[];
  /** Missing in results of earlier versions. */
  wraps?: Wrap[];
  rest_length: number;
  tension_only: boolean;
  /** Missing in results of earlier versions, as all that the scene has below tendons. */
  stiff?: boolean;
  damped?: boolean;
  muscle?: boolean;
}

/** What acts in a joint: `joint` is its index. */
export interface JointElement {
  kind: 'spring' | 'damper' | 'motor';
  name: string;
  joint: number;
}

export interface Bushing {
  name: string;
  parent: number;
  child: number;
  in_parent: Frame;
  in_child: Frame;
}

export interface Load {
  name: string;
  kind: 'force' | 'moment';
  body: number;
  at: Vector;
  in_body_axes: boolean;
}

export interface Scene {
  name: string;
  dimension: 2 | 3;
  gravity: Vector;
  /** Of the ground. */
  world_shapes?: Shape[];
  bodies: Body[];
  joints: Joint[];
  points: Point[];
  tendons: Tendon[];
  joint_elements?: JointElement[];
  bushings?: Bushing[];
  loads?: Load[];
}

export interface Claims {
  order: string;
  energy: string;
  energy_exact: boolean;
  momenta_exact: boolean;
  constraints: string;
  symplectic: boolean;
}

/** One of the four verdicts: `exact` to rounding, within the method's `order`, `none` promised, `broken`. */
export interface StoredVerdict {
  state: 'exact' | 'order' | 'none' | 'broken';
  figure: number | null;
  text: string;
}

/** `torsor run --json`, as far as the page reads it. */
export interface Ledger {
  model: string;
  formulation: string;
  integrator: string;
  step: number;
  steps: number;
  time: number;
  wall_seconds: number;
  realtime_factor: number;
  energy: {
    initial: number;
    final: number;
    max_error: number;
    mean_error: number;
    work: number;
    dissipated: number;
    max_residual: number;
    scale: number;
    work_by: Record<string, number>;
    dissipated_by: Record<string, number>;
    /** What rounding did by singular positions and was taken out of the rates [J]; missing if nothing was. */
    returned?: number;
  };
  constraints: {
    position_max: number | null;
    velocity_max: number | null;
    assembled: string | null;
    singular_times: number[];
  };
  momentum: {linear_max_error: number | null; angular_max_error: number | null};
  unit_length_max_error: number | null;
  /** Missing in results of earlier versions. */
  accuracy?: {
    verdict: string;
    warning: string | null;
    indicator: {order: number; tolerance: number | null; phase: number; turn: number; turn_body: string; turn_time: number};
    digits?: Record<string, number>;
    verification?: {
      against: string;
      size: number;
      motion: {channel: string; error: number; time: number};
      worst: Record<string, {channel: string; unit: string; digits: number | null; error: number; time: number}>;
      trusted: {to: number; until: number | null}[];
      failure: string | null;
    };
    steps?: {asked: number; estimated: number; least_step: number; most_step: number; shortfall: string | null};
  };
  newton: {iterations_mean: number; iterations_max: number; evaluations: number};
  status: string;
  /** Missing in results of earlier versions. */
  verdicts?: Partial<Record<'energy' | 'constraints' | 'momenta' | 'motion', StoredVerdict>>;
}

export interface Settings {
  formulation: string;
  integrator: string;
  options: Record<string, number | string>;
  tolerance: number | null;
  step: number;
  duration: number;
  record_every: number;
}

interface StoredColumn {
  unit: string;
  width: number;
  type: 'float32' | 'float64';
  data: string;
  components?: string[];
}

export interface StoredResult {
  name: string;
  version: string;
  records: number;
  every: number;
  frames: number;
  // Kinds of quantity that the page does without, for its size: `bodies/*/velocity`.
  left_out?: string[];
  /** Whether poses have single precision, for its size. */
  single?: boolean;
  scene: Scene;
  model: string;
  settings: Settings | null;
  claims: Claims | null;
  ledger: Ledger | null;
  columns: Record<string, StoredColumn>;
}

/** A turn about, or a slide along, an axis of the frame that the part before it has moved. */
export interface MovingPart {
  kind: 'turn' | 'slide';
  axis: 0 | 1 | 2;
  /** Of a turn that advances [m/rad]. */
  pitch?: number;
  label: string;
  unit: string;
  start: number;
  lower: number;
  upper: number;
}

/** How the page moves a joint of a tree; `rest` is a turn behind all parts. */
export interface MovingJoint {
  joint: number;
  parts: MovingPart[];
  rest: Quaternion;
}

/** Closed positions along one coordinate: com and quaternion of every body at each value. */
export interface PositionTable {
  label: string;
  unit: string;
  /** Index of the start among the values. */
  start: number;
  values: string;
  poses: string;
}

/** The start of a model instead of a run (`torsor show`). */
export interface Show {
  dof: number;
  assembled: string | null;
  /** Of a tree. */
  joints?: MovingJoint[];
  /** Of a mechanism with loops. */
  tables?: PositionTable[];
}

/** A mode of `torsor modes --report`: it has settings of its own, and no ledger. */
export const isMode = (stored: StoredResult) => stored.settings?.formulation === 'small motions';

/** Where models or settings of several results differ; null where one has no such key. */
export interface Difference {
  key: string;
  values: (string | null)[];
}

export interface Payload {
  format: 1;
  version: string;
  results: StoredResult[];
  differences?: Difference[];
  show?: Show;
  /** A table of many runs (`torsor sweep`); there are no results then. */
  sweep?: StoredSweep;
}

export function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

export function float64Of(base64: string): Float64Array {
  return new Float64Array(bytesOf(base64).buffer);
}

export function float32Of(base64: string): Float32Array {
  return new Float32Array(bytesOf(base64).buffer);
}

export function int32Of(base64: string): Int32Array {
  return new Int32Array(bytesOf(base64).buffer);
}

export interface Column {
  values: Float64Array | Float32Array;
  width: number;
  unit: string;
  components: string[];
}

/** A body's or joint's name as one part of a dataset's path (hdf5_link_name of the program). */
export function linkName(name: string): string {
  return name.replaceAll('/', '%2F').replace(/^\./, '%2E');
}

/** Columns are decoded when first asked for: a page of many bodies shows few of them at a time. */
export class Columns {
  private readonly decoded = new Map<string, Column>();

  constructor(private readonly stored: Record<string, StoredColumn>) {}

  find(path: string): Column | undefined {
    const known = this.decoded.get(path);
    if (known) return known;
    const stored = this.stored[path];
    if (!stored) return undefined;
    const bytes = bytesOf(stored.data).buffer;
    const values = stored.type === 'float64' ? new Float64Array(bytes) : new Float32Array(bytes);
    const column = {values, width: stored.width, unit: stored.unit, components: stored.components ?? []};
    this.decoded.set(path, column);
    return column;
  }

  has(path: string): boolean {
    return path in this.stored;
  }

  /** What there is of a column without decoding it. */
  about(path: string): {width: number; unit: string; components: string[]} | undefined {
    const stored = this.stored[path];
    return stored && {width: stored.width, unit: stored.unit, components: stored.components ?? []};
  }

  get paths(): string[] {
    return Object.keys(this.stored);
  }

  /** The names below a group: `work` -> the sources. */
  names(group: string): string[] {
    const start = group + '/';
    const names = Object.keys(this.stored)
      .filter((path) => path.startsWith(start))
      .map((path) => path.slice(start.length).split('/')[0]);
    return [...new Set(names)];
  }
}
