// The page in a browser: what it shows is what was recorded.

import assert from 'node:assert/strict';
import {statSync} from 'node:fs';
import test, {after, before} from 'node:test';
import {pathToFileURL} from 'node:url';
import {expectSoon, Harness, nextFrame, pixels, poseError, scrub} from './harness.mjs';

const POSE_TOLERANCE = 1e-6;
const LARGEST_PAGE = 15e6; // bytes, of 64 bodies and 1000 frames

const harness = new Harness();
before(() => harness.start());
after(() => harness.stop());

const LINKS = ['link1', 'link2', 'link3'];
let arm = null;
/** The page of the planar arm; its record is simulated once. */
async function openArm(options) {
  arm ??= harness.simulate('arm', 'tendon_arm', '--duration', '12');
  return harness.open('arm', options);
}

async function expectRecordedPoses(page, record, bodies, result) {
  let largest = 0;
  for (const share of [0, 0.13, 0.5, 0.77, 1]) {
    const stop = Math.round(share * (record.length - 1));
    await scrub(page, stop);
    assert.ok(Math.abs((await page.evaluate(() => window.torsor.time())) - record[stop].time) < 1e-12);
    largest = Math.max(largest, await poseError(page, bodies, record[stop], result));
  }
  assert.ok(largest <= POSE_TOLERANCE, `poses differ by ${largest}`); // measured 4e-16
  return largest;
}

