// Puts the page together from the data that the program left in it.

import 'uplot/dist/uPlot.min.css';
import './style.css';
import {Clock} from './clock';
import {stageControls, transport} from './controls';
import {curveGroups} from './curves';
import {byId, element} from './dom';
import {Exporter} from './export';
import {head} from './head';
import {listenToKeys} from './keyboard';
import {ledgerTable} from './ledger_table';
import {modelText} from './model_text';
import {Payload} from './payload';
import {Plot, PlotContext, TimeWindow} from './plot';
import {Result} from './result';
import {reachablePoses, showStart} from './show';
import {skeleton, typicalLength} from './skeleton';
import {Stage} from './stage';
import {showSweep} from './sweep_page';
import {onThemeChange} from './theme';

/** Between two pictures [s]: after a longer one the motion goes on instead of leaping. */
const LONGEST_PAUSE = 0.25;

function readData(): Payload | null {
  try {
    return JSON.parse(byId('torsor-data').textContent ?? '') as Payload;
  } catch {
    return null;
  }
}

function tabs() {
  const all = [...document.querySelectorAll<HTMLElement>('[role=tab]')];
  const choose = (tab: HTMLElement) => {
    for (const other of all) {
      other.setAttribute('aria-selected', String(other === tab));
      byId(other.getAttribute('aria-controls')!).hidden = other !== tab;
    }
  };
  for (const tab of all) tab.addEventListener('click', () => choose(tab));
}

function makePlots(results: Result[], clock: Clock): Plot[] {
  const plots: Plot[] = [];
  const context: PlotContext = {
    results,
    clock,
    window: {from: clock.start, to: clock.end > clock.start ? clock.end : clock.start + 1},
    zoom(window: TimeWindow) {
      context.window = window;
      for (const plot of plots) plot.setWindow(window);
    },
  };
  for (const group of curveGroups(results)) plots.push(new Plot(group, context));
  byId('plots').append(...plots.map(({card}) => card));
  return plots;
}

/** Without WebGL the page still has its plots, ledger and model. */
function makeStage(results: Result[], clock: Clock, request: () => void): Stage | null {
  try {
    for (const {missing} of results) {
      if (missing) throw new Error(`${missing} was not recorded (simulation.record needs bodies.*.com and their turns)`);
    }
    return new Stage(byId('stage'), results, clock, request);
  } catch (fault) {
    byId('stage').append(element('p', {class: 'fault'}, `No moving picture: ${(fault as Error).message}`));
    return null;
  }
}

function start(payload: Payload) {
  const results = payload.results.map((stored, i) => new Result(stored, i));
  if (payload.show) results[0].reachable = reachablePoses(results[0], payload.show);
  const clock = new Clock(results);
  let waiting = false;
  let last = 0;
  let firstPicture = 0;
  const request = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(draw);
  };
  let stage: Stage | null = null;
  let plots: Plot[] = [];
  function draw(now: number) {
    waiting = false;
    const passed = last ? (now - last) / 1000 : 0;
    last = clock.playing ? now : 0;
    clock.advance(Math.min(passed, LONGEST_PAUSE));
    stage?.render();
    for (const plot of plots) plot.update();
    firstPicture ||= performance.now();
    if (clock.playing) request();
  }
  if (!payload.show) head(results);
  stage = makeStage(results, clock, request);
  const exporter = stage && new Exporter(stage, clock, byId('title').textContent ?? '');
  if (stage && exporter) stageControls(stage, exporter, results);
  stage?.prepare();
  tabs();
  transport(clock);
  if (payload.show) showStart(results[0], payload.show, request);
  else plots = makePlots(results, clock);
  clock.onChange(request);
  listenToKeys(clock, {fit: () => stage?.fit(), still: () => exporter?.saveStill()});
  const length = typicalLength(results.flatMap(({scene}) => scene.bodies.map((_, i) => skeleton(scene, i))));
  if (!payload.show) byId('ledger').append(ledgerTable(results, length));
  for (const {stored} of results) {
    if (results.length > 1) byId('model').append(element('h2', {}, stored.name));
    byId('model').append(modelText(stored.model));
  }
  onThemeChange(() => {
    stage?.build();
    for (const plot of plots) plot.draw();
    request();
  });
  request();

  // For scripts and tests: the page's own time, and the poses as they stand in the picture.
  Object.assign(window, {
    torsor: {
      seek: (time: number) => clock.seekNearestStop(time),
      time: () => clock.time,
      playing: () => clock.playing,
      pictures: () => stage?.pictures ?? 0,
      /** When the first picture was drawn, in ms since the page was opened. */
      firstPicture: () => firstPicture,
      pose: (body: number, result = 0) => stage?.mechanisms[result].shownPose(body),
      still: () => exporter?.still(),
      clip: () => exporter?.clip(),
    },
  });
}

const data = readData();
if (data?.sweep) {
  showSweep(data.sweep);
} else if (data) {
  start(data);
} else {
  document.querySelector('main')!.replaceChildren(
    element('p', {class: 'fault'}, 'This page holds no results. `torsor report RESULT.h5` makes one that does.'));
}
