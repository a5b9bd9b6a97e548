// The address of the view: kept in the bar while one looks, copied on request.

import {byId} from './dom';
import {View, viewText} from './view_link';

const SETTLED = 400; // [ms] after the last change

export class Share {
  private waiting = 0;
  private thanks = 0;
  private readonly label = byId('share').textContent;

  constructor(private readonly current: () => View) {
    byId('share').addEventListener('click', () => void this.copy());
  }

  /** Something changed: the address follows when it has settled. */
  changed() {
    clearTimeout(this.waiting);
    this.waiting = window.setTimeout(() => this.write(), SETTLED);
  }

  address(): string {
    return `${location.href.split('#')[0]}#${viewText(this.current())}`;
  }

  private write() {
    try {
      history.replaceState(null, '', this.address());
    } catch {
      // A page inside another may not change its address; the button still gives it.
    }
  }

  private async copy() {
    this.write();
    const button = byId('share');
    try {
      await navigator.clipboard.writeText(this.address());
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'In the address bar';
    }
    clearTimeout(this.thanks);
    this.thanks = window.setTimeout(() => (button.textContent = this.label), 1500);
  }
}
