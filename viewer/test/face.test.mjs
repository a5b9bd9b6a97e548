// What a reader does with the page: look, listen with a screen reader, press keys, share, compare, save.

import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import test, {after, before} from 'node:test';
import {seriousFindings} from './axe.mjs';
import {expectSoon, Harness, nextFrame, pixels, scrub} from './harness.mjs';

const harness = new Harness();
before(() => harness.start());
after(() => harness.stop());

let arm = null;
async function openArm(options) {
  arm ??= harness.simulate('arm', 'tendon_arm', '--duration', '6');
  return harness.open('arm', options);
}

/** The page once more, with its data changed. */
function changed(name, as, change) {
  const html = readFileSync(harness.file(`${name}.html`), 'utf8');
  const place = /(<script type="application\/json" id="torsor-data">)([\s\S]*?)(<\/script>)/;
  const data = JSON.parse(place.exec(html)[2]);
  change(data);
  writeFileSync(harness.file(`${as}.html`), html.replace(place, (_, open, _data, close) => open + JSON.stringify(data) + close));
}

test('it plays by itself and starts again, unless the reader prefers less motion', async () => {
  const still = await openArm();
  assert.equal(await still.evaluate(() => window.torsor.playing()), false);
  await still.close();
  const page = await openArm({reducedMotion: 'no-preference'});
  assert.equal(await page.evaluate(() => window.torsor.playing()), true);
  await page.waitForFunction(() => window.torsor.time() > 0.1);
  await page.locator('#speed').selectOption('50');
  await page.waitForFunction(() => window.torsor.time() === 6); // held at the end
  await page.waitForFunction(() => window.torsor.time() < 6 && window.torsor.playing());
  await page.close();
});

test('space plays after a click on a button, and presses it where the keys led there', async () => {
  const page = await openArm();
  await page.locator('#follow').click();
  await page.keyboard.press('Space');
  assert.equal(await page.evaluate(() => window.torsor.playing()), true);
  await page.keyboard.press('Space');
  const pressed = await page.locator('#follow').getAttribute('aria-pressed');
  await page.locator('#follow').focus();
  await page.keyboard.press('Space');
  assert.equal(await page.evaluate(() => window.torsor.playing()), false);
  assert.notEqual(await page.locator('#follow').getAttribute('aria-pressed'), pressed);
  await page.close();
});

test('tabs work by keyboard', async () => {
  const page = await openArm();
  await page.locator('#tab-plots').focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('#tab-ledger').getAttribute('aria-selected'), 'true');
  assert.equal(await page.locator('#ledger').isVisible(), true);
  await page.keyboard.press('End');
  assert.equal(await page.locator('#model').isVisible(), true);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-model');
  await page.close();
});

test('an address leads to the same view: time, camera, plots, traces, tab', async () => {
  const page = await openArm();
  await scrub(page, 321);
  await page.keyboard.press('d');
  await page.keyboard.press('e');
  await page.getByRole('combobox', {name: /^Plot any of/}).fill('link2 velocity x');
  await page.keyboard.press('Enter');
  await page.locator('#tab-ledger').click();
  const address = await page.evaluate(() => window.torsor.address());
  const [shown, view] = [await pixels(page), await page.evaluate(() => window.torsor.view())];
  await page.close();
  const again = await harness.open('arm', {hash: address.slice(address.indexOf('#'))});
  assert.ok(Math.abs((await again.evaluate(() => window.torsor.time())) - arm[321].time) < 1e-9);
  assert.equal(await again.locator('#ledger').isVisible(), true);
  assert.equal(await again.locator('[data-plot="own-bodies/link2/velocity:0"]').count(), 1);
  const restored = await again.evaluate(() => window.torsor.view());
  view.forEach((value, i) => assert.ok(Math.abs(restored[i] - value) <= 1e-6 * Math.max(...view.map(Math.abs)), `${restored} for ${view}`));
  const {drawn} = await pixels(again);
  assert.ok(Math.abs(drawn / shown.drawn - 1) < 0.02, `${drawn} of ${shown.drawn} pixels`); // measured 0.3 %
  await again.close();
  const hostile = await harness.open('arm', {hash: '#t=NaN&cam=1,2&plot=%&tab=<img>&traces=%zz&span=3,1'});
  assert.deepEqual(hostile.complaints, []);
  await hostile.close();
  for (const span of ['-Infinity,Infinity', '1,1.0000000000000002', '-1e300,1e300']) {
    const far = await harness.open('arm', {hash: `#span=${span}`});
    assert.equal(await far.locator('[data-plot=energy] canvas').count(), 1, span);
    await far.close();
  }
});

