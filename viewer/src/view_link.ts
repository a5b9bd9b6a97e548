// What an address keeps of a view: time, camera, traces, arrows, plots, tab.

import {PlotMode, TimeWindow} from './plot_table';
import type {OwnPlot} from './plot_panel';

export interface View {
  time?: number;
  camera?: number[];
  traces?: string[];
  arrows?: string[];
  plots?: OwnPlot[];
  window?: TimeWindow;
  tab?: string;
}

const short = (value: number) => String(Number(value.toPrecision(7)));
const words = (list: string[]) => list.map(encodeURIComponent).join('+');
const split = (text: string) => (text ? text.split('+').map(decodeURIComponent) : []);
const mode = (text: string): PlotMode => (/^\d+$/.test(text) ? Number(text) : text === 'spectrum' ? 'spectrum' : 'time');

/** `t=1.5&cam=..&plot=energy/total:0+bodies/a/com:1@spectrum` */
export function viewText({time, camera, traces, arrows, plots = [], window, tab}: View): string {
  const parts: string[] = [];
  if (time !== undefined) parts.push(`t=${short(time)}`);
  if (camera) parts.push(`cam=${camera.map(short).join(',')}`);
  if (traces) parts.push(`traces=${words(traces)}`);
  if (arrows?.length) parts.push(`arrows=${words(arrows)}`);
  if (window) parts.push(`span=${short(window.from)},${short(window.to)}`);
  for (const {channels, mode: over} of plots) parts.push(`plot=${words(channels)}${over === 'time' ? '' : `@${over}`}`);
  if (tab && tab !== 'plots') parts.push(`tab=${tab}`);
  return parts.join('&');
}

/** What cannot be read is left out: an address may come from anywhere. */
export function readView(text: string): View {
  const view: View = {};
  for (const part of text.replace(/^#/, '').split('&')) {
    const [key, value = ''] = [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)];
    try {
      const numbers = value.split(',').map(Number);
      if (key === 't' && Number.isFinite(Number(value)) && value) view.time = Number(value);
      if (key === 'cam' && numbers.length === 7 && numbers.every(Number.isFinite)) view.camera = numbers;
      if (key === 'span' && numbers.length === 2 && numbers.every(Number.isFinite) && numbers[1] > numbers[0]) view.window = {from: numbers[0], to: numbers[1]};
      if (key === 'traces') view.traces = split(value);
      if (key === 'arrows') view.arrows = split(value);
      if (key === 'tab' && /^[a-z]+$/.test(value)) view.tab = value;
      if (key === 'plot') {
        const [channels, over = ''] = value.split('@');
        (view.plots ??= []).push({channels: split(channels), mode: mode(over)});
      }
    } catch {
      continue;
    }
  }
  return view;
}
