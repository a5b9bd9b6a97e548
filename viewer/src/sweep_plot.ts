// What every plot of a sweep is for the page.

import {element} from './dom';
import {Place} from './sweep_canvas';
import {SweepColumn} from './sweep_data';
import {SweepState} from './sweep_state';

export interface SweepPlot {
  readonly card: HTMLElement;
  /** Something that it shows has changed; only marks where another run is selected or under the pointer. */
  changed(marksOnly: boolean): void;
  /** Where a run stands, from the corner of its canvas. */
  place?(row: number): Place | null;
  /** Both ends of the axis of a column, likewise. */
  axisEnds?(column: SweepColumn): [Place, Place];
}

export function card(id: string, title: string, controls: HTMLElement[], picture: HTMLElement, note = ''): HTMLElement {
  const head = element('div', {class: 'card-head'}, element('h2', {}, title), ...controls);
  const made = element('section', {class: 'card', 'data-plot': id, 'aria-label': title}, head, picture);
  if (note) made.append(element('p', {class: 'card-note'}, note));
  return made;
}

/** Where the failed runs stand that pass the filters. */
export function failedPlaces({sweep, chosen}: SweepState, place: (row: number) => Place | null): Place[] {
  const places: Place[] = [];
  for (let row = sweep.done; row < sweep.rows; ++row) {
    const at = chosen[row] ? place(row) : null;
    if (at) places.push(at);
  }
  return places;
}
