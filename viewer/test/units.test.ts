// What the page computes without a browser: decoding, poses between records, time, numbers, verdicts, shapes of bodies.

import assert from 'node:assert/strict';
import test from 'node:test';
import {mergedTimes, suitableSpeed} from '../src/clock';
import {number, quantity, seconds} from '../src/format';
import {ledgerRows} from '../src/ledger';
import {Columns, linkName, Scene} from '../src/payload';
import {Result} from '../src/result';
import {skeleton} from '../src/skeleton';
import {wrappedPlaces} from '../src/wrap';

const base64 = (array: Float64Array | Float32Array) => Buffer.from(array.buffer).toString('base64');
const doubles = (unit: string, width: number, values: number[]) =>
  ({unit, width, type: 'float64' as const, data: base64(new Float64Array(values))});

const IDENTITY = {position: [0, 0, 0], quaternion: [1, 0, 0, 0]};
const bare = {equal_box: null, shapes: []};

function scene(dimension: 2 | 3, changes: Partial<Scene> = {}): Scene {
  return {name: 'model', dimension, gravity: [0, 0, 0], joints: [], points: [], tendons: [],
          bodies: [{name: 'a/b', mass: 2, com: [0.5, 0, 0], ...bare}], ...changes};
}

function result(shown: Scene, columns: Record<string, ReturnType<typeof doubles>>): Result {
  return new Result({name: 'r', version: '0', records: 2, every: 1, frames: 2, scene: shown, model: '', settings: null,
                     claims: null, ledger: null, columns: {time: doubles('s', 1, [0, 2]), ...columns}}, 0);
}

test('a column is decoded to the last bit, in double and in single precision', () => {
  const values = [0.1, -1e-300, Math.PI, 5e300];
  const columns = new Columns({
    fine: doubles('m', 2, values),
    coarse: {unit: 'm', width: 1, type: 'float32', data: base64(new Float32Array(values))},
  });
  assert.deepEqual([...columns.find('fine')!.values], values);
  assert.deepEqual([...columns.find('coarse')!.values], values.map(Math.fround));
  assert.equal(columns.find('none'), undefined);
});

test('names are parts of paths as the result file has them', () => {
  assert.equal(linkName('a/b'), 'a%2Fb');
  assert.equal(linkName('.x.y'), '%2Ex.y');
});

test('a planar pose is the record on a frame, and turns through between two', () => {
  const r = result(scene(2), {
    'bodies/a%2Fb/com': doubles('m', 2, [0, 1, 4, 3]),
    'bodies/a%2Fb/angle': doubles('rad', 1, [0, 4 * Math.PI]),
  });
  assert.deepEqual(r.pose(0, r.moment(2)).com, [4, 3, 0]);
  const half = r.pose(0, r.moment(1));
  assert.deepEqual(half.com, [2, 2, 0]);
  assert.ok(Math.abs(Math.abs(half.quaternion[3]) - Math.abs(Math.sin(Math.PI))) < 1e-15);
  assert.deepEqual(r.worldPoint(0, [1.5, 0, 0], r.moment(0)), [1, 1, 0]);
});

test('between two spatial poses the body takes the shortest arc, whatever the sign of the quaternion', () => {
  const c = Math.SQRT1_2;
  const r = result(scene(3), {
    'bodies/a%2Fb/com': doubles('m', 3, [0, 0, 0, 2, 0, 0]),
    'bodies/a%2Fb/quaternion': doubles('1', 4, [1, 0, 0, 0, -c, 0, 0, -c]),
  });
  const {quaternion: [w, x, y, z]} = r.pose(0, r.moment(1));
  assert.ok(Math.abs(w - Math.cos(Math.PI / 8)) < 1e-12 && Math.abs(z - Math.sin(Math.PI / 8)) < 1e-12 && x === 0 && y === 0);
});

test('times outside the record are its ends', () => {
  const r = result(scene(2), {'bodies/a%2Fb/com': doubles('m', 2, [0, 0, 0, 0]), 'bodies/a%2Fb/angle': doubles('rad', 1, [0, 0])});
  assert.deepEqual(r.moment(-1), {index: 0, fraction: 0});
  assert.deepEqual(r.moment(9), {index: 1, fraction: 0});
  assert.deepEqual(r.moment(0.5), {index: 0, fraction: 0.25});
});

