// Response surface: the mean of a measure in cells of two inputs. Of a grid its own cells, otherwise classes of equal width.

import {element} from './dom';
import {number} from './format';
import {Axis} from './sweep_axis';
import {classOf, Edges, evenEdges, levelEdges, levelMargin, levelsOf} from './sweep_bins';
import {crosses, Place, ring} from './sweep_canvas';
import {Colours, colourLegend} from './sweep_colour';
import {columnMenu} from './sweep_controls';
import {SweepColumn} from './sweep_data';
import {Frame} from './sweep_frame';
import {Places} from './sweep_places';
import {card, failedPlaces, SweepPlot} from './sweep_plot';
import {pointAtRuns} from './sweep_pointer';
import {SweepState} from './sweep_state';
import {runLines, Tip} from './sweep_tip';
import {colour} from './theme';

const HEIGHT = 292;
const RUNS_IN_A_CELL = 8; // on average
const [LEAST_CELLS, MOST_CELLS] = [5, 60]; // along an axis
const GRID_FILLED = 0.6; // of its cells, or the samples are no grid

interface Cells {
  x: Edges;
  y: Edges;
  count: Int32Array;
  mean: Float64Array;
}

export class Surface implements SweepPlot {
  readonly card: HTMLElement;
  private readonly frame: Frame;
  private readonly legend = element('div', {class: 'card-legend'});
  private readonly note = element('p', {class: 'card-note'});
  private cells: Cells | null = null;
  private places = new Places();
  private grid = false;

  constructor(private readonly state: SweepState, tip: Tip,
              private chosen: {x: SweepColumn; y: SweepColumn; z: SweepColumn}) {
    const {sweep} = state;
    this.frame = new Frame('Response surface: mean of a measure over two inputs', HEIGHT, () => this.draw(), () => this.mark());
    const inputs = sweep.of('inputs');
    const outputs = sweep.columns.filter(({group}) => group !== 'inputs');
    const menu = (axis: 'x' | 'y' | 'z', text: string, columns: SweepColumn[]) =>
      columnMenu(`Response surface, ${text}`, text, columns, chosen[axis], (column) => {
        this.chosen = {...this.chosen, [axis]: column};
        this.frame.redraw();
      }).label;
    this.card = card('surface', 'Response surface', [menu('z', 'of', outputs), menu('x', 'x', inputs), menu('y', 'y', inputs)],
                     this.frame.holder);
    this.frame.holder.before(this.legend);
    this.card.append(this.note);
    pointAtRuns(this.frame, state, tip, {
      nearest: (at) => this.places.nearest(at, state.chosen),
      tell: (at, row) => this.tell(at, row),
      columns: () => this.chosen,
    });
  }

  changed(marksOnly: boolean) {
    if (marksOnly) this.frame.remark();
    else this.frame.redraw();
  }
  place(row: number): Place | null {
    return this.places.at(row);
  }

  private draw() {
    const {frame, state} = this;
    const {context} = frame.base;
    this.lay();
    this.places = new Places(state.sweep.rows);
    for (let row = 0; row < state.sweep.rows; ++row) {
      this.places.x[row] = frame.px(this.chosen.x.values[row]);
      this.places.y[row] = frame.py(this.chosen.y.values[row]);
    }
    const {x, y, count, mean} = (this.cells = this.fill());
    let [low, high] = [Infinity, -Infinity];
    mean.forEach((value, i) => {
      if (!count[i]) return;
      low = Math.min(low, value);
      high = Math.max(high, value);
    });
    const colours = new Colours(new Axis(this.chosen.z, 0, low <= high ? [low, high] : undefined));
    const {left, top, width, height} = frame.area;
    const across = x.length - 1;
    for (let j = 0; j < y.length - 1; ++j) {
      for (let i = 0; i < across; ++i) {
        const cell = j * across + i;
        if (!count[cell]) continue;
        // Whole pixels of the screen, so that no seams are seen between cells.
        const ratio = window.devicePixelRatio || 1;
        const snap = (place: number) => Math.round(place * ratio) / ratio;
        const [x0, x1] = [snap(left + x[i] * width), snap(left + x[i + 1] * width)];
        const [y0, y1] = [snap(top + (1 - y[j + 1]) * height), snap(top + (1 - y[j]) * height)];
        context.fillStyle = colours.palette[colours.index(mean[cell])] ?? colour('muted');
        context.fillRect(x0, y0, x1 - x0, y1 - y0);
      }
    }
    frame.clipped(context, () => crosses(context, failedPlaces(state, (row) => this.place(row)), 3));
    this.legend.replaceChildren(colourLegend(colours, `mean of ${colours.axis.title()}`));
    this.describe(count);
  }

