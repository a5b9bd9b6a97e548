// The start of a model, and sliders that move its joints.

import {byId, element} from './dom';
import {count, quantity} from './format';
import {float32Of, float64Of, Frame, MovingJoint, PositionTable, Quaternion, Show, Vector} from './payload';
import {Pose, Result, rotate, slerp} from './result';

const SLIDER_STEPS = 1000;

const multiply = ([a, b, c, d]: Quaternion, [w, x, y, z]: Quaternion): Quaternion => [
  a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y,
  a * y - b * z + c * w + d * x, a * z + b * y - c * x + d * w];
const conjugate = ([w, x, y, z]: Quaternion): Quaternion => [w, -x, -y, -z];
const plus = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const minus = (a: Vector): Vector => [-a[0], -a[1], -a[2]];
const after = (a: Frame, b: Frame): Frame =>
  ({position: plus(a.position, rotate(a.quaternion, b.position)), quaternion: multiply(a.quaternion, b.quaternion)});
const inverse = ({position, quaternion}: Frame): Frame =>
  ({position: rotate(conjugate(quaternion), minus(position)), quaternion: conjugate(quaternion)});
const unit = (axis: number, length: number): Vector => [0, 1, 2].map((i) => (i === axis ? length : 0)) as Vector;
const HOME: Frame = {position: [0, 0, 0], quaternion: [1, 0, 0, 0]};

/** The motion that a joint's parts make at these values. */
export function jointMotion({parts, rest}: MovingJoint, values: number[]): Frame {
  const moved = parts.reduce((frame, {kind, axis, pitch}, i) => after(frame, kind === 'slide'
    ? {position: unit(axis, values[i]), quaternion: [1, 0, 0, 0]}
    : {position: unit(axis, (pitch ?? 0) * values[i]),
       quaternion: [Math.cos(values[i] / 2), ...unit(axis, Math.sin(values[i] / 2))] as Quaternion}), HOME);
  return after(moved, {position: [0, 0, 0], quaternion: rest});
}

/** Poses of all bodies of a tree, from the ground outwards. */
export function treePoses(result: Result, joints: MovingJoint[], values: number[][]): Pose[] {
  const {scene} = result;
  const frames: (Frame | undefined)[] = scene.bodies.map(() => undefined);
  const frameOf = (body: number): Frame => {
    if (body < 0) return HOME;
    const known = frames[body];
    if (known) return known;
    const at = joints.findIndex(({joint}) => scene.joints[joint].child === body);
    const {parent, in_parent, in_child} = scene.joints[joints[at].joint];
    const motion = after(in_parent, jointMotion(joints[at], values[at]));
    return (frames[body] = after(after(frameOf(parent), motion), inverse(in_child)));
  };
  return scene.bodies.map(({com}, i) => {
    const {position, quaternion} = frameOf(i);
    return {com: plus(position, rotate(quaternion, com)), quaternion};
  });
}

/** Between two places of a table on the straight line and the shortest arc. */
function tablePoses(values: Float64Array, poses: Float32Array, bodies: number, value: number): Pose[] {
  let index = 0;
  while (index + 2 < values.length && values[index + 1] <= value) ++index;
  const next = Math.min(index + 1, values.length - 1);
  const fraction = next > index ? (value - values[index]) / (values[next] - values[index]) : 0;
  const at = (place: number, body: number) => Array.from(poses.subarray(7 * (place * bodies + body), 7 * (place * bodies + body + 1)));
  return Array.from({length: bodies}, (_, body) => {
    const [here, there] = [at(index, body), at(next, body)];
    return {
      com: [0, 1, 2].map((i) => here[i] + fraction * (there[i] - here[i])) as Vector,
      quaternion: slerp(here.slice(3) as Quaternion, there.slice(3) as Quaternion, fraction),
    };
  });
}

/** Some of what sliders lead to: closed positions all along, joints of a tree half of their way to either side. */
export function reachablePoses(result: Result, {joints, tables}: Show): Pose[][] {
  const bodies = result.scene.bodies.length;
  const closed = (tables ?? []).flatMap(({values, poses}) => {
    const [all, numbers] = [float64Of(values), float32Of(poses)];
    return Array.from(all).filter((_, i) => i % 5 === 0 || i === all.length - 1).map((value) => tablePoses(all, numbers, bodies, value));
  });
  const start = (joints ?? []).map(({parts}) => parts.map((part) => part.start));
  const moved = (joints ?? []).flatMap(({parts}, j) => parts.flatMap((part, i) => [part.lower, part.upper].map((end) => {
    const values = start.map((list) => [...list]);
    values[j][i] = (part.start + end) / 2;
    return treePoses(result, joints!, values);
  })));
  return [...closed, ...moved];
}

