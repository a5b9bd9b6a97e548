// The ledger as rows with verdicts: what was found beside what the integrator promises.

import {chosen, number, quantity} from './format';
import {Claims, Ledger} from './payload';
import {Result} from './result';

export type Level = 'holds' | 'order' | 'fails' | 'note' | 'none';

export interface Verdict {
  level: Level;
  text: string;
}

export interface Row {
  section: string;
  label: string;
  value: string;
  verdict: Verdict;
}

/** Errors below this part of what they are measured by are rounding. */
const ROUNDING = 1e-9;
const SMALL = 1e-3;
const ENERGY_ROUNDING = 1e-14;

/** By what errors are measured: energy, mass and size of the mechanism. */
export interface Scales {
  energy: number;
  linear: number;
  angular: number;
  length: number;
}

export function scalesOf(result: Result, length: number): Scales {
  const mass = result.scene.bodies.reduce((sum, body) => sum + body.mass, 0);
  const energy = result.stored.ledger?.energy.scale ?? 0;
  // Of a motion with this kinetic energy: p = sqrt(2 m T).
  const linear = Math.sqrt(2 * mass * energy);
  return {energy, linear, angular: linear * length, length};
}

const NONE: Verdict = {level: 'none', text: ''};

function relative(error: number, scale: number): number {
  return error === 0 ? 0 : scale > 0 ? error / scale : Infinity;
}

function share(part: number): string {
  return Number.isFinite(part) ? `${number(part, 2)} of the scale` : 'nothing to compare with';
}

/** Against a promise of exactness: it holds to rounding, or it does not. */
function promised(error: number, scale: number, isRounding = false): Verdict {
  const part = relative(error, scale);
  return part <= ROUNDING || isRounding ? {level: 'holds', text: `exact to rounding: ${share(part)}`}
                          : {level: 'fails', text: `promised exact, but ${share(part)}`};
}

/** Without a promise: how large it is. */
function observed(error: number, scale: number, isRounding = false): Verdict {
  const part = relative(error, scale);
  const size = part <= ROUNDING || isRounding ? 'rounding only' : part <= SMALL ? 'small' : 'considerable';
  return {level: 'note', text: `${size}: ${share(part)} (no guarantee)`};
}

export function residualVerdict(ledger: Ledger, claims: Claims | null): Verdict {
  const {max_residual: residual, scale, initial} = ledger.energy;
  // Energies far above the scale of the motion round by their own size.
  const isRounding = residual <= ENERGY_ROUNDING * Math.abs(initial);
  return claims?.energy_exact ? promised(residual, scale, isRounding) : observed(residual, scale, isRounding);
}

function statusVerdict(ledger: Ledger): Verdict {
  return ledger.status === 'done' ? {level: 'holds', text: ''} : {level: 'fails', text: 'what was computed is kept'};
}

/** The motion is another promise than the energy: a sign only for what was measured. */
function motionRows(accuracy: NonNullable<Ledger['accuracy']>): Row[] {
  const rows: Row[] = [];
  const add = (label: string, value: string, verdict: Verdict = NONE) => rows.push({section: 'Motion', label, value, verdict});
  const {verdict, warning, indicator, verification, steps} = accuracy;
  const words = warning ?? (indicator.tolerance === null ? '' : `by the method, to its tolerance ${number(indicator.tolerance, 2)}`);
  add('steps', verdict, {level: verdict === 'not resolved' ? 'fails' : 'note', text: words});
  if (indicator.tolerance === null) {
    add('largest turn in a step', quantity(indicator.turn, 'rad'), {level: 'none', text: indicator.turn_body});
  }
  if (steps) {
    add('error asked for', number(steps.asked, 2), {
      level: steps.shortfall ? 'fails' : 'holds',
      text: steps.shortfall ?? `estimated ${number(steps.estimated, 2)}, steps of ${chosen(steps.least_step, 's')} to ${chosen(steps.most_step, 's')}`});
  }
  if (!verification) {
    if (!steps) add('error', 'not measured', {level: 'none', text: 'torsor run --verify measures it'});
    return rows;
  }
  if (verification.failure) {
    add('error', 'not measured', {level: 'note', text: verification.failure});
    return rows;
  }
  add('verified against', verification.against);
  add('digits of the motion', number(accuracy.digits?.motion ?? 0, 2), {
    level: 'note', text: `error ${number(verification.motion.error, 2)} of ${quantity(verification.size, 'm')} and rad, ${verification.motion.channel}`});
  for (const [name, worst] of Object.entries(verification.worst)) {
    if (worst.digits === null) continue;
    add(`digits of ${name}`, number(worst.digits, 2), {level: 'note', text: `${quantity(worst.error, worst.unit)}, ${worst.channel}`});
  }
  for (const {to, until} of verification.trusted) {
    add(`trusted to ${number(to, 2)}`, until === null ? 'to the end' : `until ${chosen(until, 's')}`);
  }
  return rows;
}

