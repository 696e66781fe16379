/*
 * Adds what Vitest's own JSON omits from a failure: the difference between expected and actual. Writes
 * `{ passed, failed, skipped, failures }` to test-results/unit.json.
 */
import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

const textOf = ({ message, diff, stack }) =>
  stripVTControlCharacters([message, diff, stack].filter(Boolean).join('\n'));

// oxlint-disable-next-line import/no-default-export -- Vitest requires it of a reporter
export default class {
  onInit({ config }) {
    this.isFiltered = config.tagsFilter !== undefined;
  }

  onTestRunEnd(modules, unhandledErrors) {
    const results = { passed: 0, failed: 0, skipped: 0, failures: unhandledErrors.map(textOf) };
    for (const each of modules) {
      results.failures.push(...each.errors().map((error) => `${each.moduleId}\n${textOf(error)}`));
      for (const test of each.children.allTests()) {
        const { state, errors = [] } = test.result();
        if (this.isFiltered && test.tags.includes('all')) continue;
        results[state === 'pending' ? 'skipped' : state] += 1;
        if (state === 'failed')
          results.failures.push(`${each.moduleId} > ${test.fullName}\n${errors.map(textOf).join('\n')}`);
      }
    }
    writeFileSync('test-results/unit.json', JSON.stringify(results));
  }
}
