// The run that is selected: its values, and how to see it move.

import {element} from './dom';
import {GROUPS, Sweep} from './sweep_data';
import {runCommand} from './sweep_command';
import {SweepState} from './sweep_state';

function copyButton(text: string, from: HTMLElement): HTMLElement {
  const button = element('button', {class: 'small'}, 'Copy');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), 1500);
    } catch {
      getSelection()?.selectAllChildren(from); // the reader's own keys do the rest
    }
  });
  return button;
}

function values(sweep: Sweep, row: number): HTMLElement {
  const body = element('tbody');
  for (const [group, title] of GROUPS) {
    const columns = sweep.of(group).filter((column) => Number.isFinite(column.values[row]) || !sweep.failed(row));
    if (!columns.length) continue;
    body.append(element('tr', {class: 'section'}, element('th', {colspan: '2', scope: 'colgroup'}, title)));
    for (const column of columns) {
      body.append(element('tr', {}, element('th', {scope: 'row', title: column.name}, column.name),
                          element('td', {}, column.text(column.values[row], 7))));
    }
  }
  return element('table', {class: 'run-values'}, body);
}

function command(sweep: Sweep, row: number, text: string): HTMLElement {
  const parts = runCommand(sweep, row);
  const code = element('code', {tabindex: '0'}, ...parts.flatMap((part) => [element('span', {}, part), ' ']));
  return element('div', {class: 'command'}, element('p', {}, text, ' ', copyButton(parts.join(' '), code)), code);
}

/** How to see it move: a link before its values, or behind them a command. */
function shownRun(sweep: Sweep, row: number): HTMLElement[] {
  const table = values(sweep, row);
  const link = sweep.link(row);
  if (link) {
    const see = element('p', {}, element('a', {class: 'see', href: link, target: '_blank', rel: 'noopener'}, '▶ See it move'));
    return [see, table, command(sweep, row, 'This command repeats it:')];
  }
  if (sweep.failed(row)) {
    const reason = element('p', {class: 'reason'}, `Run ${sweep.runs[row]} failed: ${sweep.reason(row)}`);
    return [reason, table, command(sweep, row, 'This command tries it again:')];
  }
  return [table, command(sweep, row, 'The motion of this run was not kept. To see it move, repeat it with a page by this command:')];
}

export class RunPanel {
  readonly panel = element('div', {class: 'run'});
  private readonly shown = element('div', {class: 'run-shown', 'aria-live': 'polite'});
  private readonly number = element('input', {type: 'number', min: '0', step: '1', 'aria-label': 'Run number'});

  constructor(private readonly state: SweepState) {
    this.number.max = String(Math.max(0, ...state.sweep.runs));
    this.number.addEventListener('change', () => {
      const row = state.sweep.rowOfRun(this.number.valueAsNumber);
      if (row !== undefined) state.select(row);
      else this.shown.replaceChildren(element('p', {class: 'nothing'}, `Run ${this.number.value} is not on this page.`));
    });
    const step = (by: number, text: string, label: string) => {
      const button = element('button', {'aria-label': label, title: label}, text);
      button.addEventListener('click', () => this.step(by));
      return button;
    };
    const none = element('button', {}, 'None');
    none.addEventListener('click', () => state.select(-1));
    this.panel.append(element('div', {class: 'run-head'}, element('label', {}, 'Run ', this.number),
      step(-1, '‹', 'The chosen run before'), step(1, '›', 'The next chosen run'), none), this.shown);
    this.fill();
    state.on((change) => change === 'select' && this.fill());
  }

  /** To the next row that passes the filters. */
  private step(by: number) {
    const {sweep, chosen, selected} = this.state;
    for (let i = 1; i <= sweep.rows; ++i) {
      const row = (((selected < 0 && by > 0 ? -1 : selected) + by * i) % sweep.rows + sweep.rows) % sweep.rows;
      if (chosen[row]) {
        this.state.select(row);
        return;
      }
    }
  }

  private fill() {
    const {sweep, selected} = this.state;
    if (selected < 0) {
      this.number.value = '';
      this.shown.replaceChildren(...this.nothing());
      return;
    }
    this.number.value = String(sweep.runs[selected]);
    this.shown.replaceChildren(...shownRun(sweep, selected));
  }

  private nothing(): HTMLElement[] {
    const {sweep} = this.state;
    const kept = sweep.stored.kept.map(({run}) => {
      const button = element('button', {class: 'small'}, `run ${run}`);
      button.addEventListener('click', () => this.state.select(sweep.rowOfRun(run) ?? -1));
      return button;
    });
    const invitation = element('p', {class: 'nothing'}, 'Click on a run in any plot to see its values here.');
    if (!kept.length) return [invitation];
    return [invitation, element('p', {}, 'Runs whose motion was kept (ringed in the scatter plot):'), element('div', {class: 'kept'}, ...kept)];
  }
}
