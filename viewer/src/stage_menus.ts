// What the picture shows: traces, parts, arrows, one result over or beside the other.

import {ArrowKind, arrowKinds, ARROWS} from './arrow_sources';
import {byId, element, letter} from './dom';
import {Part} from './mechanism';
import {paneGrid} from './panes';
import {Result} from './result';
import {Comparison, Stage} from './stage';
import {firstTrace, TracePoint, tracePoints} from './traces';

/** With more entries than that, a menu has a field that filters them. */
const MANY_ENTRIES = 12;

function checkbox(label: string, checked: boolean, change: (on: boolean) => void): HTMLElement {
  const input = element('input', {type: 'checkbox', checked});
  input.addEventListener('change', () => change(input.checked));
  return element('label', {}, input, element('span', {}, label));
}

function fillSheet(id: string, entries: HTMLElement[]) {
  const sheet = byId(id).querySelector('.sheet')!;
  const list = element('div', {class: 'entries'}, ...entries);
  sheet.replaceChildren(list);
  if (entries.length <= MANY_ENTRIES) return;
  const filter = element('input', {type: 'search', placeholder: 'Filter', 'aria-label': 'Filter the entries'});
  filter.addEventListener('input', () => {
    const words = filter.value.toLowerCase().split(/\s+/);
    for (const entry of entries) entry.hidden = !words.every((word) => entry.textContent!.toLowerCase().includes(word));
  });
  filter.addEventListener('keydown', (event) => event.stopPropagation());
  sheet.prepend(filter);
}

export interface Chosen {
  traces: TracePoint[];
  arrows: ArrowKind[];
}

/** `changed`: the legend, and what an address keeps. */
export function stageMenus(stage: Stage, results: Result[], restored: {traces?: string[]; arrows?: string[]}, changed: () => void): Chosen {
  const chosen: Chosen = {traces: [], arrows: []};
  const points = tracePoints(results[0].scene, stage.mechanisms[0].skeletons);
  const first = firstTrace(results[0].scene, points);
  chosen.traces = restored.traces ? points.filter(({label}) => restored.traces!.includes(label)) : first ? [first] : [];
  const applyTraces = () => {
    stage.setTraces(chosen.traces);
    changed();
  };
  fillSheet('traces', points.map((point) => checkbox(point.label, chosen.traces.includes(point), (on) => {
    chosen.traces = points.filter((other) => (other === point ? on : chosen.traces.includes(other)));
    applyTraces();
  })));
  stage.setTraces(chosen.traces);

  const kinds = arrowKinds(results[0]);
  chosen.arrows = kinds.filter((kind) => restored.arrows?.includes(kind));
  byId('arrows').hidden = kinds.length === 0;
  fillSheet('arrows', ARROWS.filter(({kind}) => kinds.includes(kind)).map(({kind, label}) =>
    checkbox(label, chosen.arrows.includes(kind), (on) => {
      chosen.arrows = kinds.filter((other) => (other === kind ? on : chosen.arrows.includes(other)));
      stage.setArrows(chosen.arrows);
      changed();
    })));
  if (chosen.arrows.length) stage.setArrows(chosen.arrows);
  partsMenu(stage, results, changed);
  comparison(stage, results);
  return chosen;
}

function partsMenu(stage: Stage, results: Result[], changed: () => void) {
  const scenes = results.map(({scene}) => scene);
  const labels: [Part, string, boolean][] = [
    ['joints', 'joints', scenes.some(({joints}) => joints.length > 0)],
    ['elements', 'springs, dampers, motors in joints', scenes.some(({joint_elements: all, bushings}) => all?.length || bushings?.length)],
    ['points', 'points', scenes.some(({points}) => points.length > 0)],
    ['tendons', 'tendons, muscles', scenes.some(({tendons}) => tendons.length > 0)],
    ['centres', 'centres of mass', true],
  ];
  fillSheet('parts', labels.filter(([, , there]) => there).map(([part, label]) => checkbox(label, stage.isShown(part), (on) => {
    stage.show(part, on);
    changed();
  })));
}

function comparison(stage: Stage, results: Result[]) {
  const holder = byId('compare');
  holder.hidden = results.length < 2;
  if (holder.hidden) return;
  const choices: Comparison[] = ['overlaid', 'side by side'];
  const buttons = choices.map((choice) => {
    const button = element('button', {'aria-pressed': String(choice === stage.comparison)}, choice);
    button.addEventListener('click', () => {
      stage.setComparison(choice);
      buttons.forEach((other, i) => other.setAttribute('aria-pressed', String(choices[i] === choice)));
      names();
    });
    return button;
  });
  holder.replaceChildren(...buttons);
  const list = byId('pane-names');
  const names = () => {
    const {clientWidth, clientHeight} = byId('stage');
    const {columns} = paneGrid(results.length, clientWidth, clientHeight);
    const split = stage.comparison === 'side by side';
    list.classList.toggle('split', split);
    list.style.gridTemplateColumns = split ? `repeat(${columns}, 1fr)` : '';
    list.replaceChildren(...results.map(({stored}, i) => element('span', {},
      element('i', {style: `background: var(--${i || split ? `run-${i % 6}` : 'body-0'})`}), `${letter(i)}: ${stored.name}`)));
  };
  names();
  new ResizeObserver(names).observe(byId('stage'));
}
