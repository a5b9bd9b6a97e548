// The page of a sweep in a browser: what it shows is what stands in the table.

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import path from 'node:path';
import test, {after, before} from 'node:test';
import {seriousFindings} from './axe.mjs';
import {expectAnswer, expectText, Harness} from './harness.mjs';

const harness = new Harness();
before(() => harness.start());
after(() => harness.stop());

const ARM = `torsor_sweep: 1
model: tendon_arm
vary:
  tendons.biarticular.stiffness: {log: [0.5, 50]}
  initial.joints.elbow: {uniform: [-40 deg, 40 deg]}
  bodies.link1.mass: {uniform: [-0.2, 2]}
samples: {method: sobol, count: 200, seed: 7}
measure:
  reach: {max: points.horn3.position.x}
  drop: {min: points.horn3.position.y}
keep: {records: 3}
simulation: {duration: 0.5}
`;

const made = new Map();
/** Makes a sweep once; its folder and rows of its table by run, those that failed without numbers. */
function sweep(name, text) {
  if (made.has(name)) return made.get(name);
  harness.torsor('sweep', harness.write(`${name}.yaml`, text), '--out', harness.file(name));
  const [head, ...lines] = readFileSync(harness.file(path.join(name, 'table.csv')), 'utf8').trim().split('\n');
  const names = head.split(',');
  const rows = lines.map((line) => Object.fromEntries(line.split(',').slice(0, names.length).map((value, i) => [names[i], value])));
  made.set(name, rows);
  return rows;
}
async function open(name, text, options) {
  const rows = sweep(name, text);
  const page = await harness.open(path.join(name, 'index'), options);
  await settled(page);
  return {page, rows, done: rows.filter((row) => row['measures.reach'] !== '' && row['measures.reach'] !== 'nan')};
}

/** Until nothing is drawn any more. */
async function settled(page) {
  await page.evaluate(async () => {
    const frame = () => new Promise((ready) => requestAnimationFrame(ready));
    for (let still = 0, before = -1; still < 3; ++still) {
      await frame();
      if (window.torsor.pictures() !== before) still = 0;
      before = window.torsor.pictures();
    }
  });
}

/** Pixels of a plot that differ from its ground. */
function drawnPixels(page, plot) {
  return page.locator(`[data-plot=${plot}] canvas`).first().evaluate((canvas) => {
    const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let [drawn, coloured] = [0, 0];
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] < 40) continue;
      ++drawn;
      if (Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 50) ++coloured;
    }
    return {drawn, coloured, sharp: canvas.width / canvas.clientWidth};
  });
}

/** Rests the pointer on a run until the tip tells of it, and returns the place: a plot may have been laid out anew meanwhile. */
async function pointAt(page, plot, run) {
  await page.locator(`[data-plot=${plot}]`).scrollIntoViewIfNeeded();
  const told = page.locator('.sweep-tip:not([hidden])').filter({hasText: new RegExp(`^run ${run}(?!\\d)`)});
  for (let tries = 0; tries < 20; ++tries) {
    const at = await page.evaluate(([name, n]) => window.torsor.place(name, n), [plot, run]);
    await page.mouse.move(at.x, at.y);
    await settled(page);
    if (await told.count()) return at;
  }
  assert.fail(`no tip of run ${run}; it says: ${await page.locator('.sweep-tip').textContent()}`);
}

async function drag(page, from, to) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, {steps: 3});
  await page.mouse.move(to.x, to.y, {steps: 3});
  await page.mouse.up();
  await settled(page);
}

test('every plot draws, in light and dark, as sharp as the screen', async () => {
  for (const options of [{}, {colorScheme: 'dark', deviceScaleFactor: 2}]) {
    const {page} = await open('arm', ARM, options);
    for (const plot of ['parallel', 'scatter', 'surface', 'histogram']) {
      const {drawn, coloured, sharp} = await drawnPixels(page, plot);
      assert.ok(drawn > 2000 && coloured > 200, `${plot}: ${drawn} pixels, ${coloured} coloured`);
      assert.ok(Math.abs(sharp - (options.deviceScaleFactor ?? 1)) < 0.01, `${plot}: ${sharp}`);
    }
    assert.deepEqual(page.complaints, []);
    await page.close();
  }
});

