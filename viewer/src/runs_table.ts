// Several results: what is different about their models and settings.

import {element, letter} from './dom';
import {Difference} from './payload';
import {Result} from './result';

export function runsTable(results: Result[], differences: Difference[]): HTMLElement {
  const head = element('tr', {}, element('th', {scope: 'col'}, 'differs in'), ...results.map(({stored}, i) =>
    element('th', {scope: 'col'}, element('i', {class: 'dot', style: `background: var(--run-${i % 6})`}), `${letter(i)}: ${stored.name}`)));
  const rows = differences.map(({key, values}) => element('tr', {}, element('th', {scope: 'row'}, element('code', {}, key)),
    ...values.map((value) => element('td', {class: value === null ? 'absent' : ''}, value ?? 'none'))));
  const table = element('table', {class: 'ledger runs'}, element('thead', {}, head), element('tbody', {}, ...rows));
  return element('div', {class: 'scrolling', tabindex: '0', role: 'region', 'aria-label': 'Differences'}, differences.length ? table
    : element('p', {class: 'nothing'}, 'Models and settings are the same.'));
}
