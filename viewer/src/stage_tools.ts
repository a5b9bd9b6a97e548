// Buttons below the picture, names under the pointer.

import {byId} from './dom';
import {Exporter} from './export';
import {chosen} from './format';
import {Stage} from './stage';

function exports(exporter: Exporter) {
  const [still, clip, message] = [byId('still'), byId('clip'), byId('message')];
  const attempt = async (action: () => Promise<void>) => {
    message.hidden = true;
    try {
      await action();
    } catch (fault) {
      message.textContent = `Not saved: ${(fault as Error).message}.`;
      message.hidden = false;
    }
  };
  still.addEventListener('click', () => attempt(() => exporter.saveStill()));
  clip.addEventListener('click', () => {
    if (exporter.recording) {
      exporter.stopClip();
      return;
    }
    clip.textContent = 'Stop';
    clip.setAttribute('aria-pressed', 'true');
    attempt(() => exporter.saveClip()).finally(() => {
      clip.textContent = 'Film';
      clip.removeAttribute('aria-pressed');
    });
  });
}

function tooltips(stage: Stage) {
  const [host, tip] = [byId('stage'), byId('tip')];
  host.addEventListener('pointermove', (event) => {
    const box = host.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const label = event.buttons ? null : stage.labelAt(x, y);
    tip.hidden = !label;
    if (!label) return;
    tip.textContent = label;
    tip.style.left = `${Math.min(x + 14, box.width - tip.offsetWidth - 4)}px`;
    tip.style.top = `${Math.max(4, y - 28)}px`;
  });
  host.addEventListener('pointerleave', () => (tip.hidden = true));
}

export function stageTools(stage: Stage, exporter: Exporter) {
  byId('fit').addEventListener('click', () => stage.fit());
  const follow = byId('follow');
  const showFollow = () => {
    follow.setAttribute('aria-pressed', String(stage.follow));
    byId('grid-label').textContent = `grid ${chosen(stage.gridSpacing, 'm')}`;
  };
  follow.addEventListener('click', () => {
    stage.setFollow(!stage.follow);
    showFollow();
  });
  showFollow();
  exports(exporter);
  tooltips(stage);
  const menus = [...document.querySelectorAll<HTMLDetailsElement>('.menu')];
  document.addEventListener('pointerdown', (event) => {
    for (const menu of menus) if (menu.open && !menu.contains(event.target as Node)) menu.open = false;
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    for (const menu of menus) {
      if (menu.open) menu.querySelector('summary')!.focus();
      menu.open = false;
    }
  });
}
