// Play, scrub, loop, speed.

import {Clock, SPEEDS} from './clock';
import {byId, element, icon} from './dom';
import {seconds} from './format';

const PLAY = 'M4 1.8v12.4a.6.6 0 0 0 .9.5l9.6-6.2a.6.6 0 0 0 0-1L4.900 1.300a.6.6 0 0 0-.9.5z';
const PAUSE = 'M3.500 1.500h3a.5.5 0 0 1 .5.5v12a.5.5 0 0 1-.5.5h-3A.5.5 0 0 1 3 14V2a.5.5 0 0 1 .5-.5zm6 0h3a.5.5 0 0 1 .5.5v12a.5.5 0 0 1-.5.5h-3A.5.5 0 0 1 9 14V2a.5.5 0 0 1 .5-.5z';
const LOOP = 'M3 8a4.500 4.500 0 0 1 4.500-4.500H11V1.500L14.500 4.500 11 7.500v-2H7.500A2.500 2.500 0 0 0 5 8H3zm10 0a4.500 4.500 0 0 1-4.500 4.500H5v2l-3.500-3L5 8.500v2h3.500A2.500 2.500 0 0 0 11 8h2z';

export function transport(clock: Clock) {
  const [play, scrub, time, speed, loop] =
    [byId('play'), byId<HTMLInputElement>('scrub'), byId('time'), byId<HTMLSelectElement>('speed'), byId('loop')];
  const step = (clock.end - clock.start) / Math.max(1, clock.stops.length - 1);
  scrub.max = String(clock.stops.length - 1);
  loop.replaceChildren(icon(LOOP));
  play.addEventListener('click', () => clock.toggle());
  loop.addEventListener('click', () => clock.setLoop(!clock.loop));
  scrub.addEventListener('input', () => {
    const stop = Number(scrub.value); // which a pause puts back to where the clock stands
    clock.pause();
    clock.seekStop(stop);
  });
  for (const value of SPEEDS) speed.append(element('option', {value: String(value)}, `${Number(value.toPrecision(1))}×`));
  speed.addEventListener('change', () => clock.setSpeed(Number(speed.value)));
  let wasPlaying: boolean | null = null;
  const show = () => {
    scrub.value = String(clock.stop);
    scrub.style.setProperty('--share', `${(100 * clock.stop) / Math.max(1, clock.stops.length - 1)}%`);
    time.textContent = `${seconds(clock.time, step)} / ${seconds(clock.end, step)} s`;
    scrub.setAttribute('aria-valuetext', `${seconds(clock.time, step)} s`);
    speed.value = String(clock.speed);
    loop.setAttribute('aria-pressed', String(clock.loop));
    if (wasPlaying === clock.playing) return;
    wasPlaying = clock.playing;
    play.replaceChildren(icon(clock.playing ? PAUSE : PLAY));
    play.setAttribute('aria-label', clock.playing ? 'Pause' : 'Play');
  };
  clock.onChange(show);
  show();
}
