// Where several results stand beside each other in one picture.

export interface Pane {
  x: number;
  /** From the top. */
  y: number;
  width: number;
  height: number;
}

/** Columns and rows of so many panes in a picture of these measures: panes as near to squares as can be. */
export function paneGrid(count: number, width: number, height: number): {columns: number; rows: number} {
  let best = {columns: 1, rows: count};
  let least = Infinity;
  for (let columns = 1; columns <= count; ++columns) {
    const rows = Math.ceil(count / columns);
    const shape = Math.abs(Math.log((width / columns) / (height / rows)));
    const score = shape + 0.4 * (columns * rows - count);
    if (score < least) [best, least] = [{columns, rows}, score];
  }
  return best;
}

export function panesOf(count: number, width: number, height: number): Pane[] {
  const {columns, rows} = paneGrid(count, width, height);
  const [w, h] = [width / columns, height / rows];
  return Array.from({length: count}, (_, i) => ({x: (i % columns) * w, y: Math.floor(i / columns) * h, width: w, height: h}));
}
