// A small sheet beside the pointer: the number of a run, and values.

import {element} from './dom';
import {Sweep, SweepColumn} from './sweep_data';

export class Tip {
  readonly sheet = element('div', {class: 'sweep-tip', role: 'status', hidden: true});

  show({clientX, clientY}: {clientX: number; clientY: number}, title: string, lines: [string, string][]) {
    const rows = lines.flatMap(([name, value]) => [element('span', {}, name), element('b', {}, value)]);
    this.sheet.replaceChildren(element('strong', {}, title), element('div', {}, ...rows));
    this.sheet.hidden = false;
    const {offsetWidth, offsetHeight} = this.sheet;
    const left = clientX + 14 + offsetWidth > innerWidth ? Math.max(4, clientX - 14 - offsetWidth) : clientX + 14;
    const top = clientY + 14 + offsetHeight > innerHeight ? Math.max(4, clientY - 14 - offsetHeight) : clientY + 14;
    Object.assign(this.sheet.style, {left: `${left}px`, top: `${top}px`});
  }
  hide() {
    this.sheet.hidden = true;
  }
}

/** What stands on it of a run. */
export function runLines(sweep: Sweep, row: number, columns: SweepColumn[]): [string, [string, string][]] {
  const shown = [...new Set(columns)].filter(({values}) => Number.isFinite(values[row]));
  const lines = shown.map((column): [string, string] => [column.short, column.text(column.values[row])]);
  if (!sweep.failed(row)) return [`run ${sweep.runs[row]}`, lines];
  return [`run ${sweep.runs[row]} failed`, [...lines, ['why', sweep.reason(row)]]];
}