test('the head counts runs, the bars have every input and the rest', async () => {
  const {page, rows, done} = await open('arm', ARM);
  assert.ok(done.length > 100 && done.length < 200, `${done.length} runs done`);
  assert.match(await page.locator('#facts').innerText(), new RegExp(`${done.length} of 200.runs done`));
  assert.equal(await page.locator('#badges .fails').innerText(), `${rows.length - done.length} failed`);
  for (const measure of ['reach', 'drop']) {
    const bars = page.locator(`[data-measure=${measure}] .index`);
    assert.equal(await bars.count(), 4);
    assert.match(await bars.last().innerText(), /interactions and noise/);
    const shares = (await bars.locator('.index-value').allInnerTexts()).map((text) => parseFloat(text));
    assert.ok(Math.abs(shares.reduce((sum, share) => sum + share) - 100) < 0.3 || shares[3] === 0, `${shares}`);
  }
  await page.close();
});

test('a click on a point selects its run: its values stand in the table, and the command makes it again', async () => {
  const {page, done} = await open('arm', ARM);
  const kept = await page.evaluate(() => JSON.parse(document.getElementById('torsor-data').textContent).sweep.kept.map(({run}) => run));
  const row = done.find(({run}) => !kept.includes(Number(run)));
  const at = await pointAt(page, 'scatter', Number(row.run));
  assert.match(await page.locator('.sweep-tip').innerText(), /^run \d+\n/);
  await page.mouse.click(at.x, at.y);
  await page.waitForFunction(() => window.torsor.selected() !== null);
  const selected = await page.evaluate(() => window.torsor.selected());
  const chosen = done.find(({run}) => Number(run) === selected);
  const texts = (await page.locator('.run-values td').allInnerTexts()).map((text) => Number(text.split('\u202f')[0].replace('−', '-')));
  const expected = ['inputs.tendons.biarticular.stiffness', 'inputs.initial.joints.elbow', 'inputs.bodies.link1.mass', 'measures.reach', 'measures.drop'];
  expected.forEach((name, i) => assert.ok(Math.abs(texts[i] - chosen[name]) <= 1e-6 * Math.abs(chosen[name]), `${name}: ${texts[i]}`));
  const command = (await page.locator('.command code').innerText()).split(/\s+/);
  const words = command.slice(command.indexOf('run'), command.indexOf('--report'));
  harness.torsor(...words, '--out', harness.file('again.csv'));
  const again = Math.max(...harness.record('again').map((record) => record['points.horn3.position.x']));
  assert.ok(Math.abs(again - chosen['measures.reach']) < 1e-12, `${again} and ${chosen['measures.reach']}`); // measured 0
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a kept run has a link to its page, which opens', async () => {
  const {page} = await open('arm', ARM);
  await page.locator('.kept button').first().click();
  const [opened] = await Promise.all([page.waitForEvent('popup'), page.locator('a.see').click()]);
  await opened.waitForFunction(() => window.torsor?.pictures() > 0);
  assert.ok(await opened.locator('#play').isVisible());
  await opened.close();
  await page.close();
});

test('a drag along an axis filters all plots; the filter can be read, typed, and let go of', async () => {
  const {page, done} = await open('arm', ARM);
  const before = await drawnPixels(page, 'surface');
  const [low, high] = await page.evaluate(() => window.torsor.axis('reach'));
  const middle = {x: low.x, y: (low.y + high.y) / 2};
  await drag(page, middle, {x: high.x, y: high.y - 5});
  const values = done.map((row) => Number(row['measures.reach']));
  const half = (Math.min(...values) + Math.max(...values)) / 2;
  const expected = done.filter((row) => row['measures.reach'] > half).length;
  const count = (await page.evaluate(() => window.torsor.chosen())).length;
  assert.ok(Math.abs(count - expected) <= 3, `${count} runs, ${expected} in the table`); // a pixel holds a few
  await expectText(page.locator('.passed'), new RegExp(`^${count} of`));
  assert.ok((await drawnPixels(page, 'surface')).coloured < before.coloured);
  await page.locator('#tab-filters').click();
  await page.getByLabel('reach [m], from').fill(String(half));
  await page.keyboard.press('Tab');
  await expectAnswer(page, () => window.torsor.chosen().length, expected);
  await page.getByRole('button', {name: 'Clear filters'}).click();
  await expectAnswer(page, () => window.torsor.chosen().length, 200);
  await settled(page);
  assert.equal((await drawnPixels(page, 'surface')).coloured, before.coloured);
  await drag(page, middle, {x: high.x, y: high.y - 5});
  await page.mouse.click(middle.x, (middle.y + high.y) / 2);
  await expectAnswer(page, () => window.torsor.chosen().length, 200);
  await page.close();
});

