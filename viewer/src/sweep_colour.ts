// Colours of values: a map of even lightness for numbers, the colours of curves for items of a list; and their legend.

import {element} from './dom';
import {Axis} from './sweep_axis';
import {seriesColour} from './theme';

/** viridis (S. van der Walt, N. Smith, CC0), every 16th of it. */
const VIRIDIS = ['#440154', '#481a6c', '#472f7d', '#414487', '#39568c', '#31688e', '#2a788e', '#23888e', '#1f988b', '#22a884', '#35b779',
  '#54c568', '#7ad151', '#a5db36', '#d2e21b', '#fde725'].map((text) => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16)));
const SHADES = 64;

const isDark = () => matchMedia('(prefers-color-scheme: dark)').matches;

function shade(share: number): string {
  // What would vanish into the page is left out.
  const [first, last] = isDark() ? [0.2, 1] : [0, 0.93];
  const place = (first + (last - first) * Math.min(1, Math.max(0, share))) * (VIRIDIS.length - 1);
  const i = Math.min(VIRIDIS.length - 2, Math.floor(place));
  const mixed = VIRIDIS[i].map((c, k) => Math.round(c + (place - i) * (VIRIDIS[i + 1][k] - c)));
  return `rgb(${mixed.join(' ')})`;
}

/** Of the values of an axis. */
export class Colours {
  readonly palette: string[];

  constructor(readonly axis: Axis) {
    const {column} = axis;
    this.palette = column.category ? column.labels.map((_, i) => seriesColour(i))
                                   : Array.from({length: SHADES}, (_, i) => shade(i / (SHADES - 1)));
  }

  /** A place of the palette; -1 where there is no value. */
  index(value: number): number {
    if (!Number.isFinite(value)) return -1;
    if (this.axis.column.category) return value;
    return Math.max(0, Math.min(SHADES - 1, Math.floor(this.axis.share(value) * SHADES)));
  }
}

const BAR = {width: 158, beside: 16, digit: 6.2, gap: 5}; // px, of the style sheet
/** As many ticks as stand beside each other without touching, each where its middle is [px]; none reaches beyond the legend. */
function ticksOfBar(axis: Axis): {middle: number; text: string}[] {
  let free = -BAR.beside;
  return axis.ticks(6).flatMap(({share, text}) => {
    const half = (BAR.digit * text.length) / 2;
    const middle = Math.min(BAR.width + BAR.beside - half, Math.max(half - BAR.beside, share * BAR.width));
    if (middle - half < free) return [];
    free = middle + half + BAR.gap;
    return [{middle, text}];
  });
}

/** A title, and a bar with ticks or a swatch for each item. */
export function colourLegend({axis, palette}: Colours, title: string): HTMLElement {
  const {column} = axis;
  if (column.category) {
    return element('ul', {class: 'swatches'}, ...column.labels.map((_, i) =>
      element('li', {}, element('i', {style: `background: ${palette[i]}`}), column.label(i))));
  }
  const ticks = ticksOfBar(axis).map(({middle, text}) => element('span', {style: `left: ${middle.toFixed(1)}px`}, text));
  const bar = element('div', {class: 'colour-bar', style: `background: linear-gradient(to right, ${palette.join(', ')})`});
  return element('div', {class: 'colour-scale'}, element('span', {class: 'colour-name'}, title),
                 element('div', {class: 'colour-ticked'}, bar, element('div', {class: 'colour-ticks'}, ...ticks)));
}
