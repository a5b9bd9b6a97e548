// What the reader has chosen, shared by all plots: filters, the run that is selected, the one under the pointer, the colour.

import {Sweep, SweepColumn} from './sweep_data';

export type Change = 'filter' | 'select' | 'hover' | 'colour' | 'theme';

export class SweepState {
  /** Rows that pass all filters: 1, the others 0. */
  readonly chosen: Uint8Array;
  chosenCount = 0;
  selected = -1;
  hovered = -1;
  colour: SweepColumn;
  private readonly spans = new Map<SweepColumn, [number, number]>();
  private readonly listeners: ((change: Change) => void)[] = [];

  constructor(readonly sweep: Sweep, colour: SweepColumn) {
    this.chosen = new Uint8Array(sweep.rows);
    this.colour = colour;
    this.sieve();
  }

  on(listener: (change: Change) => void) {
    this.listeners.push(listener);
  }
  tell(change: Change) {
    for (const listener of this.listeners) listener(change);
  }

  get filters(): [SweepColumn, [number, number]][] {
    return [...this.spans];
  }
  filter(column: SweepColumn): [number, number] | undefined {
    return this.spans.get(column);
  }
  /** Spans without a value let all runs pass. */
  setFilters(...changes: [SweepColumn, [number, number] | null][]) {
    for (const [column, span] of changes) {
      if (span) this.spans.set(column, span);
      else this.spans.delete(column);
    }
    this.sieve();
    this.tell('filter');
  }
  clearFilters() {
    this.spans.clear();
    this.sieve();
    this.tell('filter');
  }
  select(row: number) {
    this.selected = row;
    this.tell('select');
  }
  hover(row: number) {
    if (row === this.hovered) return;
    this.hovered = row;
    this.tell('hover');
  }
  setColour(column: SweepColumn) {
    this.colour = column;
    this.tell('colour');
  }

  private sieve() {
    this.chosen.fill(1);
    for (const [{values}, [low, high]] of this.spans) {
      for (let row = 0; row < values.length; ++row) {
        if (!(values[row] >= low && values[row] <= high)) this.chosen[row] = 0;
      }
    }
    this.chosenCount = 0;
    for (let row = 0; row < this.sweep.done; ++row) this.chosenCount += this.chosen[row];
  }
}
