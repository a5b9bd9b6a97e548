// How much of the variance of each measure an input explains alone: Sobol's indices of the first order, as bars.

import {element} from './dom';
import {Sweep, SweepColumn} from './sweep_data';
import {card, SweepPlot} from './sweep_plot';

const LEAST_RUNS = 16; // the program estimates none from fewer
const CLASSES = 64;

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

function bar(name: string, share: number, title: string, rest = false): HTMLElement[] {
  const width = Math.min(100, Math.max(0, 100 * share)).toFixed(2);
  return [element('span', {class: 'index-name', title}, name),
          element('span', {class: 'index-track'}, element('i', {class: rest ? 'rest' : '', style: `width: ${width}%`})),
          element('span', {class: 'index-value'}, percent(share))];
}

/** What the inputs leave unexplained. */
export function restOf(shares: {first: number | null}[]): number {
  return Math.max(0, 1 - shares.reduce((sum, {first}) => sum + (first ?? 0), 0));
}

export class Indices implements SweepPlot {
  readonly card: HTMLElement;

  /** A click on a bar shows the input and the measure. */
  constructor(sweep: Sweep, show: (input: SweepColumn, measure: SweepColumn) => void) {
    const {stored} = sweep;
    const column = (name: string, group: 'inputs' | 'measures') => sweep.of(group).find((one) => one.name === name);
    const blocks = stored.sensitivities.map(({measure, shares}) => {
      const output = column(measure, 'measures');
      const heading = element('h3', {}, measure);
      if (!output?.varies) return element('div', {class: 'indices'}, heading, element('p', {class: 'nothing'}, 'Does not vary.'));
      const rows = shares.map(({input, first}) => {
        const column_ = column(input, 'inputs');
        const row = element('button', {class: 'index', 'data-input': input}, ...bar(column_?.short ?? input, first ?? 0, input));
        row.addEventListener('click', () => column_ && show(column_, output));
        return row;
      });
      const rest = element('div', {class: 'index'}, ...bar('interactions and noise', restOf(shares), 'what no input explains alone', true));
      return element('div', {class: 'indices', 'data-measure': measure}, heading, ...rows, rest);
    });
    const few = stored.done < LEAST_RUNS;
    const holder = few ? element('p', {class: 'nothing'}, `Too few runs: an estimate needs at least ${LEAST_RUNS}.`)
                       : element('div', {class: 'indices-holder'}, ...blocks);
    const error = Math.sqrt(2 * Math.min(CLASSES, stored.done / 8)) / stored.done;
    this.card = card('indices', 'Sobol indices of the first order', [], holder,
      few ? '' : `The share of a measure's variance that one input explains alone, over all ${stored.done} runs; estimated, ` +
        `with a standard error of about ${percent(error)}. Click to see the measure over the input.`);
  }

  changed() {}
}
