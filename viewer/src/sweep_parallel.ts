// Parallel coordinates: an axis for each column, a line for each run. Drags along an axis filter.

import {element} from './dom';
import {Axis, titleLines} from './sweep_axis';
import {crosses, fitted, listenToPointer, oncePerFrame, Place, ring, SharpCanvas} from './sweep_canvas';
import {Colours} from './sweep_colour';
import {GROUPS, SweepColumn} from './sweep_data';
import {spreadOrder} from './sweep_order';
import {card, failedPlaces, SweepPlot} from './sweep_plot';
import {SweepState} from './sweep_state';
import {runLines, Tip} from './sweep_tip';
import {colour} from './theme';

const HEIGHT = 263;
const TOP = 55;
const BOTTOM = 14;
const LEAST_APART = 68; // px between two axes; more of them than fit can be scrolled to
const GRIP = 15; // px beside an axis that belong to it
const NEAR = 10;
const MOST_GREY = 1500; // lines that are filtered away: some of them show where they are
const FRAME_BUDGET = 9; // ms of drawing lines before the browser may go on
const MOST_LINES_OF_TIP = 12;

export class Parallel implements SweepPlot {
  readonly card: HTMLElement;
  private readonly base = new SharpCanvas();
  private readonly marks = new SharpCanvas();
  private readonly holder: HTMLElement;
  private shown: SweepColumn[];
  private axes: Axis[] = [];
  /** Of each axis, the heights of all rows. */
  private heights: Float32Array[] = [];
  private left = 0;
  private apart = 0;
  /** Rows in an order whose beginnings are spread over all of them: drawing may pause anywhere. */
  private readonly order: Int32Array;
  private drawing = 0;
  private grabbed: {axis: number; span: [number, number] | null} | null = null;
  private readonly redraw: () => void;
  private readonly remark: () => void;

  constructor(private readonly state: SweepState, private readonly tip: Tip) {
    const {sweep} = state;
    this.shown = sweep.columns.filter(({group}) => group !== 'ledger');
    this.order = spreadOrder(sweep.done);
    const inner = element('div', {class: 'parallel-inner'}, this.base.canvas, this.marks.canvas);
    this.holder = element('div', {class: 'parallel sweep-canvas', style: `height: ${HEIGHT}px`}, inner);
    this.marks.canvas.setAttribute('role', 'img');
    this.marks.canvas.setAttribute('aria-label', 'Parallel coordinates: an axis for each column, a line for each run');
    this.redraw = oncePerFrame(() => this.draw());
    this.remark = oncePerFrame(() => this.mark());
    this.card = card('parallel', 'Parallel coordinates', [this.menu()], this.holder,
      `A line is a run${sweep.rows > sweep.done ? '; those that failed end in red crosses' : ''}. Drag along an axis to filter, ` +
        'drag the span to move it, click on the axis to remove it; click on a line to select its run.');
    new ResizeObserver(() => this.redraw()).observe(this.holder);
    this.listen();
  }

  changed(marksOnly: boolean) {
    if (marksOnly) this.remark();
    else this.redraw();
  }
  /** On its first axis. */
  place(row: number): Place | null {
    const y = this.heights[0]?.[row];
    return Number.isFinite(y) ? {x: this.left, y} : null;
  }
  axisEnds(column: SweepColumn): [Place, Place] {
    const x = this.x(this.shown.indexOf(column));
    return [{x, y: HEIGHT - BOTTOM}, {x, y: TOP}];
  }

  private x(axis: number): number {
    return this.left + axis * this.apart;
  }

  private draw() {
    const room = this.holder.clientWidth;
    if (room === 0) return;
    const width = Math.max(room, LEAST_APART * this.shown.length);
    this.base.resize(width, HEIGHT);
    const {context} = this.base;
    this.axes = this.shown.map((column) => new Axis(column));
    this.heights = this.axes.map((axis) => Float32Array.from(axis.column.values, (value) => TOP + (1 - axis.share(value)) * (HEIGHT - TOP - BOTTOM)));
    const widest = Math.max(10, ...this.ticks(0).map(({text}) => context.measureText(text).width));
    this.left = Math.min(130, Math.max(widest, 24)) + 14;
    const right = Math.min(60, width / (2 * Math.max(1, this.shown.length)));
    this.apart = this.shown.length > 1 ? (width - this.left - right) / (this.shown.length - 1) : 0;
    this.lines();
    this.mark();
  }

  private ticks(axis: number) {
    return this.axes[axis].ticks(5);
  }

