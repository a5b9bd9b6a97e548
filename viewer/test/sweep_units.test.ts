// Parts of the page of a sweep that need no browser.

import assert from 'node:assert/strict';
import test from 'node:test';
import {Axis, titleLines} from '../src/sweep_axis';
import {classOf, evenEdges, levelEdges, levelMargin, levelsOf} from '../src/sweep_bins';
import {quoted, runCommand} from '../src/sweep_command';
import {shortNames, StoredSweep, Sweep, SweepColumn} from '../src/sweep_data';
import {spreadOrder} from '../src/sweep_order';
import {quantile} from '../src/sweep_quantile';
import {SweepState} from '../src/sweep_state';

const column = (values: number[], unit = 'm', log = false, labels: string[] = []) =>
  new SweepColumn(0, 'inputs', 'a.b', unit, labels, Float64Array.from(values), log);
const encoded = (values: ArrayBufferView) => Buffer.from(values.buffer).toString('base64');

const stored: StoredSweep = {
  title: 't', planned: 4, done: 3, failed: 1,
  runs: encoded(Int32Array.of(0, 1, 3)),
  columns: [
    {group: 'inputs', name: 'bodies.a.mass', unit: 'kg', labels: [], values: encoded(Float64Array.of(0.1, 0.2, 1 / 3))},
    {group: 'inputs', name: 'simulation.integrator', unit: '', labels: ['rkmk4', '{name: x, rho: 1}'], values: encoded(Float64Array.of(0, 1, 1))},
    {group: 'measures', name: 'reach', unit: 'm', labels: [], values: encoded(Float64Array.of(-1, NaN, 2))},
  ],
  failures: [{run: 2, inputs: [-1, 0], reason: 'no mass'}],
  kept: [{run: 3, link: 'runs/run_3.html'}],
  sensitivities: [{measure: 'reach', shares: [{input: 'bodies.a.mass', first: 0.2}, {input: 'simulation.integrator', first: 0.7}]}],
  sweep: '', model: '',
  command: {model: 'my arm.yaml', set: [['simulation.duration', '5']]},
};

test('ticks are round numbers within the axis, with true minus signs', () => {
  for (const [low, high] of [[-3, 4], [0, 1e-7], [-2e6, 5e7], [0.1, 0.11], [-1e-3, 2]]) {
    const axis = new Axis(column([low, high]));
    const ticks = axis.ticks(5);
    assert.ok(ticks.length >= 2 && ticks.length <= 6, `${low}..${high}: ${ticks.map(({text}) => text)}`);
    for (const {share, text} of ticks) {
      const value = axis.value(share);
      assert.ok(share > -1e-6 && share < 1 + 1e-6);
      assert.ok(!text.includes('-') && text.includes('−') === (value < 0 || text.startsWith('−')), text);
    }
    assert.equal(new Set(ticks.map(({text}) => text)).size, ticks.length);
  }
});

test('values that hardly differ are written as differences from one of them', () => {
  for (const [low, high, title] of [[5, 5 + 1e-12, 'a.b − 5 [m]'], [8.209244311456288, 8.20924431145629, 'a.b − 8.209244311456288 [m]'],
                                    [-8.20924431145629, -8.209244311456288, 'a.b + 8.20924431145629 [m]'],
                                    [1.2345678e-7, 1.2345679e-7, 'a.b − 1.2345678\u202f·\u202f10⁻⁷ [m]']] as const) {
    const axis = new Axis(column([low, high]));
    assert.equal(axis.title(), title);
    assert.deepEqual([low, high].map((value) => axis.share(value)), [0, 1]);
    const ticks = axis.ticks(4);
    assert.ok(ticks.length > 1 && ticks[0].text === '0' && ticks[0].share === 0, title);
    for (const {text} of ticks) assert.match(text, /^(0|\d(\.\d)?\u202f·\u202f10⁻\S+)$/);
    // Evenly apart, also where no number of the computer lies between the values.
    const apart = ticks.slice(1).map(({share}, i) => share - ticks[i].share);
    assert.ok(Math.min(...apart) > 0.2 && Math.max(...apart) - Math.min(...apart) < 1e-12, `${apart}`);
  }
});

test('a title without room for all digits ends in dots, whatever else it loses', () => {
  const within = (most: number) => (text: string) => text.length <= most;
  const axis = new Axis(column([8.209244311456288, 8.20924431145629]));
  assert.equal(axis.title(within(30)), 'a.b − 8.209244311456288 [m]');
  assert.equal(axis.title(within(20)), 'a.b − 8.20… [m]');
  assert.equal(axis.title(within(5), 'b'), 'b − 8.20… [m]');
  assert.equal(new Axis(column([1.2345678e-7, 1.2345679e-7])).title(within(5)), 'a.b − 1.23…\u202f·\u202f10⁻⁷ [m]');
});

