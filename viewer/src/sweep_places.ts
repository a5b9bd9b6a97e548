// Where runs stand in a plot, and the one nearest to the pointer.

import {Place} from './sweep_canvas';

export class Places {
  readonly x: Float32Array;
  readonly y: Float32Array;

  constructor(rows = 0) {
    this.x = new Float32Array(rows);
    this.y = new Float32Array(rows);
  }

  at(row: number): Place | null {
    const [x, y] = [this.x[row], this.y[row]];
    return Number.isFinite(x) && Number.isFinite(y) ? {x, y} : null;
  }
  /** Among rows that are marked; -1 where none is within so many pixels. */
  nearest({x, y}: Place, marked: Uint8Array, within = Infinity): number {
    let [found, least] = [-1, within * within];
    for (let row = 0; row < this.x.length; ++row) {
      if (!marked[row]) continue;
      const [dx, dy] = [this.x[row] - x, this.y[row] - y];
      const away = dx * dx + dy * dy;
      if (away < least) [found, least] = [row, away];
    }
    return found;
  }
}
