// The table of a sweep as the program put it into the page (src/torsor/page/sweep_page.cc). Runs that failed are rows behind
// the others: they have inputs, and no number (NaN) elsewhere.

import {quantity, unit} from './format';
import {float64Of, int32Of} from './payload';

export interface StoredSweep {
  title: string;
  planned: number;
  done: number;
  failed: number;
  runs: string;
  columns: {group: Group; name: string; unit: string; labels: string[]; values: string}[];
  failures: {run: number; inputs: (number | null)[]; reason: string}[];
  kept: {run: number; link: string}[];
  sensitivities: {measure: string; shares: {input: string; first: number | null}[]}[];
  sweep: string;
  model: string;
  command?: {model: string; set: [string, string][]};
  /** Inputs that vary in the logarithm. */
  logarithmic?: string[];
}

export type Group = 'inputs' | 'measures' | 'ledger';
export const GROUPS: [Group, string][] = [['inputs', 'Inputs'], ['measures', 'Measures'], ['ledger', 'Ledger']];

/** Numbers above 0 that span so much stand on a logarithmic axis. */
const LOGARITHMIC_FROM = 1000;
/** Whole numbers below it are written with all digits. */
const LONGEST_INTEGER = 1e9;

export class SweepColumn {
  /** Over all rows; 0 and 1 where there is no number. */
  low = 0;
  high = 1;
  log: boolean;
  /** The end of the name that no other column has. */
  short: string;

  constructor(readonly index: number, readonly group: Group, readonly name: string, readonly unit: string, readonly labels: string[],
              readonly values: Float64Array, log: boolean) {
    this.short = name;
    let [low, high] = [Infinity, -Infinity];
    for (const value of values) {
      if (!Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    if (low <= high) [this.low, this.high] = [low, high];
    this.log = labels.length === 0 && low > 0 && low < high && (log || (group !== 'inputs' && high > LOGARITHMIC_FROM * low));
  }

  get category(): boolean {
    return this.labels.length > 0;
  }
  get varies(): boolean {
    return this.high > this.low;
  }
  /** `stiffness [N/m]` */
  titled(name = this.name): string {
    const printed = unit(this.unit);
    return printed && !this.category ? `${name} [${printed}]` : name;
  }
  /** `{name: generalized-alpha, rho: 0.8}` without what everybody knows. */
  label(index: number): string {
    return (this.labels[index] ?? '–').replace(/^\{name: (.*)\}$/, '$1');
  }
  text(value: number, digits = 5): string {
    if (this.category) return this.label(value);
    if (!Number.isInteger(value) || Math.abs(value) >= LONGEST_INTEGER) return quantity(value, this.unit, digits);
    return `${String(value).replace('-', '−')}\u202f${unit(this.unit)}`.trim();
  }
}

/** The shortest ends of dotted names that tell them apart; an index alone is no name: `gravity.1`. */
export function shortNames(names: string[]): string[] {
  const parts = names.map((name) => name.split('.'));
  const end = (i: number, length: number) => parts[i].slice(-length).join('.');
  return names.map((name, i) => {
    let length = /[^.]*(\.\d+)*$/.exec(name)![0].split('.').length;
    while (length < parts[i].length && names.some((_other, k) => k !== i && end(k, length) === end(i, length))) ++length;
    return end(i, length);
  });
}

export class Sweep {
  readonly columns: SweepColumn[];
  /** Rows of runs that got to their end; those behind them failed. */
  readonly done: number;
  readonly rows: number;
  readonly runs: Int32Array;
  private readonly rowOf = new Map<number, number>();
  private readonly links = new Map<number, string>();

  constructor(readonly stored: StoredSweep) {
    const runs = int32Of(stored.runs);
    this.done = runs.length;
    this.rows = runs.length + stored.failures.length;
    this.runs = new Int32Array(this.rows);
    this.runs.set(runs);
    stored.failures.forEach(({run}, i) => (this.runs[this.done + i] = run));
    this.runs.forEach((run, row) => this.rowOf.set(run, row));
    for (const {run, link} of stored.kept) this.links.set(run, link);
    let input = 0;
    this.columns = stored.columns.map(({group, name, unit: unitText, labels, values}, index) => {
      const all = new Float64Array(this.rows).fill(NaN);
      all.set(float64Of(values));
      if (group === 'inputs') {
        stored.failures.forEach(({inputs}, i) => (all[this.done + i] = inputs[input] ?? NaN));
        ++input;
      }
      return new SweepColumn(index, group, name, unitText, labels, all, (stored.logarithmic ?? []).includes(name));
    });
    const short = shortNames(this.columns.map(({name}) => name));
    this.columns.forEach((column, i) => (column.short = short[i]));
  }

  of(group: Group): SweepColumn[] {
    return this.columns.filter((column) => column.group === group);
  }
  failed(row: number): boolean {
    return row >= this.done;
  }
  reason(row: number): string {
    return this.stored.failures[row - this.done].reason;
  }
  /** The page of a run that was kept whole. */
  link(row: number): string | undefined {
    return this.links.get(this.runs[row]);
  }
  rowOfRun(run: number): number | undefined {
    return this.rowOf.get(run);
  }
  /** Inputs, those that decide most of a measure first. */
  byInfluence(measure: SweepColumn | undefined): SweepColumn[] {
    const shares = this.stored.sensitivities.find((one) => one.measure === measure?.name)?.shares ?? [];
    const share = (column: SweepColumn) => shares.find(({input}) => input === column.name)?.first ?? 0;
    return this.of('inputs').sort((a, b) => share(b) - share(a) || a.index - b.index);
  }
}
