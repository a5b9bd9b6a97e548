// A plot as SVG: for export, and where curves are drawn against each other.

import {unit} from './format';
import {PlotSeries, PlotTable} from './plot_table';
import {colour} from './theme';
import {decades, powers, roundTicks, tick, wholePower} from './ticks';

const NS = 'http://www.w3.org/2000/svg';
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
const TEXT = 11;
const CHARACTER = 6.2; // a digit's width at this size

export interface ChartOptions {
  width: number;
  height: number;
  /** Of x; without it all that there is. */
  range?: [number, number];
  title?: string;
  /** A list of the curves below. */
  legend?: string[];
  background?: string;
}

interface Scale {
  min: number;
  max: number;
  place(value: number): number;
  ticks: {at: number; text: string}[];
}

type Attributes = Record<string, string | number>;

function node(tag: string, attributes: Attributes, text = ''): SVGElement {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text) made.textContent = text;
  return made;
}

const label = (name: string, unitText: string) => [name, unit(unitText) && `[${unit(unitText)}]`].filter(Boolean).join(' ');

function extent(lists: ArrayLike<number | null>[], keep: (value: number) => boolean): [number, number] {
  let [min, max] = [Infinity, -Infinity];
  for (const list of lists) {
    for (let i = 0; i < list.length; ++i) {
      const value = list[i];
      if (value === null || !Number.isFinite(value) || !keep(value)) continue;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
  }
  return min <= max ? [min, max] : [0, 1];
}

function linear(min: number, max: number, from: number, to: number, wanted: number): Scale {
  const pad = max > min ? 0 : Math.abs(min) || 1;
  const [low, high] = [min - pad, max + pad];
  return {min: low, max: high, place: (value) => from + ((value - low) / (high - low)) * (to - from),
          ticks: roundTicks(low, high, wanted).map((at) => ({at, text: tick(at)}))};
}

function logarithmic(min: number, max: number, from: number, to: number): Scale {
  const [low, high] = decades(min, max);
  return {min: low, max: high, place: (value) => from + (Math.log10(value / low) / Math.log10(high / low)) * (to - from),
          ticks: powers(low, high).map((at) => ({at, text: wholePower(at)}))};
}

function widened([min, max]: [number, number]): [number, number] {
  const margin = 0.05 * (max - min);
  return [min - margin, max + margin];
}

/** The line goes on over values that are missing (zeros on a logarithmic axis), and breaks at what is no number. */
function pathOf({x, y}: PlotSeries, across: Scale, up: Scale): string {
  let path = '';
  let pen = false;
  for (let i = 0; i < x.length; ++i) {
    const value = y[i];
    if (value === null) continue;
    if (!Number.isFinite(x[i]) || !Number.isFinite(value)) {
      pen = false;
      continue;
    }
    path += `${pen ? 'L' : 'M'}${across.place(x[i]).toFixed(2)} ${up.place(value).toFixed(2)}`;
    pen = true;
  }
  return path;
}

export interface Chart {
  svg: SVGElement;
  /** Where a pair of values lies in it; of the first axis. */
  place(x: number, y: number): [number, number];
}

export function svgChart(table: PlotTable, {width, height, range, title, legend = [], background}: ChartOptions): Chart {
  const units = [...new Set(table.series.map(({unit: of}) => of))];
  const [text, muted, line] = [colour('text'), colour('muted'), colour('line')];
  const rowsOfLegend = legend.length;
  const [top, bottom] = [title ? 30 : 10, height - 36 - 16 * rowsOfLegend];
  const [minX, maxX] = range ?? extent(table.series.map(({x}) => x), () => true);
  const inside = (at: number) => at >= minX && at <= maxX;
  const scales = units.map((of) => {
    const own = table.series.filter((one) => one.unit === of);
    const shown = own.map(({x, y}) => y.filter((_, i) => inside(x[i])));
    const [min, max] = extent(shown, (value) => !table.log || value > 0);
    return table.log ? logarithmic(min, max, bottom, top) : linear(...widened([min, max]), bottom, top, Math.max(3, height / 45));
  });
  const margins = scales.map(({ticks}) => 26 + CHARACTER * Math.max(...ticks.map(({text: said}) => said.length), 1));
  const left = margins[0] ?? 40;
  const right = width - 14 - margins.slice(1).reduce((sum, margin) => sum + margin, 0);
  const across = linear(minX, maxX, left, right, Math.max(3, (right - left) / 80));
  const svg = node('svg', {xmlns: NS, width, height, viewBox: `0 0 ${width} ${height}`, 'font-family': FONT, 'font-size': TEXT});
  if (background) svg.append(node('rect', {width, height, fill: background}));
  if (title) svg.append(node('text', {x: left, y: 18, 'font-size': 13, 'font-weight': 600, fill: text}, title));
  for (const {at, text: said} of across.ticks) {
    svg.append(node('line', {x1: across.place(at), x2: across.place(at), y1: top, y2: bottom, stroke: line}),
               node('text', {x: across.place(at), y: bottom + 15, 'text-anchor': 'middle', fill: muted}, said));
  }
  svg.append(node('text', {x: (left + right) / 2, y: bottom + 30, 'text-anchor': 'middle', fill: muted}, label(table.x.label, table.x.unit)));
  let edge = right;
  scales.forEach((scale, i) => {
    if (i > 0) edge += margins[i];
    const near = i === 0 ? left - 6 : edge - margins[i] + 6;
    for (const {at, text: said} of scale.ticks) {
      if (i === 0) svg.append(node('line', {x1: left, x2: right, y1: scale.place(at), y2: scale.place(at), stroke: line}));
      svg.append(node('text', {x: near, y: scale.place(at) + 4, 'text-anchor': i === 0 ? 'end' : 'start', fill: muted}, said));
    }
    const of = table.series.filter((one) => one.unit === units[i]);
    const names = [...new Set(of.map(({label: name}) => name))];
    const place = i === 0 ? 11 : edge - 4;
    svg.append(node('text', {x: place, y: (top + bottom) / 2, 'text-anchor': 'middle', fill: muted,
      transform: `rotate(-90 ${place} ${(top + bottom) / 2})`}, label(names.length <= 2 ? names.join(', ') : '', units[i])));
  });
  const clip = `clip-${Math.random().toString(36).slice(2)}`;
  const frame = node('clipPath', {id: clip});
  frame.append(node('rect', {x: left, y: top - 4, width: Math.max(0, right - left), height: Math.max(0, bottom - top + 8)}));
  const curves = node('g', {'clip-path': `url(#${clip})`, fill: 'none', 'stroke-linejoin': 'round'});
  for (const one of table.series) {
    curves.append(node('path', {d: pathOf(one, across, scales[units.indexOf(one.unit)]), stroke: colour(one.colour),
      'stroke-width': one.strong ? 1.9 : 1.4, ...(one.dash.length ? {'stroke-dasharray': one.dash.join(' ')} : {})}));
  }
  svg.append(frame, curves);
  legend.forEach((said, i) => {
    const y = bottom + 48 + 16 * i;
    const one = table.series[i];
    svg.append(node('line', {x1: left, x2: left + 18, y1: y - 4, y2: y - 4, stroke: colour(one.colour), 'stroke-width': 2,
                             ...(one.dash.length ? {'stroke-dasharray': one.dash.join(' ')} : {})}),
               node('text', {x: left + 24, y, fill: text}, said));
  });
  return {svg, place: (x, y) => [across.place(x), scales[0]?.place(y) ?? 0]};
}