test('a title that is too long for its axis gets lines: the part by which names differ, the rest, the unit', () => {
  const within = (most: number) => (text: string) => text.length <= most;
  assert.deepEqual(titleLines('hip.stiffness [N m/rad]', within(30)), ['hip.stiffness [N m/rad]']);
  assert.deepEqual(titleLines('hip.stiffness [N m/rad]', within(14)), ['hip.stiffness', '[N m/rad]']);
  assert.deepEqual(titleLines('hip.stiffness [N m/rad]', within(10)), ['hip', 'stiffness', '[N m/rad]']);
  assert.deepEqual(titleLines('mass − 5.25 [kg]', within(11)), ['mass − 5.25', '[kg]']);
  assert.deepEqual(titleLines('hip.mass − 5.25 [kg]', within(9)), ['hip.mass', '− 5.25', '[kg]']);
});

test('shares and values of an axis are inverse, also in the logarithm; items stand in the middle of their place', () => {
  for (const axis of [new Axis(column([-2, 7]), 0.05), new Axis(column([0.1, 50], 'm', true))]) {
    for (const share of [0, 0.3, 1]) assert.ok(Math.abs(axis.share(axis.value(share)) - share) < 1e-12); // measured 1e-16
  }
  assert.deepEqual(new Axis(column([0, 1], '', false, ['x', 'y'])).ticks(5).map(({text}) => text), ['x', 'y']);
  assert.equal(new Axis(column([0, 1], '', false, ['x', 'y'])).share(0), 0.25);
});

test('every value lies in one class; cells of a grid end halfway between its levels', () => {
  const edges = evenEdges(4);
  assert.deepEqual([0, 0.24, 0.25, 0.99, 1, 1.01, -0.01, NaN].map((share) => classOf(edges, share)), [0, 0, 1, 3, 3, -1, -1, -1]);
  const grid = column([1, 2, 4, 2, 1]);
  const levels = levelsOf(grid)!;
  assert.deepEqual(levels, [1, 2, 4]);
  const axis = new Axis(grid, levelMargin(new Axis(grid), levels));
  const cells = levelEdges(axis, levels);
  assert.deepEqual(levels.map((level) => classOf(cells, axis.share(level))), [0, 1, 2]);
  assert.ok(Math.abs(axis.value(cells[1]) - 1.5) < 1e-12 && Math.abs(axis.value(cells[2]) - 3) < 1e-12);
  assert.equal(levelsOf(column(Array.from({length: 300}, (_, i) => i))), null);
});

test('names are as short as they differ', () => {
  assert.deepEqual(shortNames(['bodies.a.mass', 'bodies.b.mass', 'initial.joints.b', 'reach']), ['a.mass', 'b.mass', 'b', 'reach']);
});

test('an index keeps the name of its list', () => {
  assert.deepEqual(shortNames(['gravity.1', 'joints.crank_pin.in_parent.position.0', 'bodies.a.inertia.0.2', 'reach']),
                   ['gravity.1', 'position.0', 'inertia.0.2', 'reach']);
  assert.deepEqual(shortNames(['bodies.a.position.0', 'bodies.b.position.0', 'position.1', '7']),
                   ['a.position.0', 'b.position.0', 'position.1', '7']);
});

test('failed runs are rows with inputs alone; filters pass those that have a value within', () => {
  const sweep = new Sweep(stored);
  const [mass, , reach] = sweep.columns;
  assert.deepEqual([...mass.values], [0.1, 0.2, 1 / 3, -1]);
  assert.ok(Number.isNaN(reach.values[3]) && sweep.failed(3) && sweep.runs[3] === 2 && sweep.reason(3) === 'no mass');
  assert.deepEqual([reach.low, reach.high, mass.low], [-1, 2, -1]);
  assert.equal(sweep.link(2), 'runs/run_3.html');
  assert.deepEqual(sweep.byInfluence(reach).map(({name}) => name), ['simulation.integrator', 'bodies.a.mass']);
  const state = new SweepState(sweep, reach);
  assert.deepEqual([[...state.chosen], state.chosenCount], [[1, 1, 1, 1], 3]);
  state.setFilters([reach, [-2, 3]]);
  assert.deepEqual([...state.chosen], [1, 0, 1, 0]);
  state.setFilters([reach, null], [mass, [-2, 0.1]]);
  assert.deepEqual([[...state.chosen], state.chosenCount], [[1, 0, 0, 1], 1]);
});

test('the command has the model, what the file sets and all digits of the inputs, as words of a shell', () => {
  assert.equal(runCommand(new Sweep(stored), 2).join(' '), "torsor run 'my arm.yaml' --set simulation.duration=5 " +
    "--set bodies.a.mass=0.3333333333333333 --set 'simulation.integrator={name: x, rho: 1}' --report run_3.html");
  assert.equal(quoted("it's"), `'it'\\''s'`);
});

test('a spread order has every row once, and each beginning of it everywhere', () => {
  for (const n of [0, 1, 2, 10, 1000, 20000]) assert.equal(new Set(spreadOrder(n)).size, n);
  const first = [...spreadOrder(1000).subarray(0, 100)];
  for (let tenth = 0; tenth < 10; ++tenth) {
    const inside = first.filter((row) => Math.floor(row / 100) === tenth).length;
    assert.ok(inside >= 5 && inside <= 15, `${inside}`); // measured 9 to 13
  }
});

test('quantiles of a rising list', () => {
  assert.deepEqual([0, 0.5, 1, 0.25].map((share) => quantile([1, 2, 4], share)), [1, 2, 4, 1.5]);
  assert.equal(quantile([7], 0.3), 7);
});
