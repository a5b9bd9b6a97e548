// Materials: the same object for the same colour, which spares the graphics card many changes.

import * as THREE from 'three';
import {Color} from './payload';
import {colour} from './theme';

const GHOST_OPACITY = 0.45;

export class Paint {
  private readonly materials = new Map<string, THREE.Material>();

  /** `ghost`: the one colour of a further result, through which the first shines. */
  constructor(readonly ghost: string | null) {}

  /** A colour of the style sheet. */
  named(name: string): THREE.Material {
    const shown = this.ghost ?? name;
    return this.kept(shown, () => new THREE.MeshStandardMaterial(
      {color: colour(shown), roughness: 0.62, metalness: 0.04, ...this.through(this.ghost ? GHOST_OPACITY : 1)}));
  }

  /** Of a shape that says its colour itself. */
  tinted(color: Color): THREE.Material {
    if (this.ghost) return this.named('');
    const [r, g, b, opacity] = color;
    return this.kept(color.join(' '), () => {
      const made = new THREE.MeshStandardMaterial({roughness: 0.55, metalness: 0.05, ...this.through(opacity)});
      made.color.setRGB(r, g, b, THREE.SRGBColorSpace);
      return made;
    });
  }

  /** One of its own, whose colour changes with the time. */
  changing(): THREE.MeshStandardMaterial {
    return new THREE.MeshStandardMaterial({roughness: 0.6, metalness: 0.04, ...this.through(this.ghost ? 0.6 : 1)});
  }

  private through(opacity: number) {
    return {transparent: opacity < 1, opacity, depthWrite: opacity === 1};
  }

  private kept(name: string, make: () => THREE.Material): THREE.Material {
    const known = this.materials.get(name) ?? make();
    this.materials.set(name, known);
    return known;
  }
}
