// The canvas, drawn by a graphics card or by software.

import * as THREE from 'three';

export interface Drawing {
  renderer: THREE.WebGLRenderer;
  /** Without a graphics card: the picture must keep up with the hand all the same. */
  software: boolean;
}

const MOST_PIXEL_RATIO = {card: 3, software: 2};

function isSoftware(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  const names = context?.getExtension('WEBGL_debug_renderer_info');
  const renderer = names ? String(context!.getParameter(names.UNMASKED_RENDERER_WEBGL)) : '';
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(renderer);
}

export function makeDrawing(): Drawing {
  const software = isSoftware();
  // Smooth edges cost software more than they are worth.
  const renderer = new THREE.WebGLRenderer({antialias: !software, alpha: false});
  return {renderer, software};
}

/** As fine as the screen, also where the window moves to another one. */
export function followPixelRatio({renderer, software}: Drawing, changed: () => void) {
  const set = () => renderer.setPixelRatio(Math.min(devicePixelRatio, software ? MOST_PIXEL_RATIO.software : MOST_PIXEL_RATIO.card));
  const listen = () => matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener('change', () => {
    set();
    changed();
    listen();
  }, {once: true});
  set();
  listen();
}