test('failed runs are listed with their reasons, and marked where only inputs are shown', async () => {
  const {page, rows, done} = await open('arm', ARM);
  await page.locator('#tab-failed').click();
  assert.equal(await page.locator('.failures li').count(), rows.length - done.length);
  assert.match(await page.locator('.failures li').first().innerText(), /bodies\.link1\.mass: expected a number > 0/);
  await page.getByLabel('Scatter plot, x').selectOption({label: 'bodies.link1.mass [kg]'});
  await page.getByLabel('Scatter plot, y').selectOption({label: 'initial.joints.elbow [rad]'});
  await settled(page);
  const at = await pointAt(page, 'scatter', Number(rows.find((row) => !done.includes(row)).run));
  assert.match(await page.locator('.sweep-tip').innerText(), /^run \d+ failed[^]*expected a number > 0/);
  await page.mouse.click(at.x, at.y);
  assert.match(await page.locator('.run .reason').innerText(), /^Run \d+ failed: /);
  await page.close();
});

/** Red pixels around a place of the window. */
function redPixels(page, plot, {x, y}) {
  return page.locator(`[data-plot=${plot}] canvas`).first().evaluate((canvas, [atX, atY]) => {
    const {left, top} = canvas.getBoundingClientRect();
    const {data} = canvas.getContext('2d').getImageData(atX - left - 5, atY - top - 5, 11, 11);
    let red = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i] > data[i + 1] + 90 && data[i] > data[i + 2] + 90) ++red;
    return red;
  }, [x, y]);
}

test('with one input, failed runs are crosses on its axis, which can be pointed at and selected', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const {page} = await open('one_fails', `torsor_sweep: 1
model: tendon_arm
vary: {bodies.link1.mass: {range: [-1, 2], count: 4}}
measure: {reach: {max: points.horn3.position.x}}
simulation: {duration: 0.1}
`, {colorScheme});
    for (const [run, failed] of [[0, true], [1, true], [2, false], [3, false]]) {
      const red = await redPixels(page, 'parallel', await page.evaluate((n) => window.torsor.place('parallel', n), run));
      assert.ok(failed ? red >= 8 : red === 0, `run ${run}: ${red} red pixels`);
    }
    const at = await pointAt(page, 'parallel', 1);
    for (const beside of [-3, 3]) {
      await page.mouse.move(at.x + beside, at.y);
      await settled(page);
      assert.match(await page.locator('.sweep-tip:not([hidden])').innerText(), /^run 1 failed/);
    }
    await page.mouse.click(at.x + 3, at.y);
    await expectAnswer(page, () => window.torsor.selected(), 1);
    assert.deepEqual(page.complaints, []);
    await page.close();
  }
});

