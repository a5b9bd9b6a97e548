// One plot: curves of all results over time, frequency or each other; the time cursor, the values at it.

import uPlot from 'uplot';
import {Clock} from './clock';
import {Curve, CurveGroup} from './curves';
import {element, letter} from './dom';
import {number, unit} from './format';
import {savePlot} from './plot_export';
import {alignedData, plotHeight, plotOptions} from './plot_options';
import {PlotMode, PlotTable, plotTable, TimeWindow} from './plot_table';
import {Result} from './result';
import {Chart, svgChart} from './svg_chart';
import {listenToTime} from './time_gestures';

/** Between two changes of the numbers while it plays [ms]: faster ones cannot be read. */
const READING_TIME = 120;

/** What all plots share: the clock, the part of time that is shown. */
export interface PlotContext {
  results: Result[];
  clock: Clock;
  window: TimeWindow;
  zoom(window: TimeWindow): void;
  /** Something of it that an address keeps has changed. */
  changed(): void;
}

export class Plot {
  readonly card: HTMLElement;
  mode: PlotMode = 'time';
  curves: Curve[] = [];
  private open: boolean;
  private readonly body = element('div', {class: 'plot-body'});
  private readonly holder = element('div', {class: 'plot-holder'});
  private readonly legend = element('ul', {class: 'legend'});
  private readonly cursor = element('div', {class: 'time-cursor'});
  private readonly modes = element('select', {});
  private values: HTMLElement[] = [];
  private plot: uPlot | null = null;
  private chart: Chart | null = null;
  private dots: SVGElement[] = [];
  private table: PlotTable | null = null;
  private lastRead = 0;

  /** `extra`: further controls of its head. */
  constructor(readonly group: CurveGroup, private readonly context: PlotContext, extra: HTMLElement[] = []) {
    this.open = group.open;
    const toggle = element('button', {class: 'plot-toggle', 'aria-expanded': String(this.open)}, group.title);
    toggle.addEventListener('click', () => {
      this.open = !this.open;
      toggle.setAttribute('aria-expanded', String(this.open));
      this.body.hidden = !this.open;
      this.tools.hidden = !this.open;
      this.draw();
      this.update();
    });
    this.tools = element('div', {class: 'plot-tools'}, ...(group.choices.length > 1 ? [this.choiceMenu()] : []), this.modeMenu(),
                         this.exportMenu(), ...extra);
    this.tools.hidden = this.body.hidden = !this.open;
    this.body.append(this.legend, this.holder);
    this.card = element('section', {class: 'plot', 'data-plot': group.id, 'aria-label': group.title},
                        element('div', {class: 'plot-head'}, element('h2', {}, toggle), this.tools), this.body);
    this.setCurves(group.choices[0].curves());
    new ResizeObserver(() => this.resize()).observe(this.holder);
  }
  private readonly tools: HTMLElement;

  setCurves(curves: Curve[]) {
    this.curves = curves;
    if (typeof this.mode === 'number' && (this.mode >= curves.length || curves.length < 2)) this.mode = 'time';
    this.fillModes();
    this.fillLegend();
    this.draw();
    this.update();
  }

  setMode(mode: PlotMode) {
    this.mode = typeof mode === 'number' && (mode >= this.curves.length || this.curves.length < 2) ? 'time' : mode;
    this.fillModes();
    this.draw();
    this.update();
  }

  /** Builds the picture, if it is to be seen. */
  draw() {
    this.plot?.destroy();
    this.plot = this.chart = null;
    const width = this.holder.clientWidth;
    if (!this.open || width <= 0) return;
    const {results, window} = this.context;
    this.table = plotTable(results, this.curves, this.mode, this.group.log, window);
    this.holder.setAttribute('role', 'img');
    this.holder.setAttribute('aria-label', this.description());
    if (!this.table.series.some(({y}) => y.some((v) => v !== null))) {
      this.holder.replaceChildren(element('p', {class: 'nothing'}, this.group.log ? 'Zero throughout.' : 'Too few records.'));
      return;
    }
    this.holder.replaceChildren();
    if (typeof this.mode === 'number') this.drawAgainst(this.table, width);
    else this.drawOver(this.table, width);
    this.update();
  }

  /** Moves the cursor and the values to the clock's time. */
  update() {
    if (!this.open) return;
    this.read();
    const {results, clock} = this.context;
    if (this.plot && this.mode === 'time') {
      const x = this.plot.valToPos(clock.time, 'x');
      this.cursor.style.transform = `translateX(${x}px)`;
      this.cursor.style.visibility = x >= 0 && x <= this.plot.bbox.width / uPlot.pxRatio + 0.5 ? 'visible' : 'hidden';
    }
    if (this.chart && typeof this.mode === 'number') {
      const against = this.curves[this.mode];
      this.table!.series.forEach(({result, curve}, i) => {
        const moment = results[result].moment(clock.time);
        const [x, y] = [against, this.curves[curve]].map((of) => {
          const column = of.columns[result];
          return column ? results[result].value(column, of.component, moment) : NaN;
        });
        const [cx, cy] = this.chart!.place(x, y);
        this.dots[i].setAttribute('transform', Number.isFinite(cx + cy) ? `translate(${cx} ${cy})` : 'translate(-9 -9)');
      });
    }
  }

