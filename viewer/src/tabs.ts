// Tabs that work by keyboard: arrows, home and end move among them, and only the chosen one is in the order of Tab.

import {byId} from './dom';

export interface Tabs {
  choose(id: string): void;
  chosen(): string;
}

export function makeTabs(list: HTMLElement, changed: () => void): Tabs {
  const shown = () => [...list.querySelectorAll<HTMLElement>('[role=tab]')].filter((tab) => !tab.hidden);
  const choose = (tab: HTMLElement) => {
    for (const other of list.querySelectorAll<HTMLElement>('[role=tab]')) {
      const chosen = other === tab;
      other.setAttribute('aria-selected', String(chosen));
      other.tabIndex = chosen ? 0 : -1;
      byId(other.getAttribute('aria-controls')!).hidden = !chosen;
    }
    changed();
  };
  for (const tab of shown()) {
    tab.addEventListener('click', () => choose(tab));
    tab.addEventListener('keydown', (event) => {
      const all = shown();
      const at = all.indexOf(tab);
      const to = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1}[event.key];
      if (to === undefined) return;
      const next = all[(to + all.length) % all.length];
      choose(next);
      next.focus();
      event.preventDefault();
      event.stopPropagation();
    });
  }
  choose(shown()[0]);
  return {
    choose: (id) => {
      const tab = shown().find((other) => other.getAttribute('aria-controls') === id);
      if (tab) choose(tab);
    },
    chosen: () => shown().find((tab) => tab.getAttribute('aria-selected') === 'true')?.getAttribute('aria-controls') ?? '',
  };
}
