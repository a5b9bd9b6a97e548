// A plot as a file: SVG, PNG, CSV.

import {download, element, letter} from './dom';
import {csvOf, PlotTable} from './plot_table';
import {svgChart} from './svg_chart';
import {colour} from './theme';

const SIZE = {width: 720, height: 400};
const PNG_SCALE = 3;

export interface Exported {
  table: PlotTable;
  title: string;
  range?: [number, number];
  runs: string[];
}

export function svgText({table, title, range, runs}: Exported): string {
  const legend = table.series.map(({label, result}) => (runs.length > 1 ? `${letter(result)}: ${label || title}` : label || title));
  const height = SIZE.height + 16 * legend.length;
  const {svg} = svgChart(table, {...SIZE, height, range, title, legend, background: colour('panel')});
  return new XMLSerializer().serializeToString(svg);
}

export async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = element('canvas', {});
  Object.assign(canvas, {width: PNG_SCALE * image.width, height: PNG_SCALE * image.height});
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('the browser did not make a picture'))), 'image/png'));
}

export async function savePlot(kind: string, exported: Exported) {
  const name = exported.title.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'plot';
  if (kind === 'CSV') {
    download(new Blob([csvOf(exported.table, exported.runs)], {type: 'text/csv'}), `${name}.csv`);
  } else if (kind === 'SVG') {
    download(new Blob([svgText(exported)], {type: 'image/svg+xml'}), `${name}.svg`);
  } else {
    download(await pngOf(svgText(exported)), `${name}.png`);
  }
}
