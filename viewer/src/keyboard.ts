// Keys that work wherever the focus is, but in a field that needs them itself.

import {Clock} from './clock';

const BIG_STEP = 0.02; // of the whole record, at least ten records

export interface KeyActions {
  fit(): void;
  still(): void;
  help(): void;
  turn(right: number, up: number): void;
  zoom(factor: number): void;
}

export function listenToKeys(clock: Clock, actions: KeyActions) {
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
    l: () => clock.setLoop(!clock.loop),
    '?': actions.help,
    a: () => actions.turn(-1, 0),
    d: () => actions.turn(1, 0),
    w: () => actions.turn(0, -1),
    s: () => actions.turn(0, 1),
    e: () => actions.zoom(1.15),
    q: () => actions.zoom(1 / 1.15),
  };
  // After a click the keys are the picture's again: space plays, and does not press the button once more.
  document.addEventListener('click', (event) => {
    const target = (event.target as HTMLElement).closest<HTMLElement>('button, summary, label, input[type=checkbox], input[type=range]');
    if (event.detail > 0 && target && !target.closest('dialog')) (document.activeElement as HTMLElement | null)?.blur();
  });
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    // A slider of a joint moves by its own keys; that of the time stands for the clock.
    const ownKeys = target instanceof HTMLInputElement && target.type === 'range' && target.id !== 'scrub' && /^(Arrow|Home|End|Page)/.test(event.key);
    const typing = ownKeys || target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && /search|text|number/.test(target.type));
    if (!action || typing || target.closest('dialog')) return;
    // A button is pressed by space itself.
    const ownSpace = target instanceof HTMLButtonElement || target.tagName === 'SUMMARY' ||
      (target instanceof HTMLInputElement && target.type === 'checkbox');
    if (event.key === ' ' && ownSpace) return;
    event.preventDefault();
    action(event);
  });
}
