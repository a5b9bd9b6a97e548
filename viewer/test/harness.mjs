// Runs the program, opens its pages in headless Chromium, reads what they show.

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {isDeepStrictEqual} from 'node:util';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {chromium} from 'playwright-core';

// Software rendering; a container has no user namespaces for the sandbox, and little shared memory.
const ARGUMENTS = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--no-sandbox', '--disable-dev-shm-usage'];
const PATIENCE = 60_000;

export class Harness {
  folder = mkdtempSync(path.join(tmpdir(), 'torsor-viewer-'));
  browser = null;

  async start() {
    this.browser = await chromium.launch({executablePath: process.env.TORSOR_CHROMIUM, args: ARGUMENTS, timeout: PATIENCE});
  }
  async stop() {
    await this.browser?.close();
    rmSync(this.folder, {recursive: true, force: true});
  }

  file(name) {
    return path.join(this.folder, name);
  }
  write(name, text) {
    writeFileSync(this.file(name), text);
    return this.file(name);
  }
  torsor(...words) {
    return execFileSync(process.env.TORSOR_PROGRAM, words, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});
  }

  /** Simulates, and leaves NAME.html beside the record as CSV. */
  simulate(name, model, ...options) {
    this.torsor('run', model, '--out', this.file(`${name}.csv`), '--report', this.file(`${name}.html`), ...options);
    return this.record(name);
  }
  /** Rows of NAME.csv. */
  record(name) {
    return readRecord(this.file(`${name}.csv`));
  }

  /** Opens a page, still unless asked otherwise; whatever it complains of, or asks of a network, ends up in `page.complaints`. */
  async open(name, {hash = '', ...options} = {}) {
    const page = await this.browser.newPage({viewport: {width: 1200, height: 760}, reducedMotion: 'reduce', ...options});
    page.setDefaultTimeout(PATIENCE);
    page.complaints = [];
    page.on('pageerror', (error) => page.complaints.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && page.complaints.push(message.text()));
    page.on('request', (request) => /^(https?|wss?):/.test(request.url()) && page.complaints.push(request.url()));
    await page.goto(pathToFileURL(this.file(`${name}.html`)).href + hash);
    await page.waitForFunction(() => window.torsor?.pictures() > 0);
    return page;
  }
}

/** Rows as objects by column. */
function readRecord(file) {
  const [head, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((value, i) => [names[i], Number(value)])));
}

/** After the page has drawn once more. */
export function nextFrame(page) {
  return page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

/** Waits until the check holds of what is asked for, and hands it back. A page answers a pointer a frame later, or more. */
async function awaited(page, ask, holds) {
  const end = Date.now() + PATIENCE;
  let found = await ask();
  while (!holds(found) && Date.now() < end) {
    await nextFrame(page);
    found = await ask();
  }
  return found;
}
/** The text of an element, once it is as expected. */
export async function expectText(locator, pattern) {
  const text = await awaited(locator.page(), () => locator.innerText(), (found) => pattern.test(found));
  assert.match(text, pattern);
  return text;
}
/** What the page says of itself, likewise. */
export async function expectAnswer(page, question, wanted) {
  assert.deepEqual(await awaited(page, () => page.evaluate(question), (found) => isDeepStrictEqual(found, wanted)), wanted);
}
/** Whether something comes true. */
export async function expectSoon(page, holds, text) {
  assert.ok(await awaited(page, async () => holds(), Boolean), text);
}

/** Moves the slider as a hand does, and waits for the picture. */
export async function scrub(page, stop) {
  const before = await page.evaluate(() => window.torsor.pictures());
  await page.locator('#scrub').evaluate((slider, value) => {
    slider.value = String(value);
    slider.dispatchEvent(new Event('input', {bubbles: true}));
  }, stop);
  await page.waitForFunction((n) => window.torsor.pictures() > n, before);
}

/** The still of the page as pixels: how many are drawn, how many are red, and a print of all of them. */
export function pixels(page) {
  return page.evaluate(async () => {
    const image = await createImageBitmap(await window.torsor.still());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const {data} = context.getImageData(0, 0, image.width, image.height);
    const background = [data[0], data[1], data[2]];
    let drawn = 0;
    let red = 0;
    let print = 0;
    for (let i = 0; i < data.length; i += 4) {
      const [r, g, b] = [data[i], data[i + 1], data[i + 2]];
      if (Math.abs(r - background[0]) + Math.abs(g - background[1]) + Math.abs(b - background[2]) > 90) ++drawn;
      if (r - Math.max(g, b) > 70) ++red;
      print = (print * 31 + r + 256 * g + 65536 * b) % 1000000007;
    }
    return {drawn, red, print, background, width: image.width, height: image.height};
  });
}

/** The largest distance of the poses in the picture from a row of the record. */
export async function poseError(page, bodies, row, result = 0) {
  const poses = await page.evaluate(([n, r]) => Array.from({length: n}, (_, i) => window.torsor.pose(i, r)), [bodies.length, result]);
  let error = 0;
  bodies.forEach((body, i) => {
    const {com, quaternion} = poses[i];
    'xyz'.split('').forEach((axis, k) => {
      const recorded = row[`bodies.${body}.com.${axis}`];
      error = Math.max(error, Math.abs(com[k] - (recorded ?? 0)));
    });
    const angle = row[`bodies.${body}.angle`];
    const turn = angle === undefined ? 'wxyz'.split('').map((axis) => row[`bodies.${body}.quaternion.${axis}`])
                                     : [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];
    // q and -q are the same orientation.
    const apart = (sign) => Math.max(...turn.map((x, k) => Math.abs(x - sign * quaternion[k])));
    error = Math.max(error, Math.min(apart(1), apart(-1)));
  });
  return error;
}
