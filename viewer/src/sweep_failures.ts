// Runs that failed, and why.

import {element} from './dom';
import {SweepState} from './sweep_state';

const MOST_LISTED = 500;

export function failuresPanel(state: SweepState): HTMLElement {
  const {sweep} = state;
  const {failed, failures} = sweep.stored;
  if (!failures.length) return element('p', {class: 'nothing'}, 'No run failed.');
  const items = failures.slice(0, MOST_LISTED).map(({run, reason}, i) => {
    const button = element('button', {class: 'small'}, `run ${run}`);
    button.addEventListener('click', () => state.select(sweep.done + i));
    return element('li', {}, button, ' ', reason);
  });
  const shown = items.length < failed ? `${items.length} of the ${failed} runs that failed; all are in table.h5 and table.csv.`
    : failed === 1 ? 'One run failed.' : `${failed} runs failed.`;
  return element('div', {}, element('p', {}, `${shown} Red crosses mark them in plots of inputs.`), element('ul', {class: 'failures'}, ...items));
}