test('a click on the surface of a grid selects the run of its cell; items of a list are ticks', async () => {
  const {page} = await open('list', `torsor_sweep: 1
model: tendon_arm
vary:
  simulation.integrator: {list: [energy-momentum, {name: generalized-alpha, rho: 0.8}]}
  simulation.step: {list: [0.01, 0.02, 0.05]}
measure: {reach: {max: points.horn3.position.x}, drift: {range: energy.total}}
simulation: {duration: 0.5}
`);
  assert.match(await page.locator('[data-plot=surface] .card-note').innerText(), /^The colour is the mean over the runs at a point of the grid \(median: 1 run\)/);
  await page.locator('[data-plot=surface]').scrollIntoViewIfNeeded();
  for (const run of [0, 4]) {
    await settled(page);
    const at = await page.evaluate((n) => window.torsor.place('surface', n), run);
    await page.mouse.click(at.x + 6, at.y - 6);
    await expectAnswer(page, () => window.torsor.selected(), run);
  }
  const command = await page.locator('.command code').innerText();
  assert.match(command, /--set 'simulation.integrator=\{name: generalized-alpha, rho: 0\.8\}'/);
  assert.match(await page.locator('.run-values').innerText(), /simulation\.integrator\s+generalized-alpha, rho: 0\.8/);
  await page.getByLabel('Colour of points and lines').selectOption({label: 'simulation.integrator'});
  await expectText(page.locator('.toolbar .swatches'), /energy-momentum\s+generalized-alpha, rho: 0\.8/);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('nothing sticks out of a narrow window; all controls have names', async () => {
  for (const width of [320, 400, 900]) {
    const {page} = await open('arm', ARM, {viewport: {width, height: 800}});
    for (const tab of ['run', 'filters', 'failed', 'sweep-file', 'model-file']) {
      await page.locator(`#tab-${tab}`).click();
      const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(widths[0] <= widths[1], `${tab} at ${width}: ${widths}`);
    }
    const nameless = await page.locator('button, select, input').evaluateAll((all) => all.filter((one) =>
      !one.getAttribute('aria-label') && !one.textContent.trim() && !one.closest('label')?.textContent.trim()).length);
    assert.equal(nameless, 0);
    if (width === 900) assert.deepEqual(await seriousFindings(page), []);
    await page.close();
  }
});

test('values that hardly differ have short labels that do not touch, and what they are differences from is told', async () => {
  for (const width of [1200, 390]) {
    const {page} = await open('close', `torsor_sweep: 1
model: double_pendulum
vary: {gravity.1: {range: [-9.8123456789050, -9.8123456789010], count: 5}}
measure: {e: {range: energy.kinetic}}
simulation: {duration: 0.1}
`, {viewport: {width, height: 900}});
    await page.getByLabel('Colour of points and lines').selectOption({label: 'gravity.1 [m/s²]'});
    await expectText(page.locator('.toolbar .colour-name'), /^\+ 9\.812345678905$/);
    const labels = await page.locator('.toolbar .colour-ticks span').evaluateAll((all) =>
      all.map((one) => ({text: one.textContent, ...one.getBoundingClientRect().toJSON()})));
    assert.ok(labels.length > 1 && labels[0].text === '0', JSON.stringify(labels));
    labels.slice(1).forEach(({left}, i) => assert.ok(left > labels[i].right, JSON.stringify(labels)));
    const {left, right} = await page.locator('.toolbar .colour-ticked').evaluate((one) => one.getBoundingClientRect().toJSON());
    assert.ok(labels[0].left >= left && labels.at(-1).right <= right, `${left} to ${right}: ${JSON.stringify(labels)}`);
    await page.locator('[data-plot=histogram] select').selectOption({label: 'gravity.1 [m/s²]'});
    await expectText(page.locator('[data-plot=histogram] .card-note'), /standard deviation 1\.581\u202f·\u202f10⁻¹²/);
    assert.deepEqual(page.complaints, []);
    await page.close();
  }
});

/** The page of a sweep whose data were changed, as a page of its own. */
function changedPage(name, from, change) {
  const html = readFileSync(harness.file(path.join(from, 'index.html')), 'utf8');
  const data = /(?<=<script type="application\/json" id="torsor-data">)[^]*?(?=<\/script>)/;
  const payload = JSON.parse(data.exec(html)[0]);
  change(payload.sweep);
  harness.write(`${name}.html`, html.replace(data, () => JSON.stringify(payload)));
}

test('a page without inputs says that nothing varies, and shows its run and the histogram of its measures', async () => {
  sweep('one_run', `torsor_sweep: 1
model: tendon_arm
vary: {bodies.link1.mass: {list: [2]}}
measure: {reach: {max: points.horn3.position.x}}
simulation: {duration: 0.1}
`);
  const noInputs = (stored) => (stored.columns = stored.columns.filter(({group}) => group !== 'inputs'));
  changedPage('still', 'one_run', noInputs);
  changedPage('still_failed', 'one_run', (stored) => {
    noInputs(stored);
    for (const column of stored.columns) column.values = '';
    Object.assign(stored, {runs: '', done: 0, failed: 1, failures: [{run: 0, inputs: [], reason: 'no mass'}]});
  });
  for (const viewport of [{width: 1200, height: 760}, {width: 390, height: 844}]) {
    for (const [name, note, told] of [['still', /^mean 3\u202fm/, /reach\s+3\u202fm/],
                                      ['still_failed', /None of the chosen runs/, /Run 0 failed: no mass/]]) {
      const page = await harness.open(name, {viewport});
      await settled(page);
      assert.match(await page.locator('#facts').innerText(), /0.inputs · 1.measure/);
      assert.match(await page.locator('.toolbar').innerText(), /Nothing varies in this sweep: its list of inputs \(vary\) is empty/);
      assert.deepEqual(await page.locator('[data-plot]').evaluateAll((all) => all.map((one) => one.dataset.plot)), ['histogram']);
      await expectText(page.locator('[data-plot=histogram] .card-note'), note);
      assert.match(await page.locator('.run').innerText(), told);
      assert.deepEqual(page.complaints, []);
      await page.close();
    }
  }
});

test('one input and one run make a page, too', async () => {
  const {page} = await open('single', `torsor_sweep: 1
model: tendon_arm
vary: {bodies.link1.mass: {list: [2]}}
measure: {reach: {max: points.horn3.position.x}}
simulation: {duration: 0.1}
`);
  assert.equal(await page.locator('[data-plot=surface]').count(), 0);
  assert.match(await page.locator('[data-plot=indices]').innerText(), /Too few runs/);
  assert.deepEqual(page.complaints, []);
  await page.close();
});
