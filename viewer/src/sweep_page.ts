// The page of a sweep: all plots of one table, with what the reader has chosen in it.

import './sweep.css';
import {byId, element} from './dom';
import {count} from './format';
import {modelText} from './model_text';
import {Axis} from './sweep_axis';
import {picturesDrawn} from './sweep_canvas';
import {Colours, colourLegend} from './sweep_colour';
import {columnMenu} from './sweep_controls';
import {StoredSweep, Sweep} from './sweep_data';
import {failuresPanel} from './sweep_failures';
import {Filters} from './sweep_filters';
import {Histogram} from './sweep_histogram';
import {Indices} from './sweep_indices';
import {Parallel} from './sweep_parallel';
import {SweepPlot} from './sweep_plot';
import {RunPanel} from './sweep_run';
import {Scatter} from './sweep_scatter';
import {SweepState} from './sweep_state';
import {Surface} from './sweep_surface';
import {Tip} from './sweep_tip';
import {onThemeChange} from './theme';

function head(sweep: Sweep) {
  const {stored} = sweep;
  byId('title').textContent = stored.title;
  document.title = `${stored.title} · Torsor sweep`;
  byId('facts').textContent = [
    'sweep', `${stored.done} of ${count(stored.planned, 'run')} done`,
    sweep.done < stored.done ? `${sweep.done} of them shown` : '',
    count(sweep.of('inputs').length, 'input'), count(sweep.of('measures').length, 'measure'),
  ].filter(Boolean).join(' · ');
  const open = stored.planned - stored.done - stored.failed;
  byId('badges').replaceChildren(
    ...(stored.failed ? [element('span', {class: 'badge fails'}, `${stored.failed} failed`)] : []),
    ...(open > 0 ? [element('span', {class: 'badge note'}, `${open} not made yet`)] : []));
}

/** By what points and lines are coloured, or why there are none; how many runs pass. */
function toolbar(state: SweepState): HTMLElement {
  const {sweep} = state;
  const legend = element('div', {class: 'toolbar-legend'});
  const passed = element('output', {class: 'passed'});
  const clear = element('button', {}, 'Clear filters');
  clear.addEventListener('click', () => state.clearFilters());
  const {label} = columnMenu('Colour of points and lines', 'Colour', sweep.columns, state.colour, (column) => state.setColour(column));
  const paint = () => {
    const axis = new Axis(state.colour);
    legend.replaceChildren(colourLegend(new Colours(axis), axis.away));
  };
  const tell = () => {
    passed.textContent = state.filters.length ? `${state.chosenCount} of ${count(sweep.done, 'run')} chosen` : `all ${count(sweep.done, 'run')}`;
    clear.disabled = !state.filters.length;
  };
  state.on((change) => {
    if (change === 'colour' || change === 'theme') paint();
    if (change === 'filter') tell();
  });
  paint();
  tell();
  const nothing = element('span', {}, 'Nothing varies in this sweep: its list of inputs (vary) is empty.');
  const colouring = sweep.of('inputs').length ? [label, legend] : [nothing];
  return element('div', {class: 'toolbar', role: 'group', 'aria-label': 'Colour and filters'}, ...colouring,
                 element('span', {class: 'spring'}), passed, clear);
}

function tabbed(sheets: [string, string, HTMLElement][]): {panel: HTMLElement; open: (id: string) => void} {
  const buttons = sheets.map(([id, title]) =>
    element('button', {role: 'tab', id: `tab-${id}`, 'aria-controls': id, 'aria-selected': 'false'}, title));
  const panels = sheets.map(([id, , content]) =>
    element('div', {class: 'panel', id, role: 'tabpanel', 'aria-labelledby': `tab-${id}`}, content));
  const open = (id: string) => sheets.forEach(([other], i) => {
    buttons[i].setAttribute('aria-selected', String(other === id));
    panels[i].hidden = other !== id;
  });
  buttons.forEach((button, i) => button.addEventListener('click', () => open(sheets[i][0])));
  open(sheets[0][0]);
  return {panel: element('section', {class: 'right sweep-side', 'aria-label': 'Run, filters, texts'},
                         element('div', {class: 'tabs', role: 'tablist'}, ...buttons), ...panels), open};
}