interface Slider {
  row: HTMLElement;
  set(value: number): void;
}

function slider(label: string, unitText: string, start: number, lower: number, upper: number, moved: (value: number) => void): Slider {
  const input = element('input', {type: 'range', min: String(lower), max: String(upper), 'aria-label': label,
                                  step: String((upper - lower) / SLIDER_STEPS || 1), value: String(start)});
  const value = element('output');
  const shown = (now: number) => (value.textContent = unitText === 'rad'
    ? `${quantity(now, 'rad', 3)} (${Math.round((now * 180) / Math.PI)}°)` : quantity(now, unitText, 3));
  const set = (now: number) => {
    input.value = String(now);
    shown(now);
  };
  input.addEventListener('input', () => {
    shown(input.valueAsNumber);
    moved(input.valueAsNumber);
  });
  set(start);
  return {row: element('label', {class: 'joint-slider'}, element('span', {}, label), input, value), set};
}

function treeSliders(result: Result, joints: MovingJoint[], request: () => void) {
  const start = joints.map(({parts}) => parts.map((part) => part.start));
  const values = start.map((list) => [...list]);
  const place = () => {
    result.posed = treePoses(result, joints, values);
    request();
  };
  const all = joints.flatMap(({parts}, j) => parts.map((part, i) => slider(part.label, part.unit, part.start, part.lower, part.upper,
    (value) => {
      values[j][i] = value;
      place();
    })));
  const reset = () => {
    start.forEach((list, j) => (values[j] = [...list]));
    start.flat().forEach((value, i) => all[i].set(value));
    place();
  };
  place();
  return {rows: all.map(({row}) => row), reset};
}

function tableSliders(result: Result, tables: PositionTable[], request: () => void) {
  const decoded = tables.map(({values, poses}) => ({values: float64Of(values), poses: float32Of(poses)}));
  const all = tables.map(({label, unit: unitText, start}, i) => {
    const {values, poses} = decoded[i];
    return slider(label, unitText, values[start], values[0], values[values.length - 1], (value) => {
      all.forEach((other, k) => k !== i && other.set(decoded[k].values[tables[k].start]));
      result.posed = tablePoses(values, poses, result.scene.bodies.length, value);
      request();
    });
  });
  const reset = () => {
    all.forEach((other, k) => other.set(decoded[k].values[tables[k].start]));
    result.posed = null;
    request();
  };
  return {rows: all.map(({row}) => row), reset};
}

/** The page of a start: what belongs to a run gives way to sliders. */
export function showStart(result: Result, show: Show, request: () => void) {
  const {scene} = result;
  byId('title').textContent = scene.name;
  document.title = `${scene.name} · start`;
  const loops = scene.joints.filter(({closes_loop}) => closes_loop).length;
  byId('facts').textContent = ['start', count(scene.bodies.length, 'body', 'bodies'),
    count(scene.joints.filter(({implicit}) => !implicit).length, 'joint'), loops ? count(loops, 'loop') : '',
    count(show.dof, 'degree of freedom', 'degrees of freedom'), show.assembled ? `assembled: ${show.assembled}` : '']
    .filter(Boolean).join(' · ');
  for (const id of ['follow', 'traces', 'arrows', 'clip', 'share', 'tab-ledger', 'badges']) byId(id).hidden = true;
  document.querySelector<HTMLElement>('.transport')!.hidden = true;
  byId('tab-plots').textContent = 'Joints';
  const {rows, reset} = show.joints ? treeSliders(result, show.joints, request) : tableSliders(result, show.tables ?? [], request);
  const back = element('button', {}, 'Back to the start');
  back.addEventListener('click', reset);
  const note = show.joints || rows.length < 2 ? '' : 'Each slider moves the closed mechanism from its start; the other sliders go back to the start.';
  byId('plots').append(element('div', {class: 'joint-sliders'}, ...(rows.length ? rows : ['No joint can be moved.']),
    ...(rows.length ? [back] : []), ...(note ? [element('p', {class: 'nothing'}, note)] : [])));
}