  setWindow({from, to}: TimeWindow) {
    if (this.mode === 'spectrum') this.draw();
    else if (this.mode === 'time') this.plot?.setScale('x', {min: from, max: to});
    // uPlot takes a scale over in a microtask; before it the cursor would be placed on the old one.
    queueMicrotask(() => this.update());
  }

  private read() {
    const {results, clock} = this.context;
    const now = performance.now();
    if (clock.playing && now - this.lastRead < READING_TIME) return;
    this.lastRead = now;
    const moments = results.map((result) => result.moment(clock.time));
    this.curves.forEach(({columns, component, unit: of}, i) => {
      const shown = columns.map((column, r) => number(column ? results[r].value(column, component, moments[r]) : null));
      this.values[i].textContent = `${shown.join(' | ')} ${unit(of)}`;
    });
  }

  private description(): string {
    const names = this.curves.map(({label}) => label || this.group.title).join(', ');
    const over = this.mode === 'time' ? 'over time' : this.mode === 'spectrum' ? 'over frequency' : `against ${this.curves[this.mode].label}`;
    return `Plot of ${names} ${over}`;
  }

  private drawOver(table: PlotTable, width: number) {
    const {clock, window} = this.context;
    this.plot = new uPlot(plotOptions(table, this.group.title, width, window), alignedData(table), this.holder);
    if (this.mode !== 'time') return;
    this.plot.over.append(this.cursor);
    listenToTime(this.plot, clock, (chosen) => this.context.zoom(chosen));
  }

  private drawAgainst(table: PlotTable, width: number) {
    this.chart = svgChart(table, {width, height: Math.min(360, Math.max(220, 0.75 * width))});
    this.dots = table.series.map(({colour}) => {
      const dot = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
      dot.setAttribute('r', '4.5');
      dot.style.fill = `var(--${colour})`;
      return dot;
    });
    this.chart.svg.append(...this.dots);
    this.holder.append(this.chart.svg);
  }

  private fillLegend() {
    const {results} = this.context;
    this.values = [];
    this.legend.replaceChildren(...this.curves.map((curve) => {
      const value = element('output', {class: 'value'});
      this.values.push(value);
      const key = element('span', {class: 'key', style: `background: var(--${curve.colour})`});
      return element('li', {title: results.length > 1 ? results.map(({stored}, i) => `${letter(i)} ${stored.name}`).join(' | ') : ''},
                     key, element('span', {}, curve.label || this.group.title), value);
    }));
  }

  private fillModes() {
    const options: [string, string][] = [['time', 'over time'], ['spectrum', 'spectrum'],
      ...(this.curves.length > 1 ? this.curves.map(({label}, i) => [String(i), `against ${label}`] as [string, string]) : [])];
    this.modes.replaceChildren(...options.map(([value, text]) => element('option', {value}, text)));
    this.modes.value = String(this.mode);
  }

  private modeMenu(): HTMLElement {
    this.modes.setAttribute('aria-label', `${this.group.title}: over what`);
    this.modes.addEventListener('change', () => {
      this.setMode(/^\d+$/.test(this.modes.value) ? Number(this.modes.value) : (this.modes.value as PlotMode));
      this.context.changed();
    });
    return this.modes;
  }

  private choiceMenu(): HTMLElement {
    const select = element('select', {'aria-label': `${this.group.title}: of what`});
    this.group.choices.forEach(({label}, i) => select.append(element('option', {value: String(i)}, label)));
    select.addEventListener('change', () => this.setCurves(this.group.choices[Number(select.value)].curves()));
    return select;
  }

  private exportMenu(): HTMLElement {
    const menu = element('select', {'aria-label': `${this.group.title}: save as`, class: 'quiet'},
      element('option', {value: ''}, 'Save'), ...['SVG', 'PNG', 'CSV'].map((kind) => element('option', {value: kind}, kind)));
    menu.addEventListener('change', () => {
      const {results, window} = this.context;
      const table = plotTable(results, this.curves, this.mode, this.group.log, window);
      void savePlot(menu.value, {table, title: this.group.title, runs: results.map(({stored}) => stored.name),
                                 range: this.mode === 'time' ? [window.from, window.to] : undefined});
      menu.value = '';
    });
    return menu;
  }

  private resize() {
    if (!this.open) return;
    const width = this.holder.clientWidth;
    if (this.plot && this.plot.width !== width) this.plot.setSize({width, height: plotHeight()});
    else if (!this.plot) this.draw();
    this.update();
  }
}
