// A still and a clip of the picture, with its caption.

import {Clock} from './clock';
import {download} from './dom';
import {seconds} from './format';
import {Stage} from './stage';
import {colour} from './theme';

const CLIP_RATE = 30;
const MOST_CLIP_SECONDS = 120;
const HELD_SECONDS = 0.4; // the last picture

export class Exporter {
  private readonly canvas = document.createElement('canvas');
  private recorder: MediaRecorder | null = null;

  constructor(private readonly stage: Stage, private readonly clock: Clock, private readonly title: string) {}

  get recording(): boolean {
    return this.recorder !== null;
  }

  get fileName(): string {
    return this.title.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'torsor';
  }

  /** The picture on its background, with name and time. */
  compose(): HTMLCanvasElement {
    this.stage.render();
    const source = this.stage.renderer.domElement;
    if (this.canvas.width !== source.width || this.canvas.height !== source.height) {
      Object.assign(this.canvas, {width: source.width, height: source.height});
    }
    const context = this.canvas.getContext('2d')!;
    const scale = this.stage.renderer.getPixelRatio();
    context.fillStyle = colour('stage');
    context.fillRect(0, 0, source.width, source.height);
    context.drawImage(source, 0, 0);
    context.fillStyle = colour('muted');
    context.font = `${12 * scale}px system-ui, sans-serif`;
    const step = (this.clock.end - this.clock.start) / Math.max(1, this.clock.stops.length - 1);
    context.fillText(`${this.title}   t = ${seconds(this.clock.time, step)} s`, 12 * scale, source.height - 12 * scale);
    return this.canvas;
  }

  async still(): Promise<Blob> {
    const blob = await new Promise<Blob | null>((done) => this.compose().toBlob(done, 'image/png'));
    if (!blob) throw new Error('the browser did not make a picture');
    return blob;
  }

  async saveStill() {
    download(await this.still(), `${this.fileName}.png`);
  }

  /** Plays from the start to the end, or until stopped, and hands back what was filmed. */
  async clip(): Promise<Blob> {
    const type = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4']
      .find((name) => typeof MediaRecorder !== 'undefined' && MediaRecorder.isTypeSupported(name));
    if (!type) throw new Error('this browser cannot record a canvas');
    const stream = this.compose().captureStream(CLIP_RATE);
    const recorder = new MediaRecorder(stream, {mimeType: type, videoBitsPerSecond: 8e6});
    const pieces: Blob[] = [];
    recorder.ondataavailable = ({data}) => pieces.push(data);
    const stopped = new Promise<void>((done) => (recorder.onstop = () => done()));
    this.recorder = recorder;
    const {loop} = this.clock;
    this.clock.pause();
    this.clock.loop = false;
    this.clock.seek(this.clock.start);
    const started = new Promise<void>((done) => (recorder.onstart = () => done()));
    recorder.start();
    await started;
    this.clock.toggle();
    let stopAt = performance.now() + MOST_CLIP_SECONDS * 1000;
    const film = (now: number) => {
      if (this.recorder !== recorder) return;
      this.compose();
      if (!this.clock.playing) stopAt = Math.min(stopAt, now + HELD_SECONDS * 1000);
      if (now > stopAt) this.stopClip();
      else requestAnimationFrame(film);
    };
    requestAnimationFrame(film);
    await stopped;
    this.clock.setLoop(loop);
    return new Blob(pieces, {type: type.split(';')[0]});
  }

  stopClip() {
    this.clock.pause();
    this.recorder?.stop();
    this.recorder = null;
  }

  async saveClip() {
    const blob = await this.clip();
    download(blob, `${this.fileName}.${blob.type.includes('mp4') ? 'mp4' : 'webm'}`);
  }
}
