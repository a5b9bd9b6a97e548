// How uPlot is to draw a table: an axis for every unit, labels, room for the longest tick.

import uPlot from 'uplot';
import {unit} from './format';
import {PlotTable, TimeWindow} from './plot_table';
import {colour} from './theme';
import {decades, powers, tick, wholePower} from './ticks';

const HEIGHT = 196;
const LEAST_AXIS = 46;
const TEXT = 11;
const FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
const BASE_SIZE = 14; // of the page's text, where these measures are meant

/** Plots grow with the page's text, which is larger on large screens. */
function textScale(): number {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) / BASE_SIZE || 1;
}
export function plotHeight(): number {
  return Math.round(HEIGHT * textScale());
}
const MOST_AXES = 3;
/** Characters that fit beside an axis. */
const LONGEST_LABEL = 24;

/** As wide as the longest tick: a minus sign must not be cut off. */
function axisSize(u: uPlot, values: string[] | null, index: number, cycle: number): number {
  const axis = u.axes[index] as uPlot.Axis & {_size?: number};
  if (cycle > 1) return axis._size ?? LEAST_AXIS;
  const {ctx} = u;
  ctx.save();
  ctx.font = (axis.font as unknown as string[])[0];
  const widest = Math.max(0, ...(values ?? []).map((text) => ctx.measureText(text ?? '').width)) / uPlot.pxRatio;
  ctx.restore();
  return Math.max(LEAST_AXIS, Math.ceil(widest) + 14);
}

/** The quantity where it is one, and the unit. */
export function axisLabel(names: string[], unitText: string, title: string): string {
  const distinct = [...new Set(names)].filter(Boolean);
  const name = distinct.length === 1 && distinct[0].length <= LONGEST_LABEL ? distinct[0] : title;
  const printed = unit(unitText);
  return printed ? `${name} [${printed}]` : name;
}

export function plotOptions(table: PlotTable, title: string, width: number, window: TimeWindow): uPlot.Options {
  const units = [...new Set(table.series.map(({unit: of}) => of))];
  const scaleOf = (of: string) => `y${Math.min(units.indexOf(of), MOST_AXES - 1)}`;
  const scale = textScale();
  const font = `${Math.round(TEXT * scale)}px ${FAMILY}`;
  const look = {stroke: colour('muted'), ticks: {stroke: colour('line'), width: 1, size: 4}, font, labelFont: font,
                labelGap: 0, gap: 4, labelSize: 16 * scale};
  const {log} = table;
  const scales: uPlot.Scales = {
    x: {time: false, auto: false, range: (_u, min, max) => [min, max],
        ...(table.mode === 'time' ? {min: window.from, max: window.to} : {min: 0, max: lastOf(table)})},
  };
  const axes: uPlot.Axis[] = [{...look, grid: {stroke: colour('line'), width: 1}, size: 24 * scale,
    label: `${table.x.label} [${table.x.unit}]`, values: (_u, ticks) => ticks.map(tick)}];
  units.slice(0, MOST_AXES).forEach((of, i) => {
    scales[`y${i}`] = log ? {distr: 3, range: (_u, min, max) => decades(min, max)} : {};
    axes.push({
      ...look, scale: `y${i}`, side: i === 0 ? 3 : 1, size: axisSize,
      label: axisLabel(table.series.filter((one) => one.unit === of).map(({label}) => label), of, title),
      grid: {show: i === 0, stroke: colour('line'), width: 1},
      ...(log ? {splits: (_u: uPlot, _i: number, min: number, max: number) => powers(min, max), filter: (_u: uPlot, splits: number[]) => splits} : {}),
      values: (_u, ticks) => ticks.map((t) => (log ? wholePower(t) : t === null ? '' : tick(t))),
    });
  });
  return {
    width, height: plotHeight(), padding: [8, 14, 0, 0], legend: {show: false}, scales, axes,
    cursor: {show: true, x: false, y: false, points: {show: false}, drag: {x: false, y: false}},
    series: [{}, ...table.series.map((one) => ({
      label: one.label, scale: scaleOf(one.unit), stroke: colour(one.colour), width: one.strong ? 1.9 : 1.35,
      dash: one.dash.length ? one.dash : undefined, points: {show: false}, spanGaps: true,
    }))],
  };
}

function lastOf({series}: PlotTable): number {
  return Math.max(1e-9, ...series.map(({x}) => (x.length ? x[x.length - 1] : 0)));
}

/** Series on different x are joined on all of them. */
export function alignedData({series}: PlotTable): uPlot.AlignedData {
  const groups = new Map<ArrayLike<number>, uPlot.AlignedData>();
  const order: {x: ArrayLike<number>; at: number}[] = [];
  for (const {x, y} of series) {
    const table = groups.get(x) ?? ([Array.from(x)] as unknown as uPlot.AlignedData);
    (table as unknown as unknown[]).push(y);
    groups.set(x, table);
    order.push({x, at: table.length - 1});
  }
  const tables = [...groups.values()];
  if (tables.length === 1) return tables[0];
  const joined = uPlot.join(tables);
  const starts = new Map<ArrayLike<number>, number>();
  let start = 0;
  for (const [x, table] of groups) {
    starts.set(x, start);
    start += table.length - 1;
  }
  return [joined[0], ...order.map(({x, at}) => joined[starts.get(x)! + at])] as uPlot.AlignedData;
}
