// A soft shadow on the floor or the wall behind: the mechanism as seen along the light, blurred. One small picture, so that it
// costs little without a graphics card too.

import * as THREE from 'three';

const CAST = {
  vertexShader: `varying vec3 vPlace;
void main() {
  vec4 place = modelMatrix * vec4(position, 1.0);
  vPlace = place.xyz;
  gl_Position = projectionMatrix * viewMatrix * place;
}`,
  fragmentShader: `uniform vec3 normal;
uniform float level, reach;
varying vec3 vPlace;
void main() {
  float height = max(0.0, dot(vPlace, normal) - level);
  gl_FragColor = vec4(mix(1.0, 0.35, min(1.0, height / reach)));
}`,
};

const FULL = 'varying vec2 vAt; void main() { vAt = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }';
const BLUR = `uniform sampler2D picture;
uniform vec2 stride;
varying vec2 vAt;
void main() {
  float sum = 0.2270270 * texture2D(picture, vAt).r;
  sum += 0.3162162 * (texture2D(picture, vAt + 1.3846154 * stride).r + texture2D(picture, vAt - 1.3846154 * stride).r);
  sum += 0.0702703 * (texture2D(picture, vAt + 3.2307692 * stride).r + texture2D(picture, vAt - 3.2307692 * stride).r);
  gl_FragColor = vec4(sum);
}`;
const RECEIVE = `uniform sampler2D picture;
uniform vec3 tone;
uniform float strength;
varying vec2 vAt;
void main() {
  vec2 edge = smoothstep(0.0, 0.06, vAt) * smoothstep(0.0, 0.06, 1.0 - vAt);
  gl_FragColor = vec4(tone, strength * edge.x * edge.y * texture2D(picture, vAt).r);
  #include <colorspace_fragment>
}`;
const ON_PLANE = 'varying vec2 vAt; void main() { vAt = uv; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }';

export interface ShadowPlace {
  /** Of the floor, away from it. */
  normal: THREE.Vector3;
  centre: THREE.Vector3;
  /** How much of the floor it covers, and how high what casts it stands. */
  size: number;
  height: number;
  /** Where it falls beside what casts it. */
  offset: THREE.Vector3;
}

export class Shadow {
  readonly plane: THREE.Mesh;
  private readonly camera = new THREE.OrthographicCamera(-0.5, 0.5, 0.5, -0.5);
  private readonly cast: THREE.ShaderMaterial;
  private readonly blur: THREE.ShaderMaterial;
  private readonly targets: [THREE.WebGLRenderTarget, THREE.WebGLRenderTarget];
  private readonly quad: THREE.Mesh;
  private readonly quadScene = new THREE.Scene();
  private readonly quadCamera = new THREE.Camera();
  private readonly turn = new THREE.Quaternion();

  /** `widths`: of the blurs one after the other, in pixels. */
  constructor(private readonly place: ShadowPlace, tone: THREE.Color, strength: number, pixels: number, private readonly widths: number[]) {
    const target = () => new THREE.WebGLRenderTarget(pixels, pixels, {depthBuffer: false, format: THREE.RGBAFormat});
    this.targets = [target(), target()];
    this.cast = new THREE.ShaderMaterial({
      ...CAST, uniforms: {normal: {value: place.normal}, level: {value: 0}, reach: {value: Math.max(1e-9, place.height)}},
      depthTest: false, depthWrite: false, blending: THREE.CustomBlending, blendEquation: THREE.MaxEquation,
      blendSrc: THREE.OneFactor, blendDst: THREE.OneFactor, side: THREE.DoubleSide,
    });
    this.blur = new THREE.ShaderMaterial({
      vertexShader: FULL, fragmentShader: BLUR, depthTest: false, depthWrite: false,
      uniforms: {picture: {value: null}, stride: {value: new THREE.Vector2()}},
    });
    const receive = new THREE.ShaderMaterial({
      vertexShader: ON_PLANE, fragmentShader: RECEIVE, transparent: true, depthWrite: false,
      uniforms: {picture: {value: this.targets[0].texture}, tone: {value: tone}, strength: {value: strength}},
    });
    this.plane = new THREE.Mesh(new THREE.PlaneGeometry(place.size, place.size), receive);
    this.plane.renderOrder = -1;
    this.turn.setFromUnitVectors(new THREE.Vector3(0, 0, 1), place.normal);
    this.plane.quaternion.copy(this.turn);
    this.quad = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), this.blur);
    this.quad.frustumCulled = false;
    this.quadScene.add(this.quad);
    Object.assign(this.camera, {left: -place.size / 2, right: place.size / 2, top: place.size / 2, bottom: -place.size / 2});
    this.move(new THREE.Vector3());
  }

  /** With a camera that goes along. */
  move(by: THREE.Vector3) {
    const {normal, centre, height, size, offset} = this.place;
    const at = centre.clone().add(by);
    this.plane.position.copy(at).add(offset);
    this.cast.uniforms.level.value = at.dot(normal);
    const above = height + size;
    this.camera.position.copy(at).addScaledVector(normal, above);
    this.camera.quaternion.copy(this.turn);
    this.camera.near = 0;
    this.camera.far = above + 0.01 * size;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }

  /** Draws the picture of those objects alone. */
  render(renderer: THREE.WebGLRenderer, scene: THREE.Scene, layers: number[]) {
    const [first, second] = this.targets;
    const clear = renderer.getClearColor(new THREE.Color());
    const scissor = renderer.getScissorTest();
    this.camera.layers.disableAll();
    for (const layer of layers) this.camera.layers.enable(layer);
    renderer.setScissorTest(false);
    renderer.setClearColor(0x000000, 0);
    scene.overrideMaterial = this.cast;
    renderer.setRenderTarget(first);
    renderer.render(scene, this.camera);
    scene.overrideMaterial = null;
    const step = 1 / first.width;
    for (const width of this.widths) {
      this.pass(renderer, first, second, [width * step, 0]);
      this.pass(renderer, second, first, [0, width * step]);
    }
    renderer.setRenderTarget(null);
    renderer.setClearColor(clear, 1);
    renderer.setScissorTest(scissor);
  }

  private pass(renderer: THREE.WebGLRenderer, from: THREE.WebGLRenderTarget, to: THREE.WebGLRenderTarget, [x, y]: [number, number]) {
    this.blur.uniforms.picture.value = from.texture;
    this.blur.uniforms.stride.value.set(x, y);
    renderer.setRenderTarget(to);
    renderer.render(this.quadScene, this.quadCamera);
  }

  dispose() {
    for (const target of this.targets) target.dispose();
    for (const material of [this.cast, this.blur, this.plane.material as THREE.Material]) material.dispose();
    this.plane.geometry.dispose();
    this.quad.geometry.dispose();
  }
}
