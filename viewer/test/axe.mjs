// Serious findings of axe-core in a page.

import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Evaluated by the debugger, which the page's security policy does not bind. */
export async function seriousFindings(page) {
  await page.evaluate(source);
  const {violations} = await page.evaluate(() => window.axe.run(document, {resultTypes: ['violations']}));
  return violations.filter(({impact}) => impact === 'serious' || impact === 'critical')
    .map(({id, nodes}) => `${id}: ${nodes.slice(0, 3).map(({target, failureSummary}) => `${target} (${failureSummary.split('\n')[1]?.trim()})`).join('; ')}`);
}