  /** Axes with half a cell beyond the outer levels where the samples are a grid. */
  private lay() {
    const {x, y} = this.chosen;
    const [xs, ys] = [levelsOf(x), levelsOf(y)];
    const met = new Set<number>();
    if (xs && ys) for (let row = 0; row < this.state.sweep.rows; ++row) met.add(xs.indexOf(x.values[row]) * ys.length + ys.indexOf(y.values[row]));
    this.grid = xs !== null && ys !== null && x !== y && met.size >= GRID_FILLED * xs.length * ys.length;
    const axis = (column: SweepColumn, levels: number[] | null) =>
      new Axis(column, this.grid && levels ? levelMargin(new Axis(column), levels) : 0);
    this.frame.setAxes(axis(x, xs), axis(y, ys));
  }

  private fill(): Cells {
    const {frame, state} = this;
    const {x, y, z} = this.chosen;
    const some = Math.round(Math.sqrt(state.sweep.done / RUNS_IN_A_CELL));
    const even = (column: SweepColumn) => column.category ? column.labels.length : Math.min(MOST_CELLS, Math.max(LEAST_CELLS, some));
    const edges = (axis: Axis) => this.grid && !axis.column.category ? levelEdges(axis, levelsOf(axis.column)!) : evenEdges(even(axis.column));
    const [ex, ey] = [edges(frame.x), edges(frame.y as Axis)];
    const across = ex.length - 1;
    const count = new Int32Array(across * (ey.length - 1));
    const mean = new Float64Array(count.length);
    for (let row = 0; row < state.sweep.done; ++row) {
      const value = z.values[row];
      if (!state.chosen[row] || !Number.isFinite(value)) continue;
      const [i, j] = [classOf(ex, frame.x.share(x.values[row])), classOf(ey, frame.y.share(y.values[row]))];
      if (i < 0 || j < 0) continue;
      const cell = j * across + i;
      mean[cell] += (value - mean[cell]) / ++count[cell];
    }
    return {x: ex, y: ey, count, mean};
  }

  private describe(count: Int32Array) {
    const filled = [...count].filter((n) => n > 0).sort((a, b) => a - b);
    const middle = filled[filled.length >> 1] ?? 0;
    const runs = `${number(middle, 3).replace(/\.0+$/, '')} ${middle === 1 ? 'run' : 'runs'}`;
    const where = this.grid ? 'at a point of the grid' : 'in a cell';
    this.note.textContent = `The colour is the mean over the runs ${where} (median: ${runs}). Click for the nearest run.`;
  }

  private mark() {
    const {frame, state} = this;
    for (const [row, name, radius] of [[state.hovered, 'text', 5], [state.selected, 'centre', 7]] as const) {
      const at = row >= 0 ? this.place(row) : null;
      if (at) ring(frame.marks.context, at.x, at.y, radius, colour(name));
    }
  }

  private cellAt({x, y}: Place): number {
    if (!this.cells) return -1;
    const {left, top, width, height} = this.frame.area;
    const [i, j] = [classOf(this.cells.x, (x - left) / width), classOf(this.cells.y, 1 - (y - top) / height)];
    return i < 0 || j < 0 ? -1 : j * (this.cells.x.length - 1) + i;
  }

  private tell(at: Place, row: number): [string, [string, string][]] | null {
    if (row < 0) return null;
    const {x, y, z} = this.chosen;
    const cell = this.cellAt(at);
    const runs = cell >= 0 ? this.cells!.count[cell] : 0;
    const [title, lines] = runLines(this.state.sweep, row, [x, y, z]);
    const ofCell: [string, string][] = runs ? [['mean of the cell', z.text(this.cells!.mean[cell])], ['runs in it', String(runs)]] : [];
    return [`nearest: ${title}`, [...lines, ...ofCell]];
  }
}
