// Play, scrub, speed; and what the picture shows.

import {Clock, SPEEDS} from './clock';
import {byId, element} from './dom';
import {Exporter} from './export';
import {chosen, quantity, seconds} from './format';
import {Part} from './mechanism';
import {Result} from './result';
import {Comparison, Stage} from './stage';
import {firstTrace, TracePoint, tracePoints} from './traces';

const PLAY = 'M3 1.5v13l11-6.5z';
const PAUSE = 'M3 1.5h3.6v13H3zm6.4 0H13v13H9.4z';

function icon(path: string): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  const shape = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  shape.setAttribute('d', path);
  svg.append(shape);
  return svg;
}

export function transport(clock: Clock) {
  const [play, scrub, time, speed] = [byId('play'), byId<HTMLInputElement>('scrub'), byId('time'), byId<HTMLSelectElement>('speed')];
  const step = (clock.end - clock.start) / Math.max(1, clock.stops.length - 1);
  scrub.max = String(clock.stops.length - 1);
  play.addEventListener('click', () => clock.toggle());
  scrub.addEventListener('input', () => clock.seekStop(Number(scrub.value)));
  for (const value of SPEEDS) speed.append(element('option', {value: String(value)}, `${Number(value.toPrecision(1))}×`));
  speed.addEventListener('change', () => clock.setSpeed(Number(speed.value)));
  let wasPlaying: boolean | null = null;
  const show = () => {
    scrub.value = String(clock.stop);
    time.textContent = `${seconds(clock.time, step)} / ${seconds(clock.end, step)} s`;
    scrub.setAttribute('aria-valuetext', `${seconds(clock.time, step)} s`);
    speed.value = String(clock.speed);
    if (wasPlaying === clock.playing) return;
    wasPlaying = clock.playing;
    play.replaceChildren(icon(clock.playing ? PAUSE : PLAY));
    play.setAttribute('aria-label', clock.playing ? 'Pause' : 'Play');
  };
  clock.onChange(show);
  show();
}

function checkbox(label: string, checked: boolean, change: (on: boolean) => void): HTMLElement {
  const input = element('input', {type: 'checkbox', checked});
  input.addEventListener('change', () => change(input.checked));
  return element('label', {}, input, label);
}

function traceMenu(stage: Stage, result: Result) {
  const points = tracePoints(result.scene, stage.mechanisms[0].skeletons);
  const first = firstTrace(result.scene, points);
  const chosen = new Set<TracePoint>(first ? [first] : []);
  const apply = () => stage.setTraces(points.filter((point) => chosen.has(point)));
  byId('traces').querySelector('.sheet')!.replaceChildren(...points.map((point) =>
    checkbox(point.label, chosen.has(point), (on) => {
      if (on) chosen.add(point);
      else chosen.delete(point);
      apply();
    })));
  apply();
}

function partsMenu(stage: Stage, results: Result[]) {
  const labels: [Part, string, boolean][] = [
    ['joints', 'joints', results.some(({scene}) => scene.joints.length > 0)],
    ['points', 'points', results.some(({scene}) => scene.points.length > 0)],
    ['tendons', 'tendons', results.some(({scene}) => scene.tendons.length > 0)],
    ['centres', 'centres of mass', true],
  ];
  byId('parts').querySelector('.sheet')!.replaceChildren(...labels.filter(([, , there]) => there)
    .map(([part, label]) => checkbox(label, stage.isShown(part), (on) => stage.show(part, on))));
}

function comparison(stage: Stage, results: Result[]) {
  const holder = byId('compare');
  const names = byId('pane-names');
  holder.hidden = results.length < 2;
  if (holder.hidden) return;
  const choices: Comparison[] = ['overlaid', 'side by side'];
  const buttons = choices.map((choice) => {
    const button = element('button', {'aria-pressed': String(choice === stage.comparison)}, choice);
    button.addEventListener('click', () => {
      stage.setComparison(choice);
      buttons.forEach((other, i) => other.setAttribute('aria-pressed', String(choices[i] === choice)));
    });
    return button;
  });
  holder.replaceChildren(...buttons);
  names.replaceChildren(...results.map(({stored}, i) =>
    element('span', {}, element('i', {style: `background: var(--${i ? 'ghost' : 'body-0'})`}), `${'AB'[i]}: ${stored.name}`)));
}

function tensionScale(stage: Stage, results: Result[]) {
  const scale = byId('tension-scale');
  const {pull, push} = stage.range;
  scale.hidden = results.every(({scene}) => scene.tendons.length === 0);
  const colours = [...(push > 0 ? ['var(--tendon-push)'] : []), 'var(--tendon-slack)', 'var(--tendon-pull)'];
  scale.replaceChildren('tension',
    element('div', {class: 'bar', style: `background: linear-gradient(to right, ${colours.join(', ')})`}),
    element('div', {class: 'ends'}, element('span', {}, quantity(push > 0 ? -push : 0, 'N', 3)), element('span', {}, quantity(pull, 'N', 3))));
}

function exports(exporter: Exporter) {
  const [still, clip, message] = [byId('still'), byId('clip'), byId('message')];
  const attempt = async (action: () => Promise<void>) => {
    message.hidden = true;
    try {
      await action();
    } catch (fault) {
      message.textContent = `Not saved: ${(fault as Error).message}.`;
      message.hidden = false;
    }
  };
  still.addEventListener('click', () => attempt(() => exporter.saveStill()));
  clip.addEventListener('click', () => {
    if (exporter.recording) {
      exporter.stopClip();
      return;
    }
    clip.textContent = 'Stop';
    clip.setAttribute('aria-pressed', 'true');
    attempt(() => exporter.saveClip()).finally(() => {
      clip.textContent = 'Clip';
      clip.removeAttribute('aria-pressed');
    });
  });
}

function tooltips(stage: Stage) {
  const [host, tip] = [byId('stage'), byId('tip')];
  host.addEventListener('pointermove', (event) => {
    const box = host.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const label = event.buttons ? null : stage.labelAt(x, y);
    tip.hidden = !label;
    if (!label) return;
    tip.textContent = label;
    tip.style.left = `${Math.min(x + 14, box.width - tip.offsetWidth - 4)}px`;
    tip.style.top = `${Math.max(4, y - 26)}px`;
  });
  host.addEventListener('pointerleave', () => (tip.hidden = true));
}

export function stageControls(stage: Stage, exporter: Exporter, results: Result[]) {
  byId('fit').addEventListener('click', () => stage.fit());
  const follow = byId('follow');
  const showFollow = () => {
    follow.setAttribute('aria-pressed', String(stage.follow));
    byId('grid-label').textContent = `grid ${chosen(stage.gridSpacing, 'm')}`;
  };
  follow.addEventListener('click', () => {
    stage.setFollow(!stage.follow);
    showFollow();
  });
  showFollow();
  traceMenu(stage, results[0]);
  partsMenu(stage, results);
  comparison(stage, results);
  tensionScale(stage, results);
  exports(exporter);
  tooltips(stage);
  document.addEventListener('pointerdown', (event) => {
    for (const menu of document.querySelectorAll<HTMLDetailsElement>('.menu[open]')) {
      if (!menu.contains(event.target as Node)) menu.open = false;
    }
  });
}
