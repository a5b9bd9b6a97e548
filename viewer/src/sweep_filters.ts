// Filters as numbers: what was dragged can be read, typed and let go of.

import {element} from './dom';
import {columnMenu} from './sweep_controls';
import {SweepColumn} from './sweep_data';
import {SweepState} from './sweep_state';

const shortest = (value: number) => String(Number(value.toPrecision(5)));

function ends(column: SweepColumn, [low, high]: [number, number], set: (span: [number, number]) => void): HTMLElement[] {
  if (column.category) {
    const list = element('select', {multiple: true, size: String(Math.min(5, column.labels.length)), 'aria-label': `${column.name}, items from the first to the last that is marked`});
    column.labels.forEach((_, i) => {
      const option = element('option', {value: String(i)}, column.label(i));
      option.selected = i >= low && i <= high;
      list.append(option);
    });
    list.addEventListener('change', () => {
      const marked = [...list.selectedOptions].map(({value}) => Number(value));
      if (marked.length) set([Math.min(...marked), Math.max(...marked)]);
    });
    return [list];
  }
  const span: [number, number] = [low, high];
  const field = (i: 0 | 1, text: string) => {
    const input = element('input', {type: 'number', step: 'any', value: shortest(span[i]), 'aria-label': `${column.titled()}, ${text}`});
    input.addEventListener('change', () => {
      if (!Number.isFinite(input.valueAsNumber)) return;
      span[i] = input.valueAsNumber;
      set(span);
    });
    return element('label', {}, text, ' ', input);
  };
  return [field(0, 'from'), field(1, 'to')];
}

export class Filters {
  readonly panel = element('div', {class: 'filters'});
  private readonly list = element('div');

  constructor(private readonly state: SweepState) {
    const {columns} = state.sweep;
    const menu = columnMenu('Filter by a column', 'Filter by', columns, columns[0], (column) => {
      menu.select.value = '';
      if (!state.filter(column)) state.setFilters([column, [column.low, column.high]]);
      this.list.querySelector<HTMLElement>(`[data-column="${column.index}"] :is(input, select)`)?.focus();
    });
    menu.select.prepend(element('option', {value: '', disabled: true}, 'a column …'));
    menu.select.value = '';
    this.panel.append(this.list, menu.label);
    this.fill();
    state.on((change) => {
      // Not while somebody types into it.
      if (change === 'filter' && !this.list.contains(document.activeElement)) this.fill();
    });
    this.list.addEventListener('focusout', () => setTimeout(() => !this.list.contains(document.activeElement) && this.fill()));
  }

  private fill() {
    const {state} = this;
    const rows = state.filters.map(([column, span]) => {
      const off = element('button', {class: 'small', 'aria-label': `No filter by ${column.name}`, title: 'Let it go'}, '×');
      off.addEventListener('click', () => {
        off.blur();
        state.setFilters([column, null]);
      });
      return element('div', {class: 'filter', 'data-column': String(column.index)},
        element('span', {class: 'filter-name'}, column.titled()), off,
        element('div', {class: 'filter-ends'}, ...ends(column, span, (set) => state.setFilters([column, set]))));
    });
    this.list.replaceChildren(...rows);
  }
}
