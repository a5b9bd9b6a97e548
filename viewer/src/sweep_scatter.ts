// Runs as points: any column over any other, coloured by a third.

import {Axis} from './sweep_axis';
import {crosses, Place, ring} from './sweep_canvas';
import {Colours} from './sweep_colour';
import {columnMenu} from './sweep_controls';
import {SweepColumn} from './sweep_data';
import {Frame} from './sweep_frame';
import {Places} from './sweep_places';
import {card, failedPlaces, SweepPlot} from './sweep_plot';
import {pointAtRuns} from './sweep_pointer';
import {SweepState} from './sweep_state';
import {runLines, Tip} from './sweep_tip';
import {colour} from './theme';

const HEIGHT = 320;
const MARGIN = 0.03;
const NEAR = 14; // px
const JITTER = 0.32; // of the place of an item of a list, so that runs do not hide each other

/** A steady number from -1 to 1 for each row. */
const shaken = (row: number) => ((row * 0.6180339887498949) % 1) * 2 - 1;

export class Scatter implements SweepPlot {
  readonly card: HTMLElement;
  private readonly frame: Frame;
  private places = new Places();
  private readonly menus: {x: HTMLSelectElement; y: HTMLSelectElement};

  constructor(private readonly state: SweepState, tip: Tip, private x: SweepColumn, private y: SweepColumn) {
    const {sweep} = state;
    this.frame = new Frame('Scatter plot: runs as points', HEIGHT, () => this.draw(), () => this.mark());
    const menu = (axis: 'x' | 'y') => columnMenu(`Scatter plot, ${axis}`, axis, sweep.columns, this[axis], (column) => {
      this[axis] = column;
      this.frame.redraw();
    });
    const [xMenu, yMenu] = [menu('x'), menu('y')];
    this.menus = {x: xMenu.select, y: yMenu.select};
    this.card = card('scatter', 'Scatter plot', [xMenu.label, yMenu.label], this.frame.holder,
                     'A point is a run. Drag to filter by both axes, click to select.');
    pointAtRuns(this.frame, state, tip, {
      nearest: (at) => this.places.nearest(at, state.chosen, NEAR),
      tell: (_at, row) => (row < 0 ? null : runLines(sweep, row, [this.x, this.y, state.colour])),
      columns: () => ({x: this.x, y: this.y}),
    });
  }

  show(x: SweepColumn, y: SweepColumn) {
    [this.x, this.y] = [x, y];
    this.menus.x.value = String(x.index);
    this.menus.y.value = String(y.index);
    this.frame.redraw();
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
    const {sweep, chosen} = state;
    frame.setAxes(new Axis(this.x, MARGIN), new Axis(this.y, MARGIN));
    this.placeAll();
    const {context} = frame.base;
    const radius = sweep.done > 8000 ? 1.25 : sweep.done > 1500 ? 1.75 : 2.75;
    const colours = new Colours(new Axis(state.colour));
    frame.clipped(context, () => {
      context.fillStyle = colour('grid-strong');
      this.points((row) => !chosen[row] && row < sweep.done, radius * 0.8);
      // Points of one colour are drawn together: changing it costs more than a point.
      const buckets: number[][] = colours.palette.map(() => []);
      const bare: number[] = [];
      for (let row = 0; row < sweep.done; ++row) {
        if (!chosen[row]) continue;
        const index = colours.index(state.colour.values[row]);
        (index < 0 ? bare : buckets[index]).push(row);
      }
      context.fillStyle = colour('muted');
      for (const row of bare) this.point(row, radius);
      buckets.forEach((rows, i) => {
        context.fillStyle = colours.palette[i];
        for (const row of rows) this.point(row, radius);
      });
      crosses(context, failedPlaces(state, (row) => this.place(row)), 3);
    });
  }

  private mark() {
    const {frame, state} = this;
    const {context} = frame.marks;
    const {sweep} = state;
    const [xs, ys] = [state.filter(this.x), state.filter(this.y)];
    if (xs || ys) {
      const {left, top, width, height} = frame.area;
      const [x0, x1] = xs ? [frame.px(xs[0]), frame.px(xs[1])] : [left, left + width];
      const [y0, y1] = ys ? [frame.py(ys[1]), frame.py(ys[0])] : [top, top + height];
      context.strokeStyle = colour('accent');
      context.setLineDash([4, 3]);
      frame.clipped(context, () => context.strokeRect(x0, y0, x1 - x0, y1 - y0));
      context.setLineDash([]);
    }
    for (const {run} of sweep.stored.kept) {
      const row = sweep.rowOfRun(run);
      const at = row !== undefined && state.chosen[row] ? this.place(row) : null;
      if (at) ring(context, at.x, at.y, 5, colour('muted'));
    }
    for (const [row, name, radius] of [[state.hovered, 'text', 5], [state.selected, 'centre', 7]] as const) {
      const at = row >= 0 ? this.place(row) : null;
      if (at) ring(context, at.x, at.y, radius, colour(name));
    }
  }

  private placeAll() {
    const {frame, x, y, state: {sweep}} = this;
    this.places = new Places(sweep.rows);
    const {x: px, y: py} = this.places;
    for (let row = 0; row < sweep.rows; ++row) {
      px[row] = frame.px(x.values[row] + (x.category ? JITTER * shaken(row) : 0));
      py[row] = frame.py(y.values[row] + (y.category ? JITTER * shaken(row) : 0));
      if (!sweep.failed(row)) continue; // a failed run has no measures: its mark stands at the edge of what it has
      const {left, top, height} = frame.area;
      if (x.group === 'inputs' && y.group !== 'inputs') py[row] = top + height - 4;
      else if (y.group === 'inputs' && x.group !== 'inputs') px[row] = left + 4;
    }
  }
  private points(which: (row: number) => boolean, radius: number) {
    for (let row = 0; row < this.state.sweep.done; ++row) if (which(row)) this.point(row, radius);
  }
  private point(row: number, radius: number) {
    const {context} = this.frame.base;
    const [x, y] = [this.places.x[row], this.places.y[row]];
    if (radius < 2) {
      context.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
      return;
    }
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
  }
}