  /** A part in each frame, so that filters stay fluid with very many runs. */
  private lines() {
    const {state, order} = this;
    const {sweep, chosen} = state;
    const {context} = this.base;
    const drawing = ++this.drawing;
    context.lineWidth = 1;
    if (state.filters.length) {
      context.strokeStyle = colour('grid-strong');
      context.globalAlpha = 0.5;
      for (let i = 0, grey = 0; i < order.length && grey < MOST_GREY; ++i) {
        if (chosen[order[i]]) continue;
        this.line(context, order[i]);
        ++grey;
      }
    }
    const colours = new Colours(new Axis(state.colour));
    const muted = colour('muted');
    const alpha = Math.min(0.85, Math.max(0.1, 12 / Math.sqrt(state.chosenCount + 1)));
    let next = 0;
    const part = () => {
      if (drawing !== this.drawing) return;
      context.globalAlpha = alpha;
      const until = performance.now() + FRAME_BUDGET;
      for (let since = 0; next < order.length; ++next) {
        const row = order[next];
        if (!chosen[row]) continue;
        const index = colours.index(state.colour.values[row]);
        context.strokeStyle = index < 0 ? muted : colours.palette[index];
        this.line(context, row);
        if (++since % 64 === 0 && performance.now() > until) break;
      }
      if (next < order.length) {
        requestAnimationFrame(part);
        return;
      }
      context.globalAlpha = 0.75;
      context.strokeStyle = colour('bad');
      for (let row = sweep.done; row < sweep.rows; ++row) if (chosen[row]) this.line(context, row);
      context.globalAlpha = 1;
      crosses(context, failedPlaces(state, (row) => this.end(row)), 3);
    };
    part();
  }

  /** On the last axis that the line of a run reaches: a failed one has inputs only, of which there may be one. */
  private end(row: number): Place | null {
    for (let i = this.axes.length - 1; i >= 0; --i) {
      const y = this.heights[i][row];
      if (Number.isFinite(y)) return {x: this.x(i), y};
    }
    return null;
  }

  private line(context: CanvasRenderingContext2D, row: number) {
    context.beginPath();
    let open = false;
    for (let i = 0; i < this.axes.length; ++i) {
      const y = this.heights[i][row];
      if (!Number.isFinite(y)) {
        open = false;
        continue;
      }
      if (open) context.lineTo(this.x(i), y);
      else context.moveTo(this.x(i), y);
      open = true;
    }
    context.stroke();
  }

  /** Axes stand above the lines, with the filters and the runs that are pointed at. */
  private mark() {
    if (!this.axes.length || this.base.width === 0) return;
    this.marks.resize(this.base.width, HEIGHT);
    const {context} = this.marks;
    const {state} = this;
    for (const [row, name, width] of [[state.hovered, 'text', 2], [state.selected, 'centre', 3]] as const) {
      if (row < 0) continue;
      for (const [style, wide] of [[colour('panel'), width + 3], [colour(name), width]] as const) {
        context.strokeStyle = style;
        context.lineWidth = wide;
        this.line(context, row);
      }
    }
    this.axes.forEach((axis, i) => this.drawAxis(context, axis, i));
    if (state.selected < 0) return;
    this.heights.forEach((heights, i) => {
      if (Number.isFinite(heights[state.selected])) ring(context, this.x(i), heights[state.selected], 4, colour('centre'));
    });
  }

  private drawAxis(context: CanvasRenderingContext2D, axis: Axis, i: number) {
    const x = Math.round(this.x(i)) + 0.5;
    context.lineWidth = 1.2;
    context.strokeStyle = colour('muted');
    context.beginPath();
    context.moveTo(x, TOP);
    context.lineTo(x, HEIGHT - BOTTOM);
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    const labels = this.ticks(i).map(({share, text}) => ({y: TOP + (1 - share) * (HEIGHT - TOP - BOTTOM), text}));
    for (const {y} of labels) {
      context.moveTo(x - 4, y);
      context.lineTo(x, y);
    }
    context.stroke();
    const span = this.state.filter(axis.column);
    if (span) {
      const [high, low] = [Math.min(1, axis.share(span[1])), Math.max(0, axis.share(span[0]))].map((share) => TOP + (1 - share) * (HEIGHT - TOP - BOTTOM));
      context.fillStyle = colour('accent');
      context.globalAlpha = 0.3;
      context.fillRect(x - 7, high, 14, low - high);
      context.globalAlpha = 1;
      context.strokeStyle = colour('accent');
      context.strokeRect(x - 7, high, 14, low - high);
    }
    const room = i === 0 ? this.left - 8 : this.apart * 0.6;
    // A number that is cut is another number.
    for (const {y, text} of labels) haloed(context, axis.column.category ? fitted(context, text, room) : text, x - 7, y, colour('text'));
    this.drawTitle(context, axis, i, x);
  }

  /** Its name and unit in at most three lines. */
  private drawTitle(context: CanvasRenderingContext2D, axis: Axis, i: number, x: number) {
    const apart = this.axes.length > 1 ? this.apart : this.base.width;
    // Those at the ends may not reach beyond the picture, nor into their neighbours when they are pushed back into it.
    const room = Math.min(apart - 8, x + apart / 2 - 6, this.base.width - x + apart / 2 - 6);
    const fits = (text: string) => context.measureText(text).width <= room;
    const lines = titleLines(axis.title(fits, axis.column.short), fits);
    context.textAlign = 'center';
    context.textBaseline = 'alphabetic';
    lines.forEach((line, k) => {
      const text = fitted(context, line, room);
      const half = context.measureText(text).width / 2;
      const middle = i === 0 ? Math.max(x, half + 2) : Math.min(x, this.base.width - half - 2);
      haloed(context, text, middle, TOP - 12 - 13 * (lines.length - 1 - k), colour('text'));
    });
  }

