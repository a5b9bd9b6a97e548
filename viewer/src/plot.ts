// One plot over time: curves of all results, the time cursor, the values at it.

import uPlot from 'uplot';
import {Clock} from './clock';
import {Curve, CurveGroup} from './curves';
import {element} from './dom';
import {number, powerOfTen, unit} from './format';
import {Result} from './result';
import {colour} from './theme';

const HEIGHT = 168;

export interface TimeWindow {
  from: number;
  to: number;
}

/** What all plots share: the clock, the part of time that is shown. */
export interface PlotContext {
  results: Result[];
  clock: Clock;
  window: TimeWindow;
  zoom(window: TimeWindow): void;
}

export class Plot {
  readonly card: HTMLDetailsElement;
  private readonly holder = element('div', {class: 'plot-holder'});
  private readonly legend = element('ul', {class: 'legend'});
  private readonly cursor = element('div', {class: 'time-cursor'});
  private curves: Curve[] = [];
  private values: HTMLElement[] = [];
  private plot: uPlot | null = null;

  constructor(readonly group: CurveGroup, private readonly context: PlotContext) {
    const title = element('summary', {}, element('span', {class: 'plot-title'}, group.title));
    if (group.unit) title.append(element('span', {class: 'plot-unit'}, unit(group.unit)));
    this.card = element('details', {class: 'plot', 'data-plot': group.id, open: group.open}, title);
    if (group.choices.length > 1) this.card.append(this.menu());
    this.card.append(this.legend, this.holder);
    this.choose(0);
    this.card.addEventListener('toggle', () => this.draw());
    new ResizeObserver(() => this.resize()).observe(this.holder);
  }

  /** Builds the picture, if it is to be seen. */
  draw() {
    this.plot?.destroy();
    this.plot = null;
    if (!this.card.open || this.width() <= 0) return;
    const {log} = this.group;
    const data = this.data();
    if (log && data.slice(1).every((values) => (values as (number | null)[]).every((v) => v === null))) {
      this.holder.replaceChildren(element('p', {class: 'nothing'}, 'Zero throughout.'));
      return;
    }
    this.holder.replaceChildren();
    this.plot = new uPlot(this.options(), data, this.holder);
    this.plot.over.append(this.cursor);
    this.listen(this.plot.over);
    this.update();
  }

  /** Moves the cursor and the values to the clock's time. */
  update() {
    if (!this.card.open) return;
    const {results, clock} = this.context;
    const moments = results.map((result) => result.moment(clock.time));
    this.curves.forEach(({columns, component}, i) => {
      const values = columns.map((column, r) => (column ? results[r].value(column, component, moments[r]) : null));
      this.values[i].textContent = `${values.map((value) => number(value)).join(' | ')} ${unit(this.curves[i].unit)}`;
    });
    if (!this.plot) return;
    const x = this.plot.valToPos(clock.time, 'x');
    this.cursor.style.transform = `translateX(${x}px)`;
    this.cursor.style.visibility = x >= 0 && x <= this.plot.over.clientWidth ? 'visible' : 'hidden';
  }

  setWindow({from, to}: TimeWindow) {
    this.plot?.setScale('x', {min: from, max: to});
    this.update();
  }

  private choose(index: number) {
    this.curves = this.group.choices[index].curves();
    this.values = [];
    const dashed = this.context.results.length > 1;
    this.legend.replaceChildren(...this.curves.map((curve) => {
      const value = element('output', {class: 'value'});
      this.values.push(value);
      const key = element('span', {class: 'key', style: `background: var(--${curve.colour})`});
      return element('li', {title: dashed ? 'first result | second result (dashed)' : ''}, key,
                     element('span', {}, curve.label || this.group.title), value);
    }));
    this.draw();
  }

  private menu(): HTMLElement {
    const select = element('select', {'aria-label': `${this.group.title}: of what`});
    this.group.choices.forEach(({label}, i) => select.append(element('option', {value: String(i)}, label)));
    select.addEventListener('change', () => {
      this.choose(Number(select.value));
      this.update();
    });
    return element('div', {class: 'plot-menu'}, select);
  }

  private width(): number {
    return this.holder.clientWidth;
  }

  private resize() {
    if (!this.card.open) return;
    if (!this.plot) this.draw();
    else if (this.plot.width !== this.width()) this.plot.setSize({width: this.width(), height: HEIGHT});
    this.update();
  }

