// What the page computes for its pictures and plots.

import assert from 'node:assert/strict';
import test from 'node:test';
import * as THREE from 'three';
import {componentNames, quantityName} from '../src/channel_names';
import {Channel, searched} from '../src/channels';
import {axesOf, floats, framed} from '../src/framing';
import {paneGrid, panesOf} from '../src/panes';
import type {Curve} from '../src/curves';
import type {Scene} from '../src/payload';
import {csvOf, plotTable} from '../src/plot_table';
import type {Result} from '../src/result';
import {amplitudeSpectrum, fft} from '../src/spectrum';
import {Coil} from '../src/springs';
import {roundTicks, tick} from '../src/ticks';
import {following, within, zoomed} from '../src/time_gestures';
import {readView, viewText} from '../src/view_link';

test('a sine stands in its spectrum with its amplitude, at its frequency', () => {
  const times = Array.from({length: 4001}, (_, i) => i * 0.005);
  const values = times.map((t) => 7 + 2.5 * Math.sin(2 * Math.PI * 3 * t) + 0.4 * Math.cos(2 * Math.PI * 11 * t));
  const {frequency, amplitude} = amplitudeSpectrum(times, values, 0, 20);
  const at = (f: number) => amplitude[frequency.findIndex((x) => Math.abs(x - f) < 1e-9)];
  assert.ok(Math.abs(at(3) - 2.5) < 2e-3, `${at(3)}`); // measured 2.4990: resampled on straight lines
  assert.ok(Math.abs(at(11) - 0.4) < 2e-2, `${at(11)}`); // measured 0.3978
  assert.ok(at(7) < 1e-3);
  assert.deepEqual(amplitudeSpectrum([0, 1], [0, 1], 0, 1), {frequency: [], amplitude: []});
});

test('a plot of absolute values has the spectrum of the values', () => {
  const time = Float64Array.from({length: 2001}, (_, i) => i * 0.005);
  const result = {index: 0, frames: time.length, time} as unknown as Result;
  const values = time.map((t) => Math.sin(2 * Math.PI * 3 * t));
  const curve: Curve = {label: 'a', unit: 'J', component: 0, colour: '', columns: [{values, width: 1, unit: 'J', components: []}]};
  const [{x, y}] = plotTable([result], [curve], 'spectrum', true, {from: 0, to: 10}).series;
  const highest = y.indexOf(Math.max(...y.map((height) => height ?? 0)));
  assert.ok(Math.abs(x[highest] - 3) < 1e-9, `${x[highest]} Hz`); // those of |sin| are at 6 Hz
});

test('a window of time stays within the record, and no narrower than can be told apart', () => {
  const clock = {start: 0, end: 6};
  assert.deepEqual(within({from: -1e300, to: 1e300}, clock), {from: 0, to: 6});
  assert.deepEqual(within({from: 1, to: 2}, clock), {from: 1, to: 2});
  const narrow = within({from: 6, to: 6 + 1e-15}, clock);
  assert.ok(narrow.to <= 6 && narrow.to - narrow.from > 1e-4, JSON.stringify(narrow));
  assert.equal(readView('#span=-Infinity,Infinity').window, undefined);
});

test('ticks end, however far from zero', () => {
  assert.ok(roundTicks(1e17, 1e17 + 64, 5).length <= 7);
  assert.deepEqual(roundTicks(-1, 1, 4), [-1, -0.5, 0, 0.5, 1]);
});

test('the transform is that of its definition', () => {
  const x = Float64Array.from([1, -2, 3.5, 0.25, -1, 4, 0, 2]);
  const [re, im] = [x.slice(), new Float64Array(8)];
  fft(re, im);
  for (let k = 0; k < 8; ++k) {
    let [c, s] = [0, 0];
    x.forEach((v, n) => {
      c += v * Math.cos((2 * Math.PI * k * n) / 8);
      s -= v * Math.sin((2 * Math.PI * k * n) / 8);
    });
    assert.ok(Math.hypot(re[k] - c, im[k] - s) < 1e-13); // measured 3e-15
  }
});

test('a fitted view holds all points and touches its edges', () => {
  const points = Float64Array.from({length: 300}, (_, i) => Math.sin(12.9898 * i) * (1 + (i % 3)));
  const axes = axesOf(new THREE.Vector3(0.5, -1, 0.4).normalize(), new THREE.Vector3(0, 0, 1));
  for (const aspect of [0.5, 1.7]) {
    const slope = Math.tan(0.25);
    const {target, distance} = framed(points, axes, aspect, slope);
    let widest = 0;
    for (let i = 0; i < points.length; i += 3) {
      const p = new THREE.Vector3().fromArray(points, i).sub(target);
      const depth = distance - p.dot(axes.back);
      assert.ok(depth > 0);
      widest = Math.max(widest, Math.abs(p.dot(axes.right)) / (depth * slope * aspect), Math.abs(p.dot(axes.up)) / (depth * slope));
    }
    assert.ok(Math.abs(widest - 0.9) < 1e-12, `${widest}`); // the margin
    const flat = framed(points, axes, aspect, null);
    let half = 0;
    for (let i = 0; i < points.length; i += 3) {
      const p = new THREE.Vector3().fromArray(points, i).sub(flat.target);
      half = Math.max(half, Math.abs(p.dot(axes.right)) / aspect, Math.abs(p.dot(axes.up)));
    }
    assert.ok(Math.abs(half / flat.half - 0.9) < 1e-12);
  }
});