test('times of two results are merged, rounding apart', () => {
  assert.deepEqual(mergedTimes([[0, 1, 2], [0, 0.5, 1 + 1e-16, 3]]), [0, 0.5, 1, 2, 3]);
});

test('speed is real time where that can be watched', () => {
  assert.equal(suitableSpeed(50), 1);
  assert.equal(suitableSpeed(0.03), 0.002);
  assert.equal(suitableSpeed(1000), 100);
  assert.equal(suitableSpeed(0), 1);
});

test('numbers are short, with units', () => {
  assert.equal(number(0), '0');
  assert.equal(number(1.23456), '1.235');
  assert.equal(number(-12345.6), '−12346');
  assert.equal(number(3.1e-14, 2), '3.1\u202f·\u202f10⁻¹⁴');
  assert.equal(number(NaN), '–');
  assert.equal(quantity(2, 'kg m^2/s', 2), '2.0\u202fkg m²/s');
  assert.equal(seconds(7.3, 0.01), '7.30');
});

const ledger = {
  model: 'm', formulation: 'rotationless', integrator: 'energy-momentum', step: 0.01, steps: 10, time: 0.1,
  wall_seconds: 1, realtime_factor: 10,
  energy: {initial: 0, final: 0, max_error: 0, mean_error: 0, work: 0, dissipated: 0, max_residual: 1e-14, scale: 1,
           work_by: {}, dissipated_by: {}},
  constraints: {position_max: 1e-16, velocity_max: null, assembled: null, singular_times: []},
  momentum: {linear_max_error: null, angular_max_error: 1e-3},
  unit_length_max_error: null, newton: {iterations_mean: 3, iterations_max: 4, evaluations: 30}, status: 'done',
};
const claims = {order: '2', energy: 'exact', energy_exact: true, momenta_exact: true, constraints: 'exact', symplectic: false};
const scales = {energy: 1, linear: 1, angular: 1, length: 1};
const verdict = (label: string, changes = {}) =>
  ledgerRows({...ledger, ...changes}, claims, scales).find((row) => row.label === label)?.verdict.level;

test('a promise that is kept holds, one that is not fails, and what nobody promised is noted', () => {
  assert.equal(verdict('largest balance residual'), 'holds');
  assert.equal(verdict('largest balance residual', {energy: {...ledger.energy, max_residual: 1e-3}}), 'fails');
  assert.equal(verdict('largest angular error'), 'fails');
  assert.equal(verdict('energy returned there'), undefined);
  assert.equal(verdict('energy returned there', {energy: {...ledger.energy, returned: 1e-9}}), 'note');
  assert.equal(verdict('largest position error'), 'note');
  assert.equal(verdict('largest linear error'), undefined);
  assert.equal(verdict('status', {status: 'incomplete'}), 'fails');
  const unpromised = ledgerRows(ledger, {...claims, energy_exact: false}, scales);
  assert.equal(unpromised.find((row) => row.label === 'largest balance residual')?.verdict.level, 'note');
});

test('the motion has no sign where it was not measured', () => {
  const indicator = {order: 2, tolerance: null, phase: 2.1, turn: 2.4, turn_body: 'lower', turn_time: 3};
  const unresolved = {verdict: 'not resolved', warning: 'a body turns 2.4 rad in a step', indicator};
  assert.equal(verdict('steps', {accuracy: unresolved}), 'fails');
  assert.equal(verdict('steps', {accuracy: {...unresolved, verdict: 'resolved', warning: null}}), 'note');
  assert.equal(verdict('error', {accuracy: unresolved}), 'none');
  assert.equal(verdict('error'), undefined);
});

test('a body is drawn from joint to joint, or through its centre, with struts to its points', () => {
  const joint = (parent: number, child: number, at: number) =>
    ({name: 'j', type: 'revolute', parent, child, closes_loop: false, implicit: false,
      in_parent: {...IDENTITY, position: [at, 0, 0]}, in_child: IDENTITY});
  const body = {name: 'b', mass: 1, com: [0.5, 0, 0], ...bare};
  const arm = scene(2, {
    bodies: [body, body] as never,
    joints: [joint(-1, 0, 0), joint(0, 1, 2)] as never,
    points: [{name: 'horn', body: 1, at: [1, 0.4, 0]}],
  });
  assert.deepEqual(skeleton(arm, 0).rods.map(({from, to}) => [from[0], to[0]]), [[0, 2]]);
  const last = skeleton(arm, 1);
  assert.deepEqual(last.tip, [1, 0, 0]);
  assert.deepEqual(last.rods.map(({from, to, strut}) => [from, to, strut]),
                   [[[0, 0, 0], [1, 0, 0], false], [[1, 0, 0], [1, 0.4, 0], true]]);
});

