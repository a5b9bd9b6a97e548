// The ledger on the page, results beside each other.

import {element} from './dom';
import {ledgerRows, Row, scalesOf, Verdict} from './ledger';
import {isMode} from './payload';
import {Result} from './result';

const SYMBOLS = {holds: '✓', fails: '✗', note: '', none: ''};

function cell(value: string, {level, text}: Verdict): HTMLElement {
  const verdict = element('span', {class: `verdict ${level}`}, [SYMBOLS[level], text].filter(Boolean).join(' '));
  return element('td', {}, element('span', {class: 'value'}, value), verdict);
}

function rowsOf(result: Result, length: number): Row[] {
  const {ledger, claims} = result.stored;
  return ledger ? ledgerRows(ledger, claims, scalesOf(result, length)) : [];
}

/** `length`: the size of a body, by which position errors are judged. */
export function ledgerTable(results: Result[], length: number): HTMLElement {
  const lists = results.map((result) => rowsOf(result, length));
  const keys: string[] = [];
  for (const row of lists.flat()) {
    const key = `${row.section}\n${row.label}`;
    if (!keys.includes(key)) keys.push(key);
  }
  keys.sort((a, b) => sectionOrder(a, keys) - sectionOrder(b, keys));
  const body = element('tbody');
  let section = '';
  for (const key of keys) {
    const [rowSection, label] = key.split('\n');
    if (rowSection !== section) {
      section = rowSection;
      body.append(element('tr', {class: 'section'}, element('th', {colspan: String(1 + results.length), scope: 'colgroup'}, section)));
    }
    const cells = lists.map((rows) => {
      const row = rows.find((r) => r.section === rowSection && r.label === label);
      return row ? cell(row.value, row.verdict) : element('td');
    });
    body.append(element('tr', {}, element('th', {scope: 'row'}, label), ...cells));
  }
  const table = element('table', {class: 'ledger'}, body);
  if (results.length > 1) {
    const names = results.map(({stored}, i) => element('th', {scope: 'col'}, `${'AB'[i]}: ${stored.name}`));
    table.prepend(element('thead', {}, element('tr', {}, element('th'), ...names)));
  }
  const missing = results.filter(({stored}) => !stored.ledger).map(({stored}) =>
    element('p', {class: 'nothing'}, isMode(stored) ? 'A small motion, not a run: nothing is balanced.' : `${stored.name}: no ledger. The run still goes, or was killed; what it had written is shown.`));
  return element('div', {class: 'scrolling'}, ...missing, table);
}

/** Keeps rows of a section together where only one of two results has them. */
function sectionOrder(key: string, keys: string[]): number {
  const section = key.split('\n')[0];
  return keys.findIndex((other) => other.split('\n')[0] === section) * 1000 + keys.indexOf(key) / 1000;
}
