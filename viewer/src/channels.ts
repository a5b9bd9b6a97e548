// Every number of the results as a curve that can be searched for.

import {componentNames, componentUnits, quantityName} from './channel_names';
import {Curve} from './curves';
import {Result} from './result';

export interface Channel {
  /** `bodies/link1/com:0`, as addresses keep it. */
  id: string;
  path: string;
  component: number;
  label: string;
  unit: string;
}

export function allChannels(results: Result[]): Channel[] {
  const channels = new Map<string, Channel>();
  for (const {columns} of results) {
    for (const path of columns.paths) {
      if (path === 'time') continue;
      const about = columns.about(path)!;
      const [names, units] = [componentNames(about), componentUnits(about.unit, about.width)];
      names.forEach((name, component) => {
        const id = `${path}:${component}`;
        if (!channels.has(id)) channels.set(id, {id, path, component, unit: units[component], label: `${quantityName(path)} ${name}`.trim()});
      });
    }
  }
  return [...channels.values()];
}

/** Those that hold every word, in label or path; the best first: whole words, then starts of words. */
export function searched(channels: Channel[], text: string, most: number): Channel[] {
  const words = text.toLowerCase().split(/[\s./]+/).filter(Boolean);
  const scored: {channel: Channel; score: number}[] = [];
  for (const channel of channels) {
    const parts = `${channel.label} ${channel.path}`.toLowerCase().split(/[\s/,]+/);
    let score = 0;
    for (const word of words) {
      const best = Math.max(...parts.map((part) => (part === word ? 3 : part.startsWith(word) ? 2 : part.includes(word) ? 1 : 0)));
      if (best === 0) score = -Infinity;
      score += best;
    }
    if (score >= 0) scored.push({channel, score});
  }
  return scored.sort((a, b) => b.score - a.score).slice(0, most).map(({channel}) => channel);
}

export function curveOf(results: Result[], {path, component, label, unit}: Channel): Curve {
  return {
    label, unit, component, colour: '',
    columns: results.map(({columns}) => {
      const column = columns.find(path);
      return column && component < column.width ? column : null;
    }),
  };
}
