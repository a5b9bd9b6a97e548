// A field that finds channels by words: a combobox with a list.

import {Channel, searched} from './channels';
import {element} from './dom';
import {unit} from './format';

const MOST_SHOWN = 60;
let made = 0;

export function channelSearch(channels: Channel[], placeholder: string, choose: (channel: Channel) => void): HTMLElement {
  const id = `found-${++made}`;
  const input = element('input', {type: 'search', placeholder, role: 'combobox', 'aria-expanded': 'false', 'aria-controls': id,
                                  'aria-autocomplete': 'list', 'aria-label': placeholder, autocomplete: 'off', spellcheck: 'false'});
  const list = element('ul', {id, role: 'listbox', 'aria-label': 'Channels', class: 'found', hidden: true});
  let shown: Channel[] = [];
  let at = 0;
  const mark = () => {
    [...list.children].forEach((item, i) => item.setAttribute('aria-selected', String(i === at)));
    const current = list.children[at];
    if (current) input.setAttribute('aria-activedescendant', current.id);
    current?.scrollIntoView({block: 'nearest'});
  };
  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const take = (channel: Channel) => {
    choose(channel);
    input.value = '';
    close();
  };
  const open = () => {
    shown = searched(channels, input.value, MOST_SHOWN);
    at = 0;
    list.replaceChildren(...shown.map((channel, i) => {
      const item = element('li', {role: 'option', id: `${id}-${i}`, 'data-channel': channel.id}, element('span', {}, channel.label),
                           element('small', {}, unit(channel.unit)));
      // Before the field loses the focus, which closes the list.
      item.addEventListener('pointerdown', (event) => {
        event.preventDefault();
        take(channel);
      });
      return item;
    }));
    if (!shown.length) list.append(element('li', {role: 'option', 'aria-disabled': 'true', class: 'nothing'}, 'nothing of that name'));
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    mark();
  };
  input.addEventListener('input', open);
  input.addEventListener('focus', open);
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (list.hidden) open();
      at = (at + (event.key === 'ArrowDown' ? 1 : shown.length - 1)) % Math.max(1, shown.length);
      mark();
      event.preventDefault();
    } else if (event.key === 'Enter' && !list.hidden && shown[at]) {
      take(shown[at]);
    } else if (event.key === 'Escape') {
      close();
    }
    event.stopPropagation();
  });
  return element('div', {class: 'search'}, input, list);
}