test('no serious finding of axe-core, light and dark, wide and narrow', async () => {
  harness.torsor('show', 'four_bar', '-o', harness.file('start.html'));
  await (await openArm()).close();
  for (const colorScheme of ['light', 'dark']) {
    const page = await openArm({colorScheme, viewport: {width: colorScheme === 'dark' ? 390 : 1200, height: 800}});
    assert.deepEqual(await seriousFindings(page), [], colorScheme);
    for (const tab of ['ledger', 'model']) {
      await page.locator(`#tab-${tab}`).click();
      assert.deepEqual(await seriousFindings(page), [], `${colorScheme} ${tab}`);
    }
    await page.keyboard.press('?');
    assert.deepEqual(await seriousFindings(page), [], `${colorScheme} keys`);
    await page.close();
  }
  const start = await harness.open('start');
  assert.deepEqual(await seriousFindings(start), []);
  await start.close();
});

test('four verdicts stand on top as the program words them, and in the ledger', async () => {
  await (await openArm()).close();
  changed('arm', 'judged', (data) => {
    data.results[0].ledger.verdicts = {
      energy: {state: 'exact', figure: 1.9e-14, text: 'exact to rounding, 1.9e-14 of the scale'},
      constraints: {state: 'order', figure: 1e-6, text: 'within order 2, 1e-6 m'},
      momenta: {state: 'none', figure: null, text: 'nothing is conserved'},
      motion: {state: 'broken', figure: 2, text: 'steps do not resolve it'},
    };
  });
  const page = await harness.open('judged');
  const badges = page.locator('#badges .badge');
  assert.deepEqual(await badges.allInnerTexts(), ['✓Energy exact to rounding, 1.9e-14 of the scale', '≈Constraints within order 2, 1e-6 m',
    'Momenta nothing is conserved', '✗Motion steps do not resolve it']);
  assert.deepEqual(await badges.evaluateAll((all) => all.map(({className}) => className)), ['badge holds', 'badge order', 'badge note', 'badge fails']);
  await page.locator('#tab-ledger').click();
  assert.match(await page.locator('#ledger').innerText(), /motion\s*✗ steps do not resolve it/);
  await page.close();
});

test('on a phone the verdicts leave the screen to the picture', async () => {
  const page = await openArm({viewport: {width: 390, height: 844}});
  const high = await page.locator('#badges').evaluate((badges) => badges.getBoundingClientRect().height);
  assert.ok(high <= 0.15 * 844, `${high} px`); // measured 93
  assert.deepEqual(await page.locator('#badges .badge').allInnerTexts(),
    ['✓Energy\nexact to rounding', '✓Constraints\nexact to rounding', 'Momenta\nnothing to check', '≈Motion\nresolved by the steps']);
  await page.locator('#tab-ledger').click();
  assert.match(await page.locator('#ledger').innerText(), /energy\s*✓ exact to rounding: balance within/);
  await page.close();
});

test('where runs lie over each other, the tip names the run and its body', async () => {
  for (const [name, stiffness] of [['soft', '1'], ['stiff', '20']]) {
    harness.torsor('run', 'tendon_arm', '--duration', '4', '--out', harness.file(`${name}.h5`), '--set', `tendons.biarticular.stiffness=${stiffness}`);
  }
  harness.torsor('report', harness.file('soft.h5'), harness.file('stiff.h5'), '-o', harness.file('over.html'));
  const page = await harness.open('over');
  await page.locator('#scrub').press('End');
  await nextFrame(page);
  const tips = await page.evaluate(() => {
    const [stage, tip] = [document.getElementById('stage'), document.getElementById('tip')];
    const {left, top, width, height} = stage.getBoundingClientRect();
    const found = new Set();
    for (let x = 0; x < width; x += 4) {
      for (let y = 0; y < height; y += 4) {
        stage.dispatchEvent(new PointerEvent('pointermove', {clientX: left + x, clientY: top + y}));
        if (!tip.hidden) found.add(tip.textContent);
      }
    }
    return [...found];
  });
  assert.match(await page.locator('#facts').innerText(), /^rotationless · energy-momentum · 4\ss[^\n]*$/); // the same of both, said once
  for (const label of ['A: body link3', 'B: body link3']) assert.ok(tips.includes(label), `${label} in ${tips.join(', ')}`);
  await page.close();
});

