// Canvases that are as sharp as the screen, a picture for each frame at most, pointers on them.

import {element} from './dom';
import {colour} from './theme';

export const FONT = '11px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';

/** How often something was drawn: for scripts that wait for it. */
let drawn = 0;
export const picturesDrawn = () => drawn;

/** Calls between two frames of the screen draw once. */
export function oncePerFrame(draw: () => void): () => void {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
      ++drawn;
    });
  };
}

export class SharpCanvas {
  readonly canvas = element('canvas');
  // Drawn by the processor at once: very many short strokes queue up for a graphics card, and the budget of a frame says nothing.
  readonly context = this.canvas.getContext('2d', {willReadFrequently: true})!;
  width = 0;
  height = 0;

  /** Empties it, too. */
  resize(width: number, height: number) {
    const ratio = window.devicePixelRatio || 1;
    const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== wide || this.canvas.height !== high) {
      Object.assign(this.canvas, {width: wide, height: high});
      Object.assign(this.canvas.style, {width: `${width}px`, height: `${height}px`});
    }
    this.width = width;
    this.height = height;
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.clearRect(0, 0, width, height);
    this.context.font = FONT;
  }
}

/** The end of a name says most: the beginning gives way. */
export function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let from = 1;
  while (from < text.length && context.measureText(`…${text.slice(from)}`).width > width) ++from;
  return `…${text.slice(from)}`;
}

/** Crosses for runs that failed, to be seen on any ground. */
export function crosses(context: CanvasRenderingContext2D, places: Place[], size: number) {
  context.beginPath();
  for (const {x, y} of places) {
    context.moveTo(x - size, y - size);
    context.lineTo(x + size, y + size);
    context.moveTo(x + size, y - size);
    context.lineTo(x - size, y + size);
  }
  for (const [width, style] of [[3, colour('panel')], [1.3, colour('bad')]] as const) {
    context.lineWidth = width;
    context.strokeStyle = style;
    context.stroke();
  }
}

/** A ring that stands out from whatever is below it. */
export function ring(context: CanvasRenderingContext2D, x: number, y: number, radius: number, stroke: string) {
  for (const [width, style] of [[4, colour('panel')], [2, stroke]] as const) {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.lineWidth = width;
    context.strokeStyle = style;
    context.stroke();
  }
}

export interface Place {
  x: number;
  y: number;
}

export interface PointerUse {
  move(at: Place, event: PointerEvent): void;
  leave(): void;
  click(at: Place): void;
  /** Whether a drag that begins there filters; fingers scroll the page otherwise. */
  grabs(at: Place, finger: boolean): boolean;
  /** A button goes down: what follows is a click or a drag. */
  press?(at: Place): void;
  drag(from: Place, to: Place): void;
}

const CLICK_DISTANCE = 4; // px

/** Moves, clicks and drags on a canvas, in its own pixels. */
export function listenToPointer(canvas: HTMLCanvasElement, use: PointerUse) {
  let from: Place | null = null;
  let dragging = false;
  const place = ({clientX, clientY}: {clientX: number; clientY: number}): Place => {
    const {left, top} = canvas.getBoundingClientRect();
    return {x: clientX - left, y: clientY - top};
  };
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    from = place(event);
    dragging = false;
    use.press?.(from);
    if (use.grabs(from, event.pointerType === 'touch')) canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    const at = place(event);
    if (from && event.buttons && use.grabs(from, event.pointerType === 'touch')) {
      dragging ||= Math.hypot(at.x - from.x, at.y - from.y) > CLICK_DISTANCE;
      if (dragging) use.drag(from, at);
    } else {
      use.move(at, event);
    }
  });
  canvas.addEventListener('pointerup', (event) => {
    if (from && !dragging) use.click(place(event));
    from = null;
  });
  canvas.addEventListener('pointercancel', () => (from = null));
  canvas.addEventListener('pointerleave', () => use.leave());
  canvas.addEventListener('touchstart', (event) => {
    if (event.touches.length === 1 && use.grabs(place(event.touches[0]), true)) event.preventDefault();
  }, {passive: false});
}
