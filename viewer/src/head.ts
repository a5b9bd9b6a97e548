// Name, facts and verdicts on top of the page.

import {byId, element} from './dom';
import {chosen, count, number} from './format';
import {residualVerdict} from './ledger';
import {isMode} from './payload';
import {Result} from './result';

function facts({stored, scene, frames}: Result): string {
  const loops = scene.joints.filter(({closes_loop}) => closes_loop).length;
  const joints = scene.joints.filter(({implicit}) => !implicit).length;
  const settings = stored.settings;
  return [
    settings?.formulation,
    settings?.integrator,
    stored.ledger ? chosen(stored.ledger.time, 's') : '',
    settings ? `step ${chosen(settings.step, 's')}` : '',
    count(scene.bodies.length, 'body', 'bodies'),
    joints ? count(joints, 'joint') : '',
    loops ? count(loops, 'loop') : '',
    scene.tendons.length ? count(scene.tendons.length, 'tendon') : '',
    stored.every > 1 ? `${frames} of ${stored.records} records` : count(stored.records, 'record'),
  ].filter(Boolean).join(' · ');
}

function badge(result: Result, letter: string): HTMLElement {
  const {ledger, claims} = result.stored;
  const verdict = isMode(result.stored) ? {level: 'none', text: 'a small motion, drawn large: no run, no balance'}
    : !ledger ? {level: 'fails', text: 'no ledger: the run was not finished'}
    : ledger.status !== 'done' ? {level: 'fails', text: `run ${ledger.status}`}
    : residualVerdict(ledger, claims);
  const sign = verdict.level === 'holds' ? '✓ ' : verdict.level === 'fails' ? '✗ ' : '';
  const text = ledger?.status === 'done' ? `energy balance ${verdict.text}` : verdict.text;
  return element('span', {class: `badge ${verdict.level}`}, `${letter}${sign}${text}`);
}

/** What is known of the motion; a sign only where it is known to be wrong. */
function motionBadge({stored: {ledger}}: Result, letter: string): HTMLElement[] {
  const accuracy = ledger?.status === 'done' ? ledger.accuracy : undefined;
  if (!accuracy) return [];
  const digits = accuracy.verification?.failure === null ? accuracy.digits?.motion : undefined;
  const wrong = accuracy.verdict === 'not resolved' || (digits !== undefined && digits < 1);
  const text = digits !== undefined ? `${number(digits, 2)} digits stand to the end`
    : accuracy.steps ? `error ${number(accuracy.steps.estimated, 2)} (estimated)`
    : accuracy.verdict === 'unknown' ? 'not judged'
    : `steps ${accuracy.verdict}, error not measured`;
  return [element('span', {class: `badge ${wrong ? 'fails' : 'note'}`}, `${letter}${wrong ? '✗ ' : ''}motion: ${text}`)];
}

export function head(results: Result[]) {
  const names = [...new Set(results.map(({scene}) => scene.name))];
  const title = names.join(' and ');
  byId('title').textContent = title;
  document.title = `${title} · Torsor report`;
  const two = results.length > 1;
  const lines = results.map((result, i) => element('span', {}, (two ? `${'AB'[i]}: ` : '') + facts(result)));
  byId('facts').replaceChildren(...lines.flatMap((line, i) => (i ? [element('br'), line] : [line])));
  byId('badges').replaceChildren(...results.flatMap((result, i) => {
    const letter = two ? `${'AB'[i]} ` : '';
    return [badge(result, letter), ...motionBadge(result, letter)];
  }));
}
