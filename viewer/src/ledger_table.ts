// The ledger on the page, results beside each other.

import {element, letter} from './dom';
import {ledgerRows, Row, scalesOf, Verdict} from './ledger';
import {isMode} from './payload';
import {Result} from './result';
import {SIGNS, verdictRows} from './verdicts';

function cell(value: string, {level, text}: Verdict): HTMLElement {
  const verdict = element('span', {class: `verdict ${level}`}, [SIGNS[level], text].filter(Boolean).join(' '));
  return element('td', {}, element('span', {class: 'value'}, value), verdict);
}

function rowsOf(result: Result, length: number): Row[] {
  const {ledger, claims} = result.stored;
  if (!ledger) return [];
  const rows = ledgerRows(ledger, claims, scalesOf(result, length));
  if (!ledger.verdicts) return rows;
  // The program's own verdicts stand above; figures below them need no second opinion.
  const judged = ['Energy', 'Momentum, conserved parts', 'Constraints'];
  return [...verdictRows(ledger.verdicts), ...rows.map((row) => (judged.includes(row.section) && row.verdict.level !== 'none'
    ? {...row, verdict: {level: 'none' as const, text: ''}} : row))];
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
    const names = results.map(({stored}, i) => element('th', {scope: 'col'}, `${letter(i)}: ${stored.name}`));
    table.prepend(element('thead', {}, element('tr', {}, element('td'), ...names)));
  }
  const missing = results.filter(({stored}) => !stored.ledger).map(({stored}) =>
    element('p', {class: 'nothing'}, isMode(stored) ? 'A small motion, not a run: there is no energy balance.' : `${stored.name}: no ledger. The run has not finished, or was killed; the page shows what it has written so far.`));
  return element('div', {class: 'scrolling', tabindex: '0', role: 'region', 'aria-label': 'Ledger'}, ...missing, table);
}

/** Keeps rows of a section together where only one of two results has them. */
function sectionOrder(key: string, keys: string[]): number {
  const section = key.split('\n')[0];
  return keys.findIndex((other) => other.split('\n')[0] === section) * 1000 + keys.indexOf(key) / 1000;
}