test('poses in the picture are those of the record, in the plane', async (t) => {
  const page = await openArm();
  t.diagnostic(`largest difference ${await expectRecordedPoses(page, arm, LINKS)}`);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('poses in the picture are those of the record, in space with a loop', async (t) => {
  const record = harness.simulate('bricard', 'bricard', '--duration', '3');
  const page = await harness.open('bricard');
  t.diagnostic(`largest difference ${await expectRecordedPoses(page, record, ['rod1', 'rod2', 'rod3', 'rod4', 'rod5'])}`);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('the picture shows the mechanism, moves with the time, and tendons redden with tension', async () => {
  const page = await openArm();
  const tension = arm.map((row) => Math.max(...Object.keys(row).filter((name) => name.endsWith('.tension')).map((name) => row[name])));
  const [tight, loose] = [tension.indexOf(Math.max(...tension)), tension.indexOf(Math.min(...tension))];
  await scrub(page, tight);
  const tightPicture = await pixels(page);
  await scrub(page, loose);
  const loosePicture = await pixels(page);
  await scrub(page, tight);
  const again = await pixels(page);
  const all = tightPicture.width * tightPicture.height;
  assert.ok(tightPicture.drawn > 0.005 * all, `${tightPicture.drawn} of ${all} pixels`);
  assert.notEqual(tightPicture.print, loosePicture.print);
  assert.equal(tightPicture.print, again.print);
  assert.ok(tightPicture.red > loosePicture.red + 50, `${tightPicture.red} red pixels tight, ${loosePicture.red} loose`);
  await page.close();
});

test('space plays and pauses, arrows step, home and end leap', async () => {
  const page = await openArm();
  const time = () => page.evaluate(() => window.torsor.time());
  await page.keyboard.press('Space');
  await page.waitForFunction(() => window.torsor.time() > 0.2);
  assert.equal(await page.locator('#play').getAttribute('aria-label'), 'Pause');
  await page.keyboard.press('Space');
  assert.equal(await page.evaluate(() => window.torsor.playing()), false);
  const paused = await time();
  await nextFrame(page);
  await nextFrame(page);
  assert.equal(await time(), paused);
  await page.keyboard.press('Home');
  assert.equal(await time(), 0);
  await page.keyboard.press('ArrowRight');
  assert.equal(await time(), arm[1].time);
  await page.keyboard.press('Shift+ArrowRight');
  assert.equal(await time(), arm[1 + Math.round(0.02 * arm.length)].time);
  await page.keyboard.press('ArrowLeft');
  assert.equal(await time(), arm[Math.round(0.02 * arm.length)].time);
  await page.keyboard.press('End');
  assert.equal(await time(), arm[arm.length - 1].time);
  await page.keyboard.press('Space'); // from the start again
  await page.waitForFunction(() => window.torsor.time() > 0 && window.torsor.time() < 6);
  await page.close();
});

test('plots show the values of the record at the cursor, and a click on one moves the time', async () => {
  const page = await openArm();
  await scrub(page, 730);
  const shown = await page.locator('[data-plot=energy] .legend').innerText();
  for (const part of ['kinetic', 'gravity', 'elastic', 'total']) {
    const value = Math.abs(arm[730][`energy.${part}`]).toPrecision(4);
    assert.ok(shown.includes(value), `${part} ${value} in ${shown}`);
  }
  const over = page.locator('[data-plot=residual] .u-over');
  const box = await over.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForFunction(() => Math.abs(window.torsor.time() - 6) < 0.05);
  await page.close();
});

test('nothing sticks out of a narrow window', async () => {
  for (const width of [320, 390, 700]) {
    const page = await openArm({viewport: {width, height: 800}});
    for (const tab of ['plots', 'ledger', 'model']) {
      await page.locator(`#tab-${tab}`).click();
      const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(widths[0] <= widths[1], `${tab} at ${width}: ${widths}`);
    }
    await page.close();
  }
});

test('the ledger has verdicts, the model its text', async () => {
  const page = await openArm();
  await page.locator('#tab-ledger').click();
  assert.match(await page.locator('#ledger').innerText(), /largest balance residual/);
  await page.locator('#tab-model').click();
  assert.match(await page.locator('#model').innerText(), /biarticular: \{path: \[post, horn1, horn2\]/);
  await page.close();
});

test('two results stand over or beside each other, each with its own poses', async () => {
  const base = ['run', 'tendon_arm', '--duration', '4', '--out'];
  harness.torsor(...base, harness.file('first.h5'));
  const second = ['--formulation', 'joint', '--integrator', 'rkmk4', '--step', '0.05'];
  harness.torsor(...base, harness.file('second.h5'), ...second);
  harness.torsor('report', harness.file('first.h5'), harness.file('second.h5'), '-o', harness.file('two.html'));
  const first = harness.simulate('a', 'tendon_arm', '--duration', '4');
  const other = harness.simulate('b', 'tendon_arm', '--duration', '4', ...second);
  const page = await harness.open('two');
  await scrub(page, 350);
  assert.ok((await poseError(page, LINKS, first[350], 0)) <= POSE_TOLERANCE);
  assert.ok((await poseError(page, LINKS, other[70], 1)) <= POSE_TOLERANCE);
  const over = await pixels(page);
  await page.getByRole('button', {name: 'side by side'}).click();
  const beside = await pixels(page);
  assert.notEqual(over.print, beside.print);
  assert.ok(beside.drawn > 0.003 * beside.width * beside.height);
  await page.locator('#tab-ledger').click();
  assert.match(await page.locator('#ledger thead').innerText(), /A: first\s+B: second/);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a still is a PNG of the picture, a clip is a film of it', async () => {
  harness.simulate('brief', 'double_pendulum', '--duration', '1');
  const page = await harness.open('brief');
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#still').click()]);
  assert.equal(download.suggestedFilename().endsWith('.png'), true);
  assert.ok(statSync(await download.path()).size > 5000);
  await page.locator('#speed').selectOption('2');
  const clip = await page.evaluate(async () => {
    const film = await window.torsor.clip();
    return {type: film.type, size: film.size, start: [...new Uint8Array(await film.slice(0, 4).arrayBuffer())]};
  });
  assert.equal(clip.type, 'video/webm');
  assert.deepEqual(clip.start, [0x1a, 0x45, 0xdf, 0xa3]); // EBML
  assert.ok(clip.size > 2000, `${clip.size} bytes`);
  await page.close();
});

test('dark where the reader likes it dark', async () => {
  const page = await openArm({colorScheme: 'dark'});
  const {background, drawn} = await pixels(page);
  assert.ok(Math.max(...background) < 64 && drawn > 1000, `${background}`);
  await page.close();
});

test('names and texts are text, whatever they hold', async () => {
  const model = harness.write('hostile.yaml', `# </script><script>window.hit = 1</script> <!-- <script>
torsor: 1
name: "</script><img src=x onerror='window.hit = 1'>"
dimension: 2
bodies: {"<b>a&amp;": {mass: 1, com: [1, 0], inertia: 1}, "<script>": {mass: 1, inertia: 1}}
joints: {"j <!--": {type: revolute, parent: world, child: "<b>a&amp;"}}
simulation: {formulation: rotationless, integrator: energy-momentum, step: 0.1, duration: 1}
`);
  harness.simulate('hostile', model);
  const page = await harness.open('hostile');
  for (const tab of ['ledger', 'model']) await page.locator(`#tab-${tab}`).click();
  assert.equal(await page.evaluate(() => window.hit), undefined);
  assert.match(await page.locator('#title').innerText(), /<\/script><img/);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('every kind of joint, shape and element is drawn without complaint', async () => {
  for (const model of ['all_joints', 'shapes', 'free_body', 'cart_pole', 'servo_crane', 'stewart', 'andrews']) {
    harness.simulate(model, model, '--duration', model === 'andrews' ? '0.01' : '0.5');
    const page = await harness.open(model);
    assert.deepEqual(page.complaints, [], model);
    const {drawn, width, height} = await pixels(page);
    assert.ok(drawn > 0.001 * width * height, `${model}: ${drawn} pixels`);
    await page.close();
  }
});

test('robots are drawn in the colours of their shapes and meshes, without symbols over them', async () => {
  harness.write('paint.mtl', 'newmtl paint\nKd 1 0 0\n');
  harness.write('cube.obj', 'mtllib paint.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nusemtl paint\n' +
    'f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n');
  const robot = (color) => `<robot name="cube"><link name="base"/><link name="cube"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><mesh filename="cube.obj" scale="2 2 2"/></geometry>${color}</visual></link>
    <joint name="j" type="continuous"><parent link="base"/><child link="cube"/></joint></robot>`;
  harness.simulate('red', harness.write('red.urdf', robot('')), '--duration', '0.1');
  const red = await harness.open('red');
  const own = await pixels(red);
  assert.ok(own.red > 0.02 * own.width * own.height, `${own.red} pixels are red`);
  assert.deepEqual(red.complaints, []);
  await red.close();
  harness.simulate('blue', harness.write('blue.urdf', robot('<material name="m"><color rgba="0 0 1 1"/></material>')), '--duration', '0.1');
  const blue = await harness.open('blue');
  assert.equal((await pixels(blue)).red, 0);
  await blue.close();
});

test('64 bodies and 1000 frames make a page of at most 15 MB', async (t) => {
  harness.write('coil.yaml', harness.torsor('new', 'chain', '--links', '64'));
  const record = harness.simulate('coil', harness.file('coil.yaml'), '--duration', '10');
  assert.equal(record.length, 1001);
  const {size} = statSync(harness.file('coil.html'));
  const page = await harness.open('coil');
  const opened = await page.evaluate(() => window.torsor.firstPicture());
  const bodies = Array.from({length: 64}, (_, i) => `rod${i + 1}`);
  await expectRecordedPoses(page, record, bodies);
  // From the hand on the slider until the browser goes on after painting.
  const repaints = await page.evaluate(async () => {
    const slider = document.getElementById('scrub');
    const times = [];
    for (let i = 0; i < 20; ++i) {
      const begin = performance.now();
      slider.value = String(50 * i);
      slider.dispatchEvent(new Event('input', {bubbles: true}));
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      times.push(performance.now() - begin);
    }
    return times.sort((a, b) => a - b);
  });
  t.diagnostic(`page ${(size / 1e6).toFixed(1)} MB, first picture after ${opened.toFixed(0)} ms, ` +
               `scrub repaints in ${repaints[10].toFixed(0)} ms (median), ${repaints[19].toFixed(0)} ms (slowest of 20)`);
  assert.ok(size <= LARGEST_PAGE, `${size} bytes`);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

/** Sets a slider of a page of a start, and waits for the picture. */
async function slide(page, label, value) {
  const before = await page.evaluate(() => window.torsor.pictures());
  const slider = page.locator('.joint-slider input').and(page.getByLabel(label, {exact: true}));
  await slider.evaluate((input, to) => {
    input.step = 'any';
    input.value = String(to);
    input.dispatchEvent(new Event('input', {bubbles: true}));
  }, value);
  await page.waitForFunction((n) => window.torsor.pictures() > n, before);
}

function startOf(name, model, ...options) {
  harness.torsor('run', model, '--duration', '0', '--out', harness.file(`${name}.csv`), ...options);
  return harness.record(name)[0];
}

test('sliders of a tree lead to the start that has these coordinates', async () => {
  for (const [model, moves] of [['three_link_arm', {shoulder: 0.7, elbow: -0.9}], ['cart_pole', {}], ['seven_dof_arm', {j2: 0.4, j4: -1.1}]]) {
    harness.torsor('show', model, '-o', harness.file('tree.html'));
    const page = await harness.open('tree');
    const bodies = (row) => [...new Set(Object.keys(row).filter((name) => name.startsWith('bodies.')).map((name) => name.split('.')[1]))];
    const still = startOf('tree', model);
    assert.ok((await poseError(page, bodies(still), still)) <= POSE_TOLERANCE, model);
    for (const [joint, value] of Object.entries(moves)) await slide(page, joint, value);
    const set = Object.entries(moves).flatMap(([joint, value]) => ['--set', `initial.joints.${joint}=${value}`]);
    const row = startOf('tree', model, ...set);
    assert.ok((await poseError(page, bodies(row), row)) <= POSE_TOLERANCE, `${model}, moved`); // measured 3e-16
    assert.deepEqual(page.complaints, []);
    await page.close();
  }
});

test('a slider moves by its own keys', async () => {
  harness.torsor('show', 'three_link_arm', '-o', harness.file('keys.html'));
  const page = await harness.open('keys');
  const slider = page.getByLabel('shoulder', {exact: true});
  const [before, pose] = [Number(await slider.inputValue()), await page.evaluate(() => window.torsor.pose(0))];
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  assert.ok(Number(await slider.inputValue()) > before);
  await expectSoon(page, async () => JSON.stringify(await page.evaluate(() => window.torsor.pose(0))) !== JSON.stringify(pose), 'the picture moves');
  await page.keyboard.press('Home');
  assert.ok(Math.abs(Number(await slider.inputValue()) - Number(await slider.getAttribute('min'))) < 1e-9);
  await page.close();
});

test('sliders of a loop keep it closed', async () => {
  harness.torsor('show', 'four_bar', '-o', harness.file('loop.html'));
  const page = await harness.open('loop');
  assert.equal(await page.locator('.joint-slider').count(), 1);
  // On a place of the table: half a turn on in thirty parts from the start, 90 deg.
  const value = Math.PI / 2 + (10 * Math.PI) / 30;
  await slide(page, 'drive', value);
  const row = startOf('loop', 'four_bar', '--set', `initial.joints.drive=${value}`, '--set', 'initial.assemble=true');
  assert.ok((await poseError(page, ['crank', 'coupler', 'rocker'], row)) <= POSE_TOLERANCE);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('every independent rate of a loop has a slider, those of balls too', async () => {
  for (const [model, dof] of [['stewart', 6], ['delta_robot', 3], ['gear_train', 1]]) {
    harness.torsor('show', model, '-o', harness.file('loops.html'));
    const page = await harness.open('loops');
    assert.equal(await page.locator('.joint-slider').count(), dof, model);
    assert.deepEqual(page.complaints, []);
    await page.close();
  }
});

test('a result without poses has its plots, and says why there is no picture', async () => {
  harness.torsor('run', 'tendon_arm', '--duration', '1', '--record', 'energy', '--report', harness.file('bare.html'));
  const page = await harness.browser.newPage();
  await page.goto(pathToFileURL(harness.file('bare.html')).href);
  await page.waitForSelector('#stage .fault');
  assert.match(await page.locator('#stage .fault').textContent(), /bodies\/link1\/com was not recorded/);
  await page.waitForSelector('#plots canvas');  // drawn after the stage; fails after 30 s
  await page.close();
});
