// The canvas, drawn by a graphics card or by software.

import * as THREE from 'three';

const MOST_PIXEL_RATIO = 2;

export function makeRenderer(): THREE.WebGLRenderer {
  const renderer = suitableRenderer();
  renderer.setPixelRatio(Math.min(devicePixelRatio, MOST_PIXEL_RATIO));
  return renderer;
}

/** Without a graphics card smooth edges cost more than they are worth: the picture must keep up with the hand. */
function suitableRenderer(): THREE.WebGLRenderer {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('webgl2', {antialias: false, alpha: false});
  const names = context?.getExtension('WEBGL_debug_renderer_info');
  const renderer = names ? String(context!.getParameter(names.UNMASKED_RENDERER_WEBGL)) : '';
  if (context && /swiftshader|llvmpipe|software|basic render/i.test(renderer)) {
    return new THREE.WebGLRenderer({canvas, context});
  }
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return new THREE.WebGLRenderer({antialias: true, alpha: false});
}
