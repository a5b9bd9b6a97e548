// How the values of a column are spread: bars of chosen runs before those of all, failed ones on top.

import {element} from './dom';
import {number} from './format';
import {Axis, niceStep, Tick} from './sweep_axis';
import {classOf, Edges, evenEdges, levelEdges, levelMargin, levelsOf} from './sweep_bins';
import {Place} from './sweep_canvas';
import {columnMenu} from './sweep_controls';
import {SweepColumn} from './sweep_data';
import {CountAxis, Frame} from './sweep_frame';
import {card, SweepPlot} from './sweep_plot';
import {pointAtRuns} from './sweep_pointer';
import {quantile} from './sweep_quantile';
import {SweepState} from './sweep_state';
import {runLines, Tip} from './sweep_tip';
import {colour} from './theme';

const HEIGHT = 240;
const [LEAST_BARS, MOST_BARS] = [8, 60];
const MOST_LEVELS = 40; // a bar for each

interface Bars {
  edges: Edges;
  all: Int32Array;
  chosen: Int32Array;
  failed: Int32Array;
}

class Counts implements CountAxis {
  constructor(private readonly most: number) {}
  share(value: number): number {
    return value / (1.06 * Math.max(1, this.most));
  }
  ticks(most: number): Tick[] {
    const step = Math.max(1, niceStep(Math.max(1, this.most) / most));
    return Array.from({length: Math.floor(Math.max(1, this.most) / step) + 1}, (_, i) => ({share: this.share(i * step), text: String(i * step)}));
  }
  title(): string {
    return 'runs';
  }
}

export class Histogram implements SweepPlot {
  readonly card: HTMLElement;
  private readonly frame: Frame;
  private readonly note = element('p', {class: 'card-note'});
  private bars: Bars | null = null;

  constructor(private readonly state: SweepState, tip: Tip, private column: SweepColumn) {
    this.frame = new Frame('Histogram: how many runs have which value', HEIGHT, () => this.draw(), () => this.mark());
    const {label} = columnMenu('Histogram', 'of', state.sweep.columns, column, (chosen) => {
      this.column = chosen;
      this.frame.redraw();
    });
    this.card = card('histogram', 'Histogram', [label], this.frame.holder);
    this.card.append(this.note);
    pointAtRuns(this.frame, state, tip, {
      nearest: (at) => this.nearest(at),
      tell: (at, row) => this.tell(at, row),
      columns: () => ({x: this.column}),
    });
  }

  changed(marksOnly: boolean) {
    if (marksOnly) this.frame.remark();
    else this.frame.redraw();
  }

  private draw() {
    const {frame, column} = this;
    const {axis, edges} = this.classes();
    const bars = (this.bars = this.counted(axis, edges));
    frame.setAxes(axis, new Counts(Math.max(...bars.all)));
    const {context} = frame.base;
    const {left, width} = frame.area;
    const bar = (i: number, from: number, to: number, style: string) => {
      if (to <= from) return;
      const [x0, x1] = [left + edges[i] * width, left + edges[i + 1] * width];
      context.fillStyle = style;
      context.fillRect(x0 + 0.5, frame.py(to), Math.max(1, x1 - x0 - 1), frame.py(from) - frame.py(to));
    };
    for (let i = 0; i < bars.all.length; ++i) {
      bar(i, 0, bars.all[i], colour('grid-strong'));
      bar(i, 0, bars.chosen[i], colour('series-0'));
      bar(i, bars.chosen[i], bars.chosen[i] + bars.failed[i], colour('bad'));
    }
    this.describe(column);
  }

  /** A bar for each item or level, if they are few; otherwise as many as the runs tell apart (Freedman and Diaconis). */
  private classes(): {axis: Axis; edges: Edges} {
    const {column, state: {sweep}} = this;
    const plain = new Axis(column);
    if (column.category) return {axis: plain, edges: evenEdges(column.labels.length)};
    const levels = levelsOf(column);
    if (levels && levels.length <= MOST_LEVELS && column.group === 'inputs' && levels.length < 0.5 * sweep.rows) {
      const axis = new Axis(column, levelMargin(plain, levels));
      return {axis, edges: levelEdges(axis, levels)};
    }
    const shares = Float64Array.from(column.values).filter(Number.isFinite).map((value) => plain.share(value)).sort();
    const width = (2 * (quantile(shares, 0.75) - quantile(shares, 0.25))) / Math.cbrt(shares.length);
    return {axis: plain, edges: evenEdges(Math.min(MOST_BARS, Math.max(LEAST_BARS, Math.round(1 / width) || LEAST_BARS)))};
  }