function sidePanel(state: SweepState): HTMLElement {
  const {stored} = state.sweep;
  const run = element('div', {}, new RunPanel(state).panel);
  const {panel, open} = tabbed([
    ['run', 'Run', run], ['filters', 'Filters', new Filters(state).panel],
    ...(stored.failed ? [['failed', 'Failed', failuresPanel(state)] as [string, string, HTMLElement]] : []),
    ['sweep-file', 'Sweep', modelText(stored.sweep)], ['model-file', 'Model', modelText(stored.model)]]);
  state.on((change) => {
    if (change === 'select' && state.selected >= 0) open('run');
  });
  return panel;
}

/** In a narrow window the values stand below all plots: a bar leads there. */
function runBar(state: SweepState): HTMLElement {
  const bar = element('a', {class: 'run-bar', href: '#run', hidden: true});
  state.on((change) => {
    if (change !== 'select') return;
    bar.hidden = state.selected < 0;
    if (state.selected >= 0) bar.textContent = `Run ${state.sweep.runs[state.selected]}: values, see it move ↓`;
  });
  return bar;
}

/** Those over inputs only if there are some. */
function makePlots(state: SweepState, tip: Tip): Record<string, SweepPlot> {
  const {sweep} = state;
  const measures = [...sweep.of('measures'), ...sweep.of('ledger')];
  const [first] = [measures.find(({varies}) => varies) ?? measures[0]];
  const inputs = sweep.byInfluence(first);
  const histogram = new Histogram(state, tip, first);
  if (!inputs.length) return {histogram};
  const scatter = new Scatter(state, tip, inputs[0], first);
  return {
    parallel: new Parallel(state, tip), scatter,
    ...(inputs.length > 1 ? {surface: new Surface(state, tip, {x: inputs[0], y: inputs[1], z: first})} : {}),
    histogram, indices: new Indices(sweep, (input, measure) => scatter.show(input, measure)),
  };
}

export function showSweep(stored: StoredSweep) {
  const sweep = new Sweep(stored);
  head(sweep);
  const main = document.querySelector('main')!;
  main.classList.add('sweep');
  if (!sweep.rows || !sweep.columns.length) {
    main.replaceChildren(element('p', {class: 'fault'}, 'No run of this sweep has been made yet.'));
    return;
  }
  const [first] = [...sweep.of('measures'), ...sweep.of('ledger')];
  const inputs = sweep.byInfluence(first);
  const state = new SweepState(sweep, inputs[1] ?? first ?? inputs[0]);
  const tip = new Tip();
  const byName = makePlots(state, tip);
  const all = Object.values(byName);
  const plots = element('div', {class: 'plots'}, ...all.map((plot) => plot.card));
  main.replaceChildren(element('section', {class: 'sweep-plots', 'aria-label': 'Plots'}, toolbar(state), plots), sidePanel(state), runBar(state), tip.sheet);
  state.on((change) => {
    for (const plot of all) plot.changed(change === 'select' || change === 'hover');
  });
  onThemeChange(() => state.tell('theme'));
  if (!inputs.length) state.select(0); // the others are like it

  // For scripts and tests: what is chosen, and where runs stand in the window.
  const corner = (plot: SweepPlot) => plot.card.querySelector('canvas')!.getBoundingClientRect();
  const moved = (plot: SweepPlot, at: {x: number; y: number} | null | undefined) =>
    at && {x: at.x + corner(plot).left, y: at.y + corner(plot).top};
  Object.assign(window, {
    torsor: {
      pictures: picturesDrawn,
      selected: () => (state.selected < 0 ? null : sweep.runs[state.selected]),
      chosen: () => Array.from(sweep.runs).filter((_, row) => state.chosen[row]),
      place: (name: string, run: number) => moved(byName[name], byName[name].place?.(sweep.rowOfRun(run) ?? -1)),
      axis: (name: string) => {
        const column = sweep.columns.find((one) => one.name === name)!;
        return byName.parallel?.axisEnds?.(column).map((at) => moved(byName.parallel, at));
      },
    },
  });
}
