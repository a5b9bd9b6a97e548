// The command that makes one run of a sweep again.

import {Sweep} from './sweep_data';

/** As one word of a shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** With all digits of the inputs, and a page to see it move; an option with its value is one part. */
export function runCommand(sweep: Sweep, row: number): string[] {
  const {model, set} = sweep.stored.command ?? {model: 'MODEL', set: []};
  const inputs = sweep.of('inputs').map(({name, labels, values}) => [name, labels[values[row]] ?? String(values[row])]);
  const settings = [...set, ...inputs].map(([path, value]) => `--set ${quoted(`${path}=${value}`)}`);
  return [`torsor run ${quoted(model)}`, ...settings, `--report run_${sweep.runs[row]}.html`];
}