test('a result of an earlier version has the verdicts that it has', async () => {
  await (await openArm()).close();
  changed('arm', 'earlier', (data) => {
    delete data.results[0].ledger.verdicts;
    for (const key of ['joint_elements', 'bushings', 'loads']) delete data.results[0].scene[key];
    for (const tendon of data.results[0].scene.tendons) for (const key of ['stiff', 'damped', 'muscle']) delete tendon[key];
    for (const column of Object.values(data.results[0].columns)) delete column.components;
  });
  const page = await harness.open('earlier');
  const badges = await page.locator('#badges .badge').allInnerTexts();
  assert.equal(badges.length, 2);
  assert.match(badges[0], /^✓Energy Balance exact to rounding: [1-9]/);
  assert.match(badges[1], /^Motion steps resolved, error not measured$/);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('three results stand over or beside each other, and the page lists what differs', async () => {
  const run = (name, ...options) => harness.torsor('run', 'tendon_arm', '--duration', '2', '--out', harness.file(`${name}.h5`), ...options);
  run('plain');
  run('heavy', '--set', 'bodies.link2.mass=3');
  run('coarse', '--step', '0.05');
  harness.torsor('report', ...['plain', 'heavy', 'coarse'].map((name) => harness.file(`${name}.h5`)), '-o', harness.file('three.html'));
  const page = await harness.open('three');
  const over = await pixels(page);
  await page.getByRole('button', {name: 'side by side'}).click();
  assert.notEqual((await pixels(page)).print, over.print);
  await page.locator('#tab-runs').click();
  const rows = await page.locator('#runs tbody tr').evaluateAll((all) => all.map((row) => [...row.cells].map(({textContent}) => textContent).join(' ')));
  assert.deepEqual(rows, ['run.step 0.01 0.01 0.05', 'bodies.link2.mass 1 3 1']);
  assert.deepEqual(await seriousFindings(page), []);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('ticks and labels lie within their plots, minus signs too', async () => {
  harness.simulate('coil', 'coil64', '--duration', '1');
  const context = await harness.browser.newContext({viewport: {width: 1000, height: 700}, reducedMotion: 'reduce', deviceScaleFactor: 2});
  const page = await context.newPage();
  await page.addInitScript(() => {
    window.cut = [];
    window.written = 0;
    const fill = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...rest) {
      ++window.written;
      const width = this.measureText(text).width;
      const left = this.textAlign === 'right' || this.textAlign === 'end' ? x - width : this.textAlign === 'center' ? x - width / 2 : x;
      const {a, b, e} = this.getTransform();
      if (b === 0 && (a * left + e < -0.5 || a * (left + width) + e > this.canvas.width + 0.5)) window.cut.push(text);
      fill.call(this, text, x, y, ...rest);
    };
  });
  await page.goto(`file://${harness.file('coil.html')}`);
  await page.waitForFunction(() => window.torsor?.pictures() > 0);
  const open = await page.locator('.plot-toggle[aria-expanded=true]').count();
  await page.waitForFunction((plots) => document.querySelectorAll('.plot canvas').length === plots && window.written > 8 * plots, open);
  assert.deepEqual(await page.evaluate(() => window.cut), []);
  await context.close();
});

async function saved(page, plot, kind) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator(`[data-plot="${plot}"] select[aria-label$="save as"]`).selectOption(kind)]);
  return {name: download.suggestedFilename(), text: readFileSync(await download.path())};
}

