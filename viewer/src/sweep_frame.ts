// What plots with two axes share: canvases, the axes with names, units and ticks, the marks of chosen runs, pointers.

import {element} from './dom';
import {Axis, Tick} from './sweep_axis';
import {fitted, listenToPointer, oncePerFrame, Place, PointerUse, SharpCanvas} from './sweep_canvas';
import {colour} from './theme';

export interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** An axis without a column: counts of a histogram. */
export interface CountAxis {
  share(value: number): number;
  ticks(most: number): Tick[];
  title(fits: (text: string) => boolean): string;
}

const TOP = 22;
const BOTTOM = 36;
const RIGHT = 12;
const TICK_APART = 44; // px, at least
const WIDEST_LABEL = 0.32; // of the plot

export class Frame {
  /** Marks that follow the pointer stand on a canvas of their own, so that points are not drawn anew. */
  readonly base = new SharpCanvas();
  readonly marks = new SharpCanvas();
  readonly holder: HTMLElement;
  area: Area = {left: 0, top: TOP, width: 0, height: 0};
  x!: Axis;
  y!: Axis | CountAxis;
  readonly redraw: () => void;
  readonly remark: () => void;

  constructor(label: string, readonly height: number, draw: () => void, mark: () => void) {
    this.holder = element('div', {class: 'sweep-canvas', style: `height: ${height}px`}, this.base.canvas, this.marks.canvas);
    this.marks.canvas.setAttribute('role', 'img');
    this.marks.canvas.setAttribute('aria-label', label);
    const markAgain = () => {
      this.marks.resize(this.holder.clientWidth, this.height);
      if (this.area.width > 0) mark();
    };
    this.remark = oncePerFrame(markAgain);
    this.redraw = oncePerFrame(() => {
      if (this.holder.clientWidth === 0) return;
      this.base.resize(this.holder.clientWidth, this.height);
      draw();
      markAgain();
    });
    new ResizeObserver(() => this.redraw()).observe(this.holder);
  }

  /** Lays out the plot and draws its axes; left of them as much room as their labels need. */
  setAxes(x: Axis, y: Axis | CountAxis) {
    this.x = x;
    this.y = y;
    const {context, width, height} = this.base;
    const yTicks = y.ticks(Math.max(2, Math.floor((height - TOP - BOTTOM) / TICK_APART)));
    const widest = Math.min(WIDEST_LABEL * width, Math.max(...yTicks.map(({text}) => context.measureText(text).width)));
    const left = Math.ceil(widest) + 12;
    this.area = {left, top: TOP, width: Math.max(1, width - left - RIGHT), height: height - TOP - BOTTOM};
    this.drawAxes(yTicks, widest);
  }

  px(value: number): number {
    return this.area.left + this.x.share(value) * this.area.width;
  }
  py(value: number): number {
    return this.area.top + (1 - this.y.share(value)) * this.area.height;
  }
  xAt(px: number): number {
    return this.x.value((px - this.area.left) / this.area.width);
  }
  yAt(py: number): number {
    return (this.y as Axis).value(1 - (py - this.area.top) / this.area.height);
  }
  inside({x, y}: Place): boolean {
    const {left, top, width, height} = this.area;
    return x >= left - 6 && x <= left + width + 6 && y >= top - 6 && y <= top + height + 6;
  }
  /** Draws nothing outside of the axes. */
  clipped(context: CanvasRenderingContext2D, draw: () => void) {
    const {left, top, width, height} = this.area;
    context.save();
    context.beginPath();
    context.rect(left - 5, top - 5, width + 10, height + 10);
    context.clip();
    draw();
    context.restore();
  }
  listen(use: PointerUse) {
    listenToPointer(this.marks.canvas, use);
  }

  private drawAxes(yTicks: Tick[], widest: number) {
    const {context, width} = this.base;
    const {left, top, width: wide, height: high} = this.area;
    const line = colour('line');
    const muted = colour('muted');
    context.lineWidth = 1;
    context.strokeStyle = line;
    context.fillStyle = muted;
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    context.beginPath();
    for (const {share, text} of yTicks) {
      const y = Math.round(top + (1 - share) * high) + 0.5;
      context.moveTo(left - 4, y);
      context.lineTo(left + wide, y);
      context.fillText(fitted(context, text, widest), left - 7, y);
    }
    const xTicks = this.spacedTicks();
    context.textBaseline = 'top';
    for (const {share, text} of xTicks) {
      const x = Math.round(left + share * wide) + 0.5;
      context.moveTo(x, top);
      context.lineTo(x, top + high + 4);
      const label = fitted(context, text, wide / Math.max(1, xTicks.length) - 4);
      const half = context.measureText(label).width / 2;
      context.textAlign = 'center';
      context.fillText(label, Math.min(width - half - 1, Math.max(half + 1, x)), top + high + 6);
    }
    context.stroke();
    context.strokeStyle = muted;
    context.strokeRect(left + 0.5, top + 0.5, wide, high);
    context.fillStyle = colour('text');
    const room = width - 8;
    const title = (axis: Axis | CountAxis) => fitted(context, axis.title((text) => context.measureText(text).width <= room), room);
    const below = title(this.x);
    context.fillText(below, Math.min(left + wide / 2, width - 4 - context.measureText(below).width / 2), top + high + 21);
    context.textAlign = 'left';
    context.fillText(title(this.y), 4, 4);
  }

  /** As many as stand beside each other without touching. */
  private spacedTicks(): Tick[] {
    const {context} = this.base;
    for (let most = Math.max(2, Math.floor(this.area.width / TICK_APART)); most > 1; --most) {
      const ticks = this.x.ticks(most);
      const widest = Math.max(...ticks.map(({text}) => context.measureText(text).width));
      if (this.x.column.category || ticks.length * (widest + 10) <= this.area.width) return ticks;
    }
    return this.x.ticks(1);
  }
}
