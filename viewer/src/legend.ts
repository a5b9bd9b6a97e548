// What the colours of the picture mean: only what is in it.

import {ARROWS} from './arrow_sources';
import {byId, element} from './dom';
import {quantity} from './format';
import {Result} from './result';
import {Stage} from './stage';
import {Chosen} from './stage_menus';

function entry(colour: string, text: string, shape = ''): HTMLElement {
  return element('li', {}, element('i', {class: shape, style: `background: var(--${colour})`}), text);
}

function bar(colours: string[], from: string, to: string, title: string): HTMLElement {
  return element('li', {class: 'scale'}, element('span', {}, title), element('div', {class: 'ends'}, element('span', {}, from),
    element('div', {class: 'bar', style: `background: linear-gradient(to right, ${colours.map((name) => `var(--${name})`).join(', ')})`}),
    element('span', {}, to)));
}

export function showLegend(stage: Stage, results: Result[], chosen: Chosen) {
  const scenes = results.map(({scene}) => scene);
  const kinds = new Set(stage.isShown('elements') ? scenes.flatMap(({joint_elements: all}) => (all ?? []).map(({kind}) => kind)) : []);
  const tendons = stage.isShown('tendons') ? scenes.flatMap((scene) => scene.tendons) : [];
  const {pull, push} = stage.range;
  const longest = chosen.arrows.length ? stage.setArrows(chosen.arrows) : new Map<string, number>();
  const entries = [
    ...(kinds.has('motor') ? [entry('motor', 'motor')] : []),
    ...(kinds.has('spring') ? [entry('spring', 'spring in a joint', 'ring')] : []),
    ...(kinds.has('damper') || tendons.some(({damped}) => damped) ? [entry('damper', 'damper')] : []),
    ...(results.some(({frames}) => frames > 1) ? chosen.traces : []).map(({label}, i) => entry(`series-${i % 8}`, `path of ${label}`, 'line')),
    ...ARROWS.filter(({kind}) => chosen.arrows.includes(kind)).map(({kind, label, unit}) =>
      entry(`arrow-${kind}`, `${label}, up to ${quantity(longest.get(kind) ?? 0, unit, 3)}`, 'line')),
    ...(tendons.some(({muscle}) => !muscle) ? [bar([...(push > 0 ? ['tendon-push'] : []), 'tendon-slack', 'tendon-pull'],
      quantity(push > 0 ? -push : 0, 'N', 3), quantity(pull, 'N', 3), push > 0 ? 'push, pull' : 'tension')] : []),
    ...(tendons.some(({muscle}) => muscle) ? [bar(['muscle-rest', 'muscle-active'], '0', '1', 'activation')] : []),
  ];
  byId('legend').hidden = entries.length === 0;
  byId('legend').querySelector('ul')!.replaceChildren(...entries);
}
