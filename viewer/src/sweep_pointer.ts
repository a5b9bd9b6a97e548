// What a pointer does in every plot with two axes: rest on a run, click on it, drag a span to filter.

import {Place} from './sweep_canvas';
import {SweepColumn} from './sweep_data';
import {Frame} from './sweep_frame';
import {SweepState} from './sweep_state';
import {Tip} from './sweep_tip';

export interface RunFinder {
  /** The run that is meant; -1: none. */
  nearest(at: Place): number;
  /** Of the tip: its title, names and values; null: no tip. */
  tell(at: Place, row: number): [string, [string, string][]] | null;
  /** Of the axes along which drags filter. */
  columns(): {x: SweepColumn; y?: SweepColumn};
}

const span = (a: number, b: number): [number, number] => [Math.min(a, b), Math.max(a, b)];

export function pointAtRuns(frame: Frame, state: SweepState, tip: Tip, finder: RunFinder) {
  const leave = () => {
    state.hover(-1);
    tip.hide();
  };
  frame.listen({
    move: (at, event) => {
      const row = frame.inside(at) ? finder.nearest(at) : -1;
      const told = frame.inside(at) ? finder.tell(at, row) : null;
      state.hover(row);
      if (told) tip.show(event, ...told);
      else tip.hide();
    },
    leave,
    click: (at) => {
      if (frame.inside(at)) state.select(finder.nearest(at));
    },
    // Fingers scroll the page.
    grabs: (at, finger) => !finger && frame.inside(at),
    drag: (from, to) => {
      leave();
      const {x, y} = finder.columns();
      const spans: [SweepColumn, [number, number]][] = [[x, span(frame.xAt(from.x), frame.xAt(to.x))]];
      if (y && y !== x) spans.push([y, span(frame.yAt(from.y), frame.yAt(to.y))]);
      state.setFilters(...spans);
    },
  });
}