test('a body in space that hangs in one joint is a rod to the box of equal inertia, one without joints the box', () => {
  const body = {name: 'b', mass: 1, com: [1, 0, 0], shapes: [], equal_box: {size: [1, 1, 0.5], quaternion: [1, 0, 0, 0]}};
  const top = (joints: unknown[]) => scene(3, {bodies: [body] as never, joints: joints as never});
  const ball = {name: 'j', type: 'spherical', parent: -1, child: 0, closes_loop: false, implicit: false,
                in_parent: IDENTITY, in_child: IDENTITY};
  const {rods, boxed, extent} = skeleton(top([ball]), 0);
  assert.deepEqual([rods.length, rods[0].to, boxed, extent], [1, [1, 0, 0], true, 1]);
  assert.deepEqual([skeleton(top([]), 0).rods.length, skeleton(top([]), 0).boxed], [0, true]);
});

test('a shape that reaches its joint needs no strut, one that does not has it', () => {
  const at = (z: number) => scene(3, {
    bodies: [{name: 'b', mass: 1, com: [0, 0, 0], equal_box: null, shapes: [{...IDENTITY, box: [1, 1, 2]}]}] as never,
    joints: [{name: 'j', type: 'spherical', parent: -1, child: 0, closes_loop: false, implicit: false,
              in_parent: IDENTITY, in_child: {...IDENTITY, position: [0, 0, z]}}] as never,
  });
  assert.equal(skeleton(at(1), 0).rods[0].hidden, true);
  assert.equal(skeleton(at(2), 0).rods[0].hidden, false);
});

test('a wrapped segment touches what it goes round, tangentially and on its surface', () => {
  const frame = {segment: 0, body: -1, position: [0, 0, 0] as [number, number, number], quaternion: [1, 0, 0, 0] as [number, number, number, number]};
  const length = (places: number[][]) => places.slice(1).reduce((sum, at, i) => sum + Math.hypot(...at.map((x, k) => x - places[i][k])), 0);
  const P: [number, number, number] = [-2, 0.3, 0];
  const Q: [number, number, number] = [2, 0.1, 0];
  for (const kind of ['circle', 'sphere'] as const) {
    const places = wrappedPlaces({...frame, kind, radius: 0.7, side: null}, P, Q, 400);
    for (const at of places) assert.ok(Math.abs(Math.hypot(...at) - 0.7) < 1e-12);
    const start = places[0];
    assert.ok(Math.abs(start.reduce((sum, x, k) => sum + x * (x - P[k]), 0)) < 1e-12);
    assert.ok(places[200][1] > 0); // the shorter way passes above
    const A = Math.hypot(...P), B = Math.hypot(...Q), s = Math.sqrt(A * A - 0.49), t = Math.sqrt(B * B - 0.49);
    const phi = Math.acos((P[0] * Q[0] + P[1] * Q[1]) / (A * B));
    const exact = s + t + 0.7 * (phi - Math.atan2(s, 0.7) - Math.atan2(t, 0.7));
    assert.ok(Math.abs(length([P, ...places, Q]) - exact) < 1e-6);
  }
  const below = wrappedPlaces({...frame, kind: 'circle', radius: 0.7, side: [0, -1, 0]}, P, Q, 8);
  assert.ok(below[4][1] < 0);
  assert.deepEqual(wrappedPlaces({...frame, kind: 'circle', radius: 0.7, side: null}, [-2, 1, 0], [2, 1, 0], 8), []);
  const helix = wrappedPlaces({...frame, kind: 'cylinder', radius: 0.7, side: null}, [-2, 0.3, 0], [2, 0.1, 1], 8);
  assert.ok(helix[0][2] > 0 && helix[8][2] < 1 && Math.abs(helix[4][2] - 0.5) < 0.02);
});