export function ledgerRows(ledger: Ledger, claims: Claims | null, scales: Scales): Row[] {
  const rows: Row[] = [];
  const add = (section: string, label: string, value: string, verdict: Verdict = NONE) =>
    rows.push({section, label, value, verdict});
  const {energy, constraints, momentum, newton} = ledger;
  const exactMomenta = claims?.momenta_exact ?? false;
  const momentumVerdict = (error: number, scale: number) =>
    exactMomenta ? promised(error, scale) : observed(error, scale);

  add('Run', 'status', ledger.status, statusVerdict(ledger));
  add('Run', 'simulated', `${chosen(ledger.time, 's')} in ${ledger.steps} steps of ${chosen(ledger.step, 's')}`);
  add('Energy', 'at the start', quantity(energy.initial, 'J', 6));
  add('Energy', 'at the end', quantity(energy.final, 'J', 6));
  const driven = Object.keys(energy.work_by).length + Object.keys(energy.dissipated_by).length > 0;
  add('Energy', driven ? 'largest change' : 'largest error', quantity(energy.max_error, 'J'),
      driven ? {level: 'none', text: 'by driving forces and dampers'} : residualVerdict({...ledger, energy: {...energy, max_residual: energy.max_error}}, claims));
  add('Energy', driven ? 'mean change' : 'mean error', quantity(energy.mean_error, 'J'));
  for (const [name, work] of Object.entries(energy.work_by)) add('Energy', `work of ${name}`, quantity(work, 'J', 6));
  for (const [name, loss] of Object.entries(energy.dissipated_by)) add('Energy', `dissipated by ${name}`, quantity(loss, 'J', 6));
  add('Energy', 'largest balance residual', quantity(energy.max_residual, 'J'), residualVerdict(ledger, claims));
  add('Energy', 'scale', quantity(energy.scale, 'J'));
  if (ledger.accuracy) rows.push(...motionRows(ledger.accuracy));
  if (momentum.linear_max_error !== null) {
    add('Momentum, conserved parts', 'largest linear error', quantity(momentum.linear_max_error, 'kg m/s'),
        momentumVerdict(momentum.linear_max_error, scales.linear));
  }
  if (momentum.angular_max_error !== null) {
    add('Momentum, conserved parts', 'largest angular error', quantity(momentum.angular_max_error, 'kg m^2/s'),
        momentumVerdict(momentum.angular_max_error, scales.angular));
  }
  if (constraints.position_max !== null) {
    add('Constraints', 'largest position error', quantity(constraints.position_max, 'm'),
        observed(constraints.position_max, scales.length));
  }
  if (constraints.velocity_max !== null) add('Constraints', 'largest velocity error', quantity(constraints.velocity_max, 'm/s'));
  if (ledger.unit_length_max_error !== null) {
    add('Constraints', 'largest quaternion length error', number(ledger.unit_length_max_error),
        observed(ledger.unit_length_max_error, 1));
  }
  if (constraints.assembled) add('Constraints', 'assembled before the start', '', {level: 'none', text: constraints.assembled});
  if (constraints.singular_times?.length) {
    const times = constraints.singular_times.slice(0, 4).map((t) => number(t, 4)).join(', ');
    add('Constraints', 'singular positions passed', String(constraints.singular_times.length),
        {level: 'note', text: `at ${times}${constraints.singular_times.length > 4 ? ', …' : ''} s`});
  }
  if (ledger.energy.returned) {
    add('Constraints', 'energy returned there', quantity(ledger.energy.returned, 'J'),
        {level: 'note', text: 'work of rounding, taken out of the rates'});
  }
  add('Cost', 'wall time', quantity(ledger.wall_seconds, 's', 3),
      {level: 'none', text: `${number(ledger.realtime_factor, 3)} of real time`});
  add('Cost', 'evaluations', String(newton.evaluations));
  if (newton.iterations_max > 0) {
    add('Cost', 'solver iterations', `${number(newton.iterations_mean, 3)} mean, ${newton.iterations_max} at most`);
  }
  return rows;
}
