// The four verdicts of a run: about energy, constraints, momenta and motion.

import {element} from './dom';
import {Level, residualVerdict, Row} from './ledger';
import {number} from './format';
import {isMode, Ledger, StoredVerdict} from './payload';
import {Result} from './result';

const NAMES = ['energy', 'constraints', 'momenta', 'motion'] as const;
const LEVELS: Record<StoredVerdict['state'], Level> = {exact: 'holds', order: 'order', none: 'note', broken: 'fails'};
export const STATES: Record<StoredVerdict['state'], string> =
  {exact: 'exact to rounding', order: 'within the method’s order', none: 'not promised', broken: 'broken'};
export const SIGNS: Record<Level, string> = {holds: '✓', order: '≈', fails: '✗', note: '', none: ''};

export interface Badge {
  name: string;
  level: Level;
  text: string;
}

export function ledgerBadges(verdicts: NonNullable<Ledger['verdicts']>): Badge[] {
  return NAMES.flatMap((name) => {
    const verdict = verdicts[name];
    return verdict && LEVELS[verdict.state] ? [{name, level: LEVELS[verdict.state], text: verdict.text || STATES[verdict.state]}] : [];
  });
}

/** Rows of the ledger that say the same. */
export function verdictRows(verdicts: NonNullable<Ledger['verdicts']>): Row[] {
  return ledgerBadges(verdicts).map(({name, level, text}) =>
    ({section: 'Verdicts', label: name, value: '', verdict: {level, text}}));
}

/** Of results of earlier versions: the balance of energy, and the motion as far as it was measured. */
function earlierBadges({stored: {ledger, claims}}: Result): Badge[] {
  const {level, text} = residualVerdict(ledger!, claims);
  const badges: Badge[] = [{name: 'energy balance', level, text}];
  const {accuracy} = ledger!;
  if (!accuracy) return badges;
  const digits = accuracy.verification?.failure === null ? accuracy.digits?.motion : undefined;
  const wrong = accuracy.verdict === 'not resolved' || (digits !== undefined && digits < 1);
  const known = digits !== undefined ? `${number(digits, 2)} digits are correct to the end`
    : accuracy.steps ? `error ${number(accuracy.steps.estimated, 2)} (estimated)`
    : accuracy.verdict === 'unknown' ? 'not judged' : `steps ${accuracy.verdict}, error not measured`;
  return [...badges, {name: 'motion', level: wrong ? 'fails' : 'note', text: known}];
}

export function badgesOf(result: Result): Badge[] {
  const {ledger} = result.stored;
  if (isMode(result.stored)) return [{name: '', level: 'none', text: 'a small motion, drawn large: not a run, no balance'}];
  if (!ledger) return [{name: '', level: 'fails', text: 'no ledger: the run has not finished'}];
  if (ledger.status !== 'done') return [{name: '', level: 'fails', text: `run ${ledger.status}`}];
  return ledger.verdicts ? ledgerBadges(ledger.verdicts) : earlierBadges(result);
}

/** What is said, and its figures: on a phone the latter are left to the ledger. */
function parted(text: string): [string, string] {
  const end = text.search(/[:;,]/);
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end)];
}

export function badgeElement({name, level, text}: Badge): HTMLElement {
  const sign = SIGNS[level] ? [element('span', {class: 'sign', 'aria-hidden': 'true'}, SIGNS[level])] : [];
  const [said, figures] = parted(text);
  return element('li', {class: `badge ${level}`}, ...sign, ...(name ? [element('b', {}, name), ' '] : []),
    element('span', {}, said), element('span', {class: 'figures'}, figures));
}
