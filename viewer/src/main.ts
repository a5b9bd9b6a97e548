// Puts the page together from the data that the program left in it.

import 'uplot/dist/uPlot.min.css';
import './colours.css';
import './style.css';
import './plots.css';
import {Clock} from './clock';
import {byId, element} from './dom';
import {Exporter} from './export';
import {head} from './head';
import {listenToKeys} from './keyboard';
import {ledgerTable} from './ledger_table';
import {showLegend} from './legend';
import {modelText} from './model_text';
import {Payload} from './payload';
import {PlotPanel} from './plot_panel';
import {Result} from './result';
import {runsTable} from './runs_table';
import {Share} from './share';
import {reachablePoses, showStart} from './show';
import {skeleton, typicalLength} from './skeleton';
import {Stage} from './stage';
import {Chosen, stageMenus} from './stage_menus';
import {stageTools} from './stage_tools';
import {showSweep} from './sweep_page';
import {makeTabs} from './tabs';
import {onThemeChange} from './theme';
import {transport} from './transport';
import {readView, View} from './view_link';

/** Between two pictures [s]: after a longer one the motion goes on instead of leaping. */
const LONGEST_PAUSE = 0.25;

function readData(): Payload | null {
  try {
    return JSON.parse(byId('torsor-data').textContent ?? '') as Payload;
  } catch {
    return null;
  }
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

/** It moves by itself, unless the reader would rather have it still or follows a link to a moment. */
function autoplay(clock: Clock, asked: View) {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (!still && asked.time === undefined && clock.end > clock.start) clock.toggle();
}

function texts(results: Result[], payload: Payload) {
  const length = typicalLength(results.flatMap(({scene}) => scene.bodies.map((_, i) => skeleton(scene, i))));
  if (!payload.show) byId('ledger').append(ledgerTable(results, length));
  byId('tab-runs').hidden = results.length < 2;
  if (results.length > 1) byId('runs').append(runsTable(results, payload.differences ?? []));
  for (const {stored} of results) {
    if (results.length > 1) byId('model').append(element('h2', {}, stored.name));
    byId('model').append(modelText(stored.model));
  }
}

function start(payload: Payload) {
  const results = payload.results.map((stored, i) => new Result(stored, i));
  const asked = readView(location.hash);
  if (payload.show) results[0].reachable = reachablePoses(results[0], payload.show);
  const clock = new Clock(results);
  let waiting = false;
  let last = 0;
  let firstPicture = 0;
  /** Of the script for one picture [ms]: all pictures, and how many. */
  const spent = {script: 0, pictures: 0};
  const request = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(draw);
  };
  let stage: Stage | null = null;
  let plots: PlotPanel | null = null;
  function draw(now: number) {
    waiting = false;
    const begin = performance.now();
    const passed = last ? (now - last) / 1000 : 0;
    last = clock.playing ? now : 0;
    clock.advance(Math.min(passed, LONGEST_PAUSE));
    stage?.render();
    plots?.update();
    firstPicture ||= performance.now();
    spent.script += performance.now() - begin;
    ++spent.pictures;
    if (clock.playing) request();
  }
  if (!payload.show) head(results);
  stage = makeStage(results, clock, request);
  const exporter = stage && new Exporter(stage, clock, byId('title').textContent ?? '');
  let chosen: Chosen = {traces: [], arrows: []};
  let share: Share | undefined;
  const tabs = makeTabs(document.querySelector<HTMLElement>('.tabs')!, () => share?.changed());
  const current = (): View => ({
    time: clock.playing ? undefined : clock.time, camera: stage?.view ?? undefined, tab: tabs.chosen(),
    traces: chosen.traces.map(({label}) => label), arrows: chosen.arrows, plots: plots?.ownPlots,
    window: plots && plots.window.to - plots.window.from < (clock.end - clock.start) * (1 - 1e-9) ? plots.window : undefined,
  });
  share = payload.show ? undefined : new Share(current);
  const changed = () => {
    if (stage) showLegend(stage, results, chosen);
    share?.changed();
  };
  if (stage && exporter) {
    stageTools(stage, exporter);
    chosen = stageMenus(stage, results, asked, changed);
    showLegend(stage, results, chosen);
    stage.onView(() => share?.changed());
    if (asked.camera) stage.view = asked.camera;
  }
  stage?.prepare();
  transport(clock);
  if (payload.show) {
    showStart(results[0], payload.show, request);
  } else {
    plots = new PlotPanel(results, clock, byId('plots'), () => share?.changed());
    plots.restore(asked.plots ?? []);
    if (asked.window) plots.zoom(asked.window);
  }
  texts(results, payload);
  if (asked.tab) tabs.choose(asked.tab);
  clock.onChange(request);
  clock.onChange(() => {
    if (!clock.playing) share?.changed();
  });
  const help = byId<HTMLDialogElement>('help');
  byId('keys').addEventListener('click', () => help.showModal());
  listenToKeys(clock, {
    fit: () => stage?.fit(), still: () => exporter?.saveStill(), help: () => help.showModal(),
    turn: (right, up) => stage?.turn(right, up), zoom: (factor) => stage?.zoomBy(factor),
  });
  onThemeChange(() => {
    stage?.build();
    plots?.draw();
    request();
  });
  if (asked.time !== undefined) clock.seekNearestStop(asked.time);
  if (!payload.show) autoplay(clock, asked);
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
      /** Milliseconds of script for a picture since the last call. */
      scriptTime: () => {
        const mean = spent.script / Math.max(1, spent.pictures);
        spent.script = spent.pictures = 0;
        return mean;
      },
      address: () => share?.address(),
      view: () => stage?.view,
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