test('components have names and no numbers', () => {
  const of = (unit: string, width: number, components: string[] = []) => componentNames({unit, width, components});
  assert.deepEqual(of('1', 4, ['0', '1', '2', '3']), ['quaternion w', 'quaternion x', 'quaternion y', 'quaternion z']);
  assert.deepEqual(of('rad, m, m', 3, ['0', '1', '2']), ['angle', 'x', 'y']);
  assert.deepEqual(of('rad', 2, ['0', '1']), ['angle 1', 'angle 2']);
  assert.deepEqual(of('rad/s', 3), ['about x', 'about y', 'about z']);
  assert.deepEqual(of('1, 1, 1, 1, m, m, m', 7).slice(3), ['quaternion z', 'x', 'y', 'z']);
  assert.deepEqual(of('N m, N, N', 3, ['moment', 'force.x', 'force.y']), ['moment', 'force x', 'force y']);
  assert.deepEqual(of('m', 2), ['x', 'y']);
  assert.equal(quantityName('bodies/link%2F1/com'), 'link/1 centre of mass');
  assert.equal(quantityName('energy/kinetic'), 'kinetic energy');
  assert.equal(quantityName('work/motor'), 'work of motor');
});

test('channels are found by any words of their names, whole words first', () => {
  const channel = (label: string): Channel => ({id: label, path: '', component: 0, label, unit: ''});
  const all = ['link12 velocity x', 'link1 velocity x', 'link1 centre of mass x'].map(channel);
  assert.deepEqual(searched(all, 'vel link1', 9).map(({label}) => label), ['link1 velocity x', 'link12 velocity x']);
  assert.deepEqual(searched(all, 'nothing', 9), []);
  assert.equal(searched(all, '', 2).length, 2);
});

test('an address gives back the view that made it', () => {
  const view = {time: 1.25, camera: [1, 2, 3, 0, 0, 0.5, 1], traces: ['end of a&b', 'x+y'], arrows: ['velocity'], window: {from: 1, to: 2},
                plots: [{channels: ['bodies/a/com:0', 'energy/total:0'], mode: 'spectrum' as const}, {channels: ['joints/j%2Fk/rate:1'], mode: 0}],
                tab: 'ledger'};
  assert.deepEqual(readView('#' + viewText(view)), view);
  assert.deepEqual(readView('#nonsense&=&cam=a,b&t='), {});
});

test('zooms stay within the record, and follow the time', () => {
  const clock = {start: 0, end: 10};
  assert.deepEqual(zoomed({from: 0, to: 10}, 5, 0.5, clock), {from: 2.5, to: 7.5});
  assert.deepEqual(zoomed({from: 2.5, to: 7.5}, 5, 4, clock), {from: 0, to: 10});
  assert.deepEqual(following({from: 2, to: 4}, 3, clock), {from: 2, to: 4});
  const moved = following({from: 2, to: 4}, 9.9, clock);
  assert.ok(moved.from <= 9.9 && moved.to >= 9.9 && moved.to <= 10 && moved.to - moved.from === 2);
});

test('panes fill the picture without meeting', () => {
  assert.deepEqual(paneGrid(2, 1000, 500), {columns: 2, rows: 1});
  assert.deepEqual(paneGrid(2, 400, 800), {columns: 1, rows: 2});
  const panes = panesOf(5, 900, 600);
  const area = panes.reduce((sum, {width, height}) => sum + width * height, 0);
  assert.ok(area <= 900 * 600 + 1e-6 && panes.every(({x, y, width, height}) => x + width <= 900.01 && y + height <= 600.01));
  assert.equal(new Set(panes.map(({x, y}) => `${x} ${y}`)).size, 5);
});

test('numbers are exported as they are', () => {
  const base = {unit: 'J', colour: '', dash: [], strong: false, result: 0};
  const time = [0, 0.1];
  const text = csvOf({mode: 'time', log: false, x: {label: 'time', unit: 's'},
    series: [{...base, label: 'a, b', curve: 0, x: time, y: [1 / 3, null]}, {...base, label: 'c', unit: '1', curve: 1, x: time, y: [-2, 5]}]}, ['run']);
  assert.equal(text, `time [s],"a, b [J]",c\n0,${1 / 3},-2\n0.1,,5\n`);
});

test('a coil reaches from end to end, and no farther than its radius', () => {
  const coil = new Coil(new THREE.MeshBasicMaterial(), 0.1, 2, true);
  const [from, to] = [new THREE.Vector3(1, 0, 0), new THREE.Vector3(1, 3, 0)];
  coil.lay(from, to);
  coil.mesh.updateMatrixWorld(true);
  const box = new THREE.Box3().setFromObject(coil.mesh, true);
  assert.ok(Math.abs(box.min.y) < 0.06 && Math.abs(box.max.y - 3) < 0.06, `${box.min.y} ${box.max.y}`);
  assert.ok(box.max.x - 1 <= 0.1 * 1.2 && box.max.x - 1 > 0.09, `${box.max.x}`); // and half its wire
});

test('ticks are round, with a true minus sign', () => {
  assert.deepEqual(roundTicks(-1, 1, 5), [-1, -0.5, 0, 0.5, 1]);
  assert.equal(tick(-2.5), '−2.5');
  assert.equal(tick(-2e6), '−2\u202f·\u202f10⁶');
});

test('only what nothing ties to the ground floats', () => {
  const scene = (joint: object, tendons: object[] = []) => ({joints: [joint], tendons}) as unknown as Scene;
  const free = {type: 'free', parent: -1, child: 0};
  assert.ok(floats(scene(free)));
  assert.ok(floats(scene(free, [{path: [{body: 0}, {body: 1}]}])));
  assert.ok(!floats(scene(free, [{path: [{body: 0}, {body: -1}]}])));
  assert.ok(!floats(scene({type: 'prismatic', parent: -1, child: 0})));
});