  private axisAt({x}: Place): number {
    const i = this.apart > 0 ? Math.round((x - this.left) / this.apart) : 0;
    return i >= 0 && i < this.axes.length && Math.abs(x - this.x(i)) <= GRIP ? i : -1;
  }
  private valueAt(axis: number, y: number): number {
    const share = 1 - (y - TOP) / (HEIGHT - TOP - BOTTOM);
    return this.axes[axis].value(Math.min(1, Math.max(0, share)));
  }
  private nearest({x, y}: Place): number {
    const {chosen, sweep} = this.state;
    const first = Math.max(0, Math.min(this.axes.length - 2, Math.floor((x - this.left) / (this.apart || 1))));
    const [a, b] = [this.heights[first], this.heights[Math.min(first + 1, this.axes.length - 1)]];
    const past = x - this.x(first);
    const share = Math.min(1, Math.max(0, past / (this.apart || 1)));
    const height = (row: number) => {
      if (share === 1) return b[row];
      const ends = !Number.isFinite(b[row]) && past <= NEAR;
      return ends ? a[row] : a[row] + share * (b[row] - a[row]);
    };
    let [found, least] = [-1, NEAR];
    for (let row = 0; row < sweep.rows; ++row) {
      if (!chosen[row]) continue;
      const away = Math.abs(height(row) - y);
      if (away < least) [found, least] = [row, away];
    }
    return found;
  }

  private listen() {
    const {state, tip, marks: {canvas}} = this;
    listenToPointer(canvas, {
      move: (at, event) => {
        canvas.style.cursor = this.axisAt(at) >= 0 ? 'ns-resize' : 'crosshair';
        const row = at.y > TOP - 6 ? this.nearest(at) : -1;
        state.hover(row);
        const title = this.axisAt(at) >= 0 && at.y <= TOP - 6 ? this.axes[this.axisAt(at)].title() : '';
        if (row >= 0) tip.show(event, ...runLines(state.sweep, row, this.shown.slice(0, MOST_LINES_OF_TIP)));
        else if (title) tip.show(event, title, []);
        else tip.hide();
      },
      leave: () => {
        state.hover(-1);
        tip.hide();
      },
      press: (at) => {
        const axis = this.axisAt(at);
        const span = axis >= 0 ? state.filter(this.axes[axis].column) : undefined;
        const value = axis >= 0 ? this.valueAt(axis, at.y) : 0;
        this.grabbed = axis < 0 ? null : {axis, span: span && value >= span[0] && value <= span[1] ? span : null};
      },
      click: (at) => {
        const axis = this.axisAt(at);
        if (axis >= 0 && state.filter(this.axes[axis].column)) state.setFilters([this.axes[axis].column, null]);
        else if (at.y > TOP - 6) state.select(this.nearest(at));
      },
      grabs: (at) => this.axisAt(at) >= 0,
      drag: (from, to) => {
        tip.hide();
        if (this.grabbed) this.filterBy(this.grabbed.axis, this.grabbed.span, from.y, to.y);
      },
    });
  }

  private filterBy(index: number, span: [number, number] | null, from: number, to: number) {
    const axis = this.axes[index];
    const high = HEIGHT - TOP - BOTTOM;
    if (!span) {
      const ends = [this.valueAt(index, from), this.valueAt(index, to)].sort((a, b) => a - b) as [number, number];
      this.state.setFilters([axis.column, ends]);
      return;
    }
    const [low, top] = span.map((value) => axis.share(value));
    const moved = Math.min(1 - top, Math.max(-low, (from - to) / high));
    this.state.setFilters([axis.column, [axis.value(low + moved), axis.value(top + moved)]]);
  }

  private menu(): HTMLElement {
    const {sweep} = this.state;
    const boxes = GROUPS.flatMap(([group, title]) => {
      const columns = sweep.of(group);
      if (!columns.length) return [];
      return [element('strong', {}, title), ...columns.map((column) => {
        const box = element('input', {type: 'checkbox'});
        box.checked = this.shown.includes(column);
        box.addEventListener('change', () => {
          const wanted = sweep.columns.filter((other) => (other === column ? box.checked : this.shown.includes(other)));
          if (wanted.length) this.shown = wanted;
          else box.checked = true;
          this.redraw();
        });
        return element('label', {}, box, column.titled());
      })];
    });
    return element('details', {class: 'menu below'}, element('summary', {}, 'Axes'), element('div', {class: 'sheet'}, ...boxes));
  }
}

function haloed(context: CanvasRenderingContext2D, text: string, x: number, y: number, fill: string) {
  context.lineWidth = 3.5;
  context.lineJoin = 'round';
  context.strokeStyle = colour('panel');
  context.globalAlpha = 0.85;
  context.strokeText(text, x, y);
  context.globalAlpha = 1;
  context.fillStyle = fill;
  context.fillText(text, x, y);
}
