// On a plot over time: a drag scrubs, with shift it zooms, a double click shows all, control and the wheel zooms.

import type uPlot from 'uplot';
import {Clock} from './clock';
import {TimeWindow} from './plot_table';

const LEAST_SPAN = 1e-4; // of the whole record

/** The window scaled about a time, within the record. */
export function zoomed({from, to}: TimeWindow, about: number, factor: number, clock: {start: number; end: number}): TimeWindow {
  const whole = clock.end - clock.start;
  const span = Math.min(whole, Math.max(LEAST_SPAN * whole, factor * (to - from)));
  const share = to > from ? Math.min(1, Math.max(0, (about - from) / (to - from))) : 0.5;
  const start = Math.min(clock.end - span, Math.max(clock.start, about - share * span));
  return {from: start, to: start + span};
}

/** What of a window lies within the record, and not so little that an axis could not tell its ends apart. */
export function within({from, to}: TimeWindow, clock: {start: number; end: number}): TimeWindow {
  const whole = clock.end - clock.start;
  if (!(whole > 0)) return {from, to};
  const span = Math.min(whole, Math.max(LEAST_SPAN * whole, to - from));
  const start = Math.min(clock.end - span, Math.max(clock.start, from));
  return {from: start, to: start + span};
}

/** The window moved so that a time is in it: to the left of it, with what comes to the right. */
export function following({from, to}: TimeWindow, time: number, clock: {start: number; end: number}): TimeWindow {
  if (time >= from && time <= to) return {from, to};
  const span = to - from;
  const start = Math.min(clock.end - span, Math.max(clock.start, time - 0.05 * span));
  return {from: start, to: start + span};
}

export function listenToTime(plot: uPlot, clock: Clock, zoom: (window: TimeWindow) => void) {
  const {over} = plot;
  const timeAt = (event: MouseEvent) => plot.posToVal(event.clientX - over.getBoundingClientRect().left, 'x');
  let zoomFrom: number | null = null;
  const scrub = (event: PointerEvent) => {
    clock.pause();
    clock.seekNearestStop(timeAt(event));
  };
  over.addEventListener('pointerdown', (event) => {
    over.setPointerCapture(event.pointerId);
    zoomFrom = event.shiftKey ? timeAt(event) : null; // one that was cancelled is forgotten
    if (zoomFrom === null) scrub(event);
  });
  over.addEventListener('pointermove', (event) => {
    if (event.buttons & 1 && zoomFrom === null) scrub(event);
  });
  over.addEventListener('pointerup', (event) => {
    const [from, to] = [zoomFrom, timeAt(event)].sort((a, b) => (a ?? 0) - (b ?? 0));
    if (zoomFrom !== null && to! - from! > 1e-3 * (clock.end - clock.start)) zoom({from: from!, to: to!});
    zoomFrom = null;
  });
  over.addEventListener('wheel', (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const {min, max} = plot.scales.x;
    zoom(zoomed({from: min!, to: max!}, timeAt(event), Math.exp(0.002 * event.deltaY), clock));
  }, {passive: false});
  over.addEventListener('dblclick', () => zoom({from: clock.start, to: clock.end}));
}
