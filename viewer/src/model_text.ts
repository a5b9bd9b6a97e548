// The model file with a little colour: comments, keys.

import {element} from './dom';

export function modelText(text: string): HTMLElement {
  const lines = text.replace(/\n$/, '').split('\n').map((line) => {
    const comment = /(^|\s)#.*$/.exec(line);
    const code = comment ? line.slice(0, comment.index) : line;
    const parts: (Node | string)[] = [];
    let done = 0;
    for (const match of code.matchAll(/[\w.-]+(?=:(\s|$))/g)) {
      parts.push(code.slice(done, match.index), element('b', {}, match[0]));
      done = match.index! + match[0].length;
    }
    parts.push(code.slice(done));
    if (comment) parts.push(element('i', {}, line.slice(comment.index)));
    parts.push('\n');
    return element('span', {}, ...parts);
  });
  return element('pre', {class: 'model', tabindex: '0'}, ...lines);
}