test('plots are saved as SVG, PNG and CSV, with names and units; the numbers are those of the record', async () => {
  const page = await openArm();
  const csv = await saved(page, 'energy', 'CSV');
  const [head, ...rows] = csv.text.toString().trim().split('\n');
  assert.match(head, /^time \[s\],kinetic \[J\],/);
  assert.equal(rows.length, arm.length);
  const [time, kinetic] = rows[300].split(',').map(Number);
  assert.deepEqual([time, kinetic], [arm[300].time, arm[300]['energy.kinetic']]);
  const svg = await saved(page, 'energy', 'SVG');
  assert.equal(svg.name, 'energy.svg');
  assert.match(svg.text.toString(), /time \[s\]/);
  assert.match(svg.text.toString(), /kinetic/);
  const png = await saved(page, 'energy', 'PNG');
  assert.deepEqual([...png.text.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('curves over frequency and against each other, and a time that is zoomed goes along', async () => {
  const page = await openArm();
  const over = page.locator('[data-plot=energy] select[aria-label$="over what"]');
  await over.selectOption('spectrum');
  assert.match(await page.locator('[data-plot=energy] .plot-holder').getAttribute('aria-label'), /over frequency/);
  await over.selectOption({label: 'against kinetic'});
  const dot = page.locator('[data-plot=energy] svg circle').first();
  const place = await dot.getAttribute('transform');
  await scrub(page, 200);
  assert.notEqual(await dot.getAttribute('transform'), place);
  await page.getByRole('button', {name: 'Zoom into the time at the cursor'}).click();
  await page.getByRole('button', {name: 'Zoom into the time at the cursor'}).click();
  const drawn = await page.evaluate(() => window.torsor.pictures());
  await page.keyboard.press('End');
  await page.waitForFunction((n) => window.torsor.time() === 6 && window.torsor.pictures() > n, drawn);
  const cursor = page.locator('[data-plot=residual] .time-cursor');
  assert.equal(await cursor.evaluate(({style}) => style.visibility), 'visible');
  const [line, plot] = [await cursor.boundingBox(), await page.locator('[data-plot=residual] .u-over').boundingBox()];
  assert.ok(Math.abs(line.x - plot.x - plot.width) < 2, `${line.x} at the end of ${plot.x} + ${plot.width}`);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('arrows are as long as the legend says: the fastest body of the record', async () => {
  const page = await openArm();
  const bare = await pixels(page);
  await page.locator('#arrows summary').click();
  await page.getByLabel('velocities', {exact: true}).check();
  await scrub(page, 150);
  const text = await page.locator('#legend').innerText();
  const speeds = arm.flatMap((row) => ['link1', 'link2', 'link3'].map((link) =>
    Math.hypot(row[`bodies.${link}.velocity.x`], row[`bodies.${link}.velocity.y`])));
  const [, most] = /velocities, up to ([\d.]+)/.exec(text);
  // Sampled at 200 records of 600; measured 0.02 % below.
  assert.ok(Math.abs(Number(most) / Math.max(...speeds) - 1) < 0.02, `${most} of ${Math.max(...speeds)}`);
  assert.notEqual((await pixels(page)).print, bare.print);
  await page.close();
});

test('springs, dampers, motors, muscles and bushings have their signs, and say so in the legend', async () => {
  const legends = {};
  for (const [model, time] of [['tendon_arm', 1], ['muscle_arm', 0.2], ['engine_mount', 0.05], ['stewart', 0.1], ['driven_arm', 0.2]]) {
    harness.simulate(model, model, '--duration', String(time));
    const page = await harness.open(model);
    legends[model] = await page.locator('#legend').innerText();
    assert.deepEqual(page.complaints, [], model);
    await page.close();
  }
  assert.match(legends.tendon_arm, /tension/);
  assert.match(legends.muscle_arm, /activation/);
  assert.match(legends.stewart, /spring in a joint/);
  assert.match(legends.driven_arm, /motor/);
});

test('the page runs nothing that was not built in, and asks no network', async () => {
  const page = await openArm();
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  assert.match(policy, /default-src 'none'/);
  assert.ok(!/unsafe/.test(policy), policy);
  const refused = page.waitForEvent('requestfailed');
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.hit = 1';
    document.body.append(script);
    const image = document.createElement('img');
    image.src = 'https://example.invalid/x.png';
    document.body.append(image);
  });
  assert.equal(await page.evaluate(() => window.hit), undefined);
  assert.equal((await refused).failure().errorText, 'csp');
  const refusals = () => page.complaints.filter((text) => /Content Security Policy/.test(text)).length;
  await expectSoon(page, () => refusals() >= 2, 'script and picture are refused');
  assert.equal(refusals(), 2);
  await page.close();
});