  /** Results on different times are joined on all of them. */
  private data(): uPlot.AlignedData {
    const {results} = this.context;
    const tables = results.map((result, r) => {
      const rows = this.curves.map(({columns, component}) => sampled(columns[r], component, result.frames, this.group.log));
      return [Array.from(result.time), ...rows] as uPlot.AlignedData;
    });
    return tables.length === 1 ? tables[0] : uPlot.join(tables);
  }

  private options(): uPlot.Options {
    const {results, window} = this.context;
    const axis = {
      stroke: colour('muted'),
      grid: {stroke: colour('line'), width: 1},
      ticks: {stroke: colour('line'), width: 1, size: 4},
      font: '11px system-ui, sans-serif',
    };
    const log = this.group.log;
    const series = results.flatMap((_, r) => this.curves.map((curve) => ({
      label: curve.label,
      stroke: colour(curve.colour),
      width: curve.label === 'total' ? 1.8 : 1.3,
      dash: r > 0 ? [5, 4] : undefined,
      points: {show: false},
      spanGaps: true,
    })));
    return {
      width: this.width(),
      height: HEIGHT,
      padding: [8, 18, 0, 0],
      legend: {show: false},
      cursor: {show: true, x: false, y: false, points: {show: false}, drag: {x: false, y: false}},
      scales: {
        x: {time: false, min: window.from, max: window.to, auto: false, range: (_u, min, max) => [min, max]},
        y: log ? {distr: 3, range: (_u, min, max) => decades(min, max)} : {},
      },
      axes: [
        {...axis, size: 26, values: (_u, ticks) => ticks.map((t) => `${tick(t)} s`)},
        {...axis, size: 58, ...(log ? {splits: (_u, _i, min, max) => powers(min, max), filter: (_u, splits) => splits} : {}),
         values: (_u, ticks) => ticks.map((t) => (log ? wholePower(t) : t === null ? '' : tick(t)))},
      ],
      series: [{}, ...series],
    };
  }

  /** Drag scrubs, shift and drag zooms into time, a double click shows all of it again. */
  private listen(over: HTMLElement) {
    const {clock} = this.context;
    const timeAt = (event: PointerEvent) =>
      this.plot!.posToVal(event.clientX - over.getBoundingClientRect().left, 'x');
    let zoomFrom: number | null = null;
    const scrub = (event: PointerEvent) => clock.seekNearestStop(timeAt(event));
    over.addEventListener('pointerdown', (event) => {
      over.setPointerCapture(event.pointerId);
      if (event.shiftKey) zoomFrom = timeAt(event);
      else scrub(event);
    });
    over.addEventListener('pointermove', (event) => {
      if (event.buttons & 1 && zoomFrom === null) scrub(event);
    });
    over.addEventListener('pointerup', (event) => {
      const [from, to] = [zoomFrom, timeAt(event)].sort((a, b) => (a ?? 0) - (b ?? 0));
      if (zoomFrom !== null && to! - from! > 1e-3 * (clock.end - clock.start)) this.context.zoom({from: from!, to: to!});
      zoomFrom = null;
    });
    over.addEventListener('dblclick', () => this.context.zoom({from: clock.start, to: clock.end}));
  }
}

function sampled(column: {values: ArrayLike<number>; width: number} | null, component: number, frames: number,
                 log: boolean): (number | null)[] {
  const values: (number | null)[] = new Array(frames).fill(null);
  if (!column) return values;
  for (let i = 0; i < frames; ++i) {
    const value = column.values[i * column.width + component];
    values[i] = log ? Math.abs(value) || null : value;
  }
  return values;
}

function decades(min: number | null, max: number | null): [number, number] {
  if (!(min! > 0) || !(max! > 0)) return [1e-16, 1];
  const low = Math.floor(Math.log10(min!));
  const high = Math.max(low + 1, Math.ceil(Math.log10(max!)));
  return [10 ** low, 10 ** high];
}

/** At most six of them, evenly apart. */
function powers(min: number, max: number): number[] {
  const [low, high] = [Math.round(Math.log10(min)), Math.round(Math.log10(max))];
  const step = Math.max(1, Math.ceil((high - low) / 6));
  const ticks: number[] = [];
  for (let power = high; power >= low; power -= step) ticks.unshift(10 ** power);
  return ticks;
}

function wholePower(value: number | null): string {
  if (!(value! > 0)) return '';
  const power = Math.log10(value!);
  return Math.abs(power - Math.round(power)) < 1e-6 ? powerOfTen(value!) : '';
}

function tick(value: number): string {
  if (value === 0) return '0';
  return Math.abs(value) >= 1e5 || Math.abs(value) < 1e-3 ? number(value, 3) : String(Number(value.toPrecision(6)));
}
