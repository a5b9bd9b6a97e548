// Name, facts and verdicts on top of the page.

import {byId, element, letter} from './dom';
import {chosen, count} from './format';
import {Result} from './result';
import {badgeElement, badgesOf} from './verdicts';

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

export function head(results: Result[]) {
  const title = [...new Set(results.map(({scene}) => scene.name))].join(' and ');
  byId('title').textContent = title;
  document.title = `${title} · Torsor report`;
  const several = results.length > 1;
  const lines = results.map(facts);
  const alike = lines.every((line) => line === lines[0]);
  byId('facts').replaceChildren(...(alike ? [element('span', {}, lines[0])] : lines.map((line, i) =>
    element('span', {}, element('i', {class: 'dot', style: `background: var(--run-${i % 6})`}), `${letter(i)}: `, line))));
  byId('badges').classList.toggle('several', several);
  byId('badges').replaceChildren(...results.map((result, i) => element('ul', {'aria-label': several ? `Verdicts of ${letter(i)}` : 'Verdicts'},
    ...(several ? [element('li', {class: 'letter'}, letter(i))] : []), ...badgesOf(result).map(badgeElement))));
}
