// The numbers of a plot: what is drawn, and what is exported.

import {Curve} from './curves';
import {Result} from './result';
import {amplitudeSpectrum} from './spectrum';

/** Over time, over frequency, or against one of its own curves (by its index). */
export type PlotMode = 'time' | 'spectrum' | number;

export interface TimeWindow {
  from: number;
  to: number;
}

export interface PlotSeries {
  label: string;
  unit: string;
  /** A name of the style sheet. */
  colour: string;
  dash: number[];
  strong: boolean;
  result: number;
  curve: number;
  x: ArrayLike<number>;
  y: (number | null)[];
}

export interface PlotTable {
  mode: PlotMode;
  x: {label: string; unit: string};
  log: boolean;
  series: PlotSeries[];
}

const DASHES = [[], [6, 4], [2, 3], [9, 3, 2, 3], [4, 2], [12, 4], [1, 2]];

function column(curve: Curve, result: Result, log: boolean): (number | null)[] {
  const stored = curve.columns[result.index];
  const values: (number | null)[] = new Array(result.frames).fill(null);
  if (!stored) return values;
  for (let i = 0; i < result.frames; ++i) {
    const value = stored.values[i * stored.width + curve.component];
    values[i] = log ? Math.abs(value) || null : value;
  }
  return values;
}

export function plotTable(results: Result[], curves: Curve[], mode: PlotMode, log: boolean, window: TimeWindow): PlotTable {
  const against = typeof mode === 'number' ? curves[mode] : null;
  const shown = curves.map((curve, index) => ({curve, index})).filter(({index}) => index !== mode);
  const byRun = results.length > 1 && shown.length === 1;
  const series: PlotSeries[] = [];
  for (const result of results) {
    for (const {curve, index} of shown) {
      let x: ArrayLike<number> = result.time;
      let y = column(curve, result, log && mode === 'time');
      if (mode === 'spectrum') {
        const found = amplitudeSpectrum(result.time, y.map((value) => value ?? 0), window.from, window.to);
        [x, y] = [found.frequency, log ? found.amplitude.map((height) => height || null) : found.amplitude];
      } else if (against) {
        x = column(against, result, false).map((value) => value ?? NaN);
      }
      series.push({
        label: curve.label, unit: curve.unit, x, y, result: result.index, curve: index,
        colour: byRun ? `run-${result.index % 6}` : curve.colour,
        dash: byRun ? [] : DASHES[result.index % DASHES.length],
        strong: curve.label === 'total',
      });
    }
  }
  const axis = mode === 'spectrum' ? {label: 'frequency', unit: 'Hz'}
    : against ? {label: against.label, unit: against.unit} : {label: 'time', unit: 's'};
  return {mode, x: axis, log: log && !against, series};
}

/** Series of the same x in columns beside each other, one block for each x. */
export function csvOf({x, series}: PlotTable, names: string[]): string {
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const head = (label: string, unit: string) => quoted(unit && unit !== '1' ? `${label} [${unit}]` : label);
  const blocks: PlotSeries[][] = [];
  for (const one of series) {
    const block = blocks.find(([first]) => first.x === one.x || (first.result === one.result && first.x.length === one.x.length));
    if (block) block.push(one);
    else blocks.push([one]);
  }
  const run = (index: number) => (names.length > 1 ? ` (${names[index]})` : '');
  const titles = blocks.flatMap((block) => [head(x.label + run(block[0].result), x.unit),
    ...block.map((one) => head(one.label + run(one.result), one.unit))]);
  const rows = Math.max(0, ...blocks.map(([first]) => first.x.length));
  const lines = Array.from({length: rows}, (_, i) => blocks.flatMap((block) => i < block[0].x.length
    ? [String(block[0].x[i]), ...block.map(({y}) => String(y[i] ?? ''))] : new Array(1 + block.length).fill('')).join(','));
  return [titles.join(','), ...lines].join('\n') + '\n';
}
