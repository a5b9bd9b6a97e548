// Keys that work wherever the focus is, but in a field that needs them itself.

import {Clock} from './clock';

const BIG_STEP = 0.02; // of the whole record, at least ten records

export function listenToKeys(clock: Clock, actions: {fit: () => void; still: () => void}) {
  const step = (direction: number, big: boolean) => {
    clock.pause();
    const many = Math.max(10, Math.round(BIG_STEP * clock.stops.length));
    clock.seekStop(clock.stop + direction * (big ? many : 1));
  };
  const keys: Record<string, (event: KeyboardEvent) => void> = {
    ' ': () => clock.toggle(),
    ArrowLeft: (event) => step(-1, event.shiftKey),
    ArrowRight: (event) => step(1, event.shiftKey),
    Home: () => clock.seekStop(0),
    End: () => clock.seekStop(clock.stops.length - 1),
    '+': () => clock.faster(1),
    '=': () => clock.faster(1),
    '-': () => clock.faster(-1),
    f: actions.fit,
    p: actions.still,
  };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    const action = keys[event.key];
    if (!action || target instanceof HTMLSelectElement) return;
    // A button is pressed by space itself.
    const ownSpace = target instanceof HTMLButtonElement || target.tagName === 'SUMMARY' ||
      (target instanceof HTMLInputElement && target.type === 'checkbox');
    if (event.key === ' ' && ownSpace) return;
    event.preventDefault();
    action(event);
  });
}
