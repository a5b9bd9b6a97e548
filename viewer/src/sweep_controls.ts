// Menus of columns.

import {element} from './dom';
import {GROUPS, SweepColumn} from './sweep_data';

export interface ColumnMenu {
  label: HTMLLabelElement;
  select: HTMLSelectElement;
}

/** `name` says to those who hear the page what is chosen, `text` to those who see it. */
export function columnMenu(name: string, text: string, columns: SweepColumn[], chosen: SweepColumn,
                           choose: (column: SweepColumn) => void): ColumnMenu {
  const select = element('select', {'aria-label': name});
  for (const [group, title] of GROUPS) {
    const members = columns.filter((column) => column.group === group);
    if (!members.length) continue;
    const options = members.map((column) => element('option', {value: String(column.index)}, column.titled()));
    select.append(element('optgroup', {label: title}, ...options));
  }
  select.value = String(chosen.index);
  select.addEventListener('change', () => {
    const column = columns.find(({index}) => index === Number(select.value));
    if (column) choose(column);
  });
  return {label: element('label', {class: 'column-menu'}, element('span', {}, text), select), select};
}
