// All plots: those that every result has, and those that the reader puts together.

import {Channel, allChannels, curveOf} from './channels';
import {channelSearch} from './channel_search';
import {Clock} from './clock';
import {curveGroups} from './curves';
import {element, icon} from './dom';
import {count} from './format';
import {Plot, PlotContext} from './plot';
import {PlotMode, TimeWindow} from './plot_table';
import {Result} from './result';
import {following, within, zoomed} from './time_gestures';

const CROSS = 'M3.5 2.5 8 7l4.5-4.5 1 1L9 8l4.5 4.5-1 1L8 9l-4.5 4.5-1-1L7 8 2.5 3.5z';
const ZOOM_STEP = 2;

/** A plot of the reader's own, as an address keeps it. */
export interface OwnPlot {
  channels: string[];
  mode: PlotMode;
}

export class PlotPanel {
  private readonly standard: Plot[];
  private own: {plot: Plot; channels: Channel[]}[] = [];
  private readonly ownHolder = element('div', {class: 'own-plots'});
  private readonly all: Channel[];
  private readonly context: PlotContext;
  private readonly whole: HTMLButtonElement;

  constructor(private readonly results: Result[], private readonly clock: Clock, host: HTMLElement, private readonly changed: () => void) {
    this.all = allChannels(results);
    this.context = {
      results, clock, changed,
      window: {from: clock.start, to: clock.end > clock.start ? clock.end : clock.start + 1},
      zoom: (window: TimeWindow) => this.zoom(window),
    };
    this.standard = curveGroups(results).map((group) => new Plot(group, this.context));
    const button = (text: string, label: string, action: () => void) => {
      const made = element('button', {title: label, 'aria-label': label}, text);
      made.addEventListener('click', action);
      return made;
    };
    const about = (factor: number) => () => this.zoom(zoomed(this.context.window, clock.time, factor, clock));
    this.whole = button('All', 'Show all of the time', () => this.zoom({from: clock.start, to: clock.end}));
    const search = channelSearch(this.all, `Plot any of ${count(this.all.length, 'channel')}`, (channel) => this.add([channel], 'time'));
    host.append(
      element('div', {class: 'plot-bar'}, search,
              element('div', {class: 'segmented', role: 'group', 'aria-label': 'Zoom of time'},
                      button('−', 'Zoom out of the time', about(ZOOM_STEP)), button('+', 'Zoom into the time at the cursor', about(1 / ZOOM_STEP)),
                      this.whole)),
      ...this.notes(), this.ownHolder, element('div', {class: 'standard-plots'}, ...this.standard.map(({card}) => card)));
    this.tellZoom();
  }

  get plots(): Plot[] {
    return [...this.own.map(({plot}) => plot), ...this.standard];
  }
  get ownPlots(): OwnPlot[] {
    return this.own.map(({plot, channels}) => ({channels: channels.map(({id}) => id), mode: plot.mode}));
  }
  get window(): TimeWindow {
    return this.context.window;
  }

  /** As an address has them. */
  restore(plots: OwnPlot[]) {
    for (const {channels, mode} of plots) {
      const known = channels.flatMap((id) => this.all.filter((channel) => channel.id === id));
      if (known.length) this.add(known, mode);
    }
  }

  zoom(asked: TimeWindow) {
    const window = within(asked, this.clock);
    this.context.window = window;
    for (const plot of this.plots) plot.setWindow(window);
    this.tellZoom();
    this.changed();
  }

  /** To the clock's time; a window that is zoomed goes along. */
  update() {
    const window = following(this.context.window, this.clock.time, this.clock);
    if (window.from !== this.context.window.from) {
      this.context.window = window;
      for (const plot of this.plots) plot.setWindow(window);
    }
    for (const plot of this.plots) plot.update();
  }

  draw() {
    for (const plot of this.plots) plot.draw();
  }

  private add(channels: Channel[], mode: PlotMode) {
    const kept = [...channels];
    const curves = () => kept.map((channel, i) => ({...curveOf(this.results, channel), colour: `series-${i % 8}`}));
    const remove = element('button', {class: 'icon small', 'aria-label': 'Remove this plot', title: 'Remove this plot'}, icon(CROSS));
    const search = channelSearch(this.all, 'Add a channel', (channel) => {
      kept.push(channel);
      plot.setCurves(curves());
      this.changed();
    });
    const title = kept.length <= 2 ? kept.map(({label}) => label).join(', ') : 'Own plot';
    const plot = new Plot({id: `own-${kept[0].id}`, title, unit: '', log: false, open: true, choices: [{label: '', curves}]},
                          this.context, [search, remove]);
    plot.setMode(mode);
    const entry = {plot, channels: kept};
    remove.addEventListener('click', () => {
      this.own = this.own.filter((other) => other !== entry);
      plot.card.remove();
      this.changed();
    });
    this.own.push(entry);
    this.ownHolder.append(plot.card);
    plot.draw();
    plot.update();
    plot.card.scrollIntoView({block: 'nearest'});
    this.changed();
  }

  private tellZoom() {
    const {from, to} = this.context.window;
    this.whole.disabled = to - from >= (this.clock.end - this.clock.start) * (1 - 1e-9);
  }

  /** What a page of a long run leaves out, and that what it shows is exact. */
  private notes(): HTMLElement[] {
    return this.results.filter(({stored}) => stored.every > 1 || stored.left_out?.length).map(({stored, frames}) => {
      const name = this.results.length > 1 ? `${stored.name}: ` : '';
      const some = stored.every > 1;
      const said = some ? `${frames} of ${stored.records} records, each as it was recorded` : 'All records, without some quantities';
      const less = stored.left_out?.length ? [element('p', {}, `Left out to limit the size of the page: ${stored.left_out.join(', ')}.`)] : [];
      return element('details', {class: 'note-line'}, element('summary', {}, name + said), ...(some ? [element('p', {},
        `One record in ${stored.every}, and the last; nothing is averaged${stored.single ? ', poses have seven digits' : ''}. The largest errors in the ledger are those of all steps.`)] : []), ...less);
    });
  }
}