  private counted(axis: Axis, edges: Edges): Bars {
    const {sweep, chosen} = this.state;
    const empty = () => new Int32Array(edges.length - 1);
    const bars: Bars = {edges, all: empty(), chosen: empty(), failed: empty()};
    for (let row = 0; row < sweep.rows; ++row) {
      const i = classOf(edges, axis.share(this.column.values[row]));
      if (i < 0) continue;
      ++bars.all[i];
      if (chosen[row]) ++(sweep.failed(row) ? bars.failed : bars.chosen)[i];
    }
    return bars;
  }

  private describe(column: SweepColumn) {
    const {sweep, chosen} = this.state;
    const values = column.values.filter((value, row) => row < sweep.done && chosen[row] && Number.isFinite(value)).sort();
    if (column.category || values.length === 0) {
      this.note.textContent = values.length === 0 ? 'None of the chosen runs has a value.' : 'Drag to filter.';
      return;
    }
    // As differences from the least value: they have digits also where values differ by rounding alone.
    const [least] = values;
    const mean = values.reduce((sum, value) => sum + (value - least), 0) / values.length;
    const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - least - mean) ** 2, 0) / Math.max(1, values.length - 1));
    const text = (value: number) => column.text(value, 4);
    const without = this.state.chosenCount - values.length;
    this.note.textContent = [`mean ${text(least + mean)}`, `standard deviation ${text(deviation)}`, `median ${text(quantile(values, 0.5))}`,
      `5 % below ${text(quantile(values, 0.05))}`, `5 % above ${text(quantile(values, 0.95))}`,
      without ? `${number(without, 6).replace(/\.0+$/, '')} runs without a value` : ''].filter(Boolean).join(' · ') + '. Drag to filter.';
  }

  private mark() {
    const {frame, state, column} = this;
    const {context} = frame.marks;
    const {top, height} = frame.area;
    const span = state.filter(column);
    if (span) {
      const [x0, x1] = span.map((value) => frame.px(value));
      context.fillStyle = colour('accent');
      context.globalAlpha = 0.16;
      frame.clipped(context, () => context.fillRect(x0, top, x1 - x0, height));
      context.globalAlpha = 1;
    }
    for (const [row, name, width] of [[state.hovered, 'text', 1.5], [state.selected, 'centre', 2.5]] as const) {
      const x = row >= 0 ? frame.px(column.values[row]) : NaN;
      if (!Number.isFinite(x)) continue;
      context.strokeStyle = colour(name);
      context.lineWidth = width;
      context.beginPath();
      context.moveTo(x, top);
      context.lineTo(x, top + height);
      context.stroke();
    }
  }

  private nearest({x}: Place): number {
    const {chosen, sweep} = this.state;
    let [found, least] = [-1, Infinity];
    for (let row = 0; row < sweep.rows; ++row) {
      const away = chosen[row] ? Math.abs(this.frame.px(this.column.values[row]) - x) : NaN;
      if (away < least) [found, least] = [row, away];
    }
    return found;
  }

  private tell({x}: Place, row: number): [string, [string, string][]] | null {
    const {frame, state, bars, column} = this;
    const i = bars ? classOf(bars.edges, (x - frame.area.left) / frame.area.width) : -1;
    if (!bars || i < 0) return null;
    const end = (edge: number) => column.text(frame.x.value(bars.edges[edge]), 4);
    const lines: [string, string][] = [['runs', String(bars.all[i])]];
    if (state.filters.length) lines.push(['chosen', String(bars.chosen[i])]);
    if (bars.failed[i]) lines.push(['failed', String(bars.failed[i])]);
    if (row >= 0) lines.push(['nearest', runLines(state.sweep, row, [])[0]]);
    return [column.category ? column.label(i) : `${end(i)} to ${end(i + 1)}`, lines];
  }
}
