import axe from 'axe-core';
import { expect } from 'vitest';

/** Expects that axe finds no violation. jsdom has no layout, so colours are checked elsewhere. */
export async function expectAccessible(container: Element): Promise<void> {
  const { violations } = await axe.run(container, {
    rules: { 'color-contrast': { enabled: false } },
    // Otherwise axe also describes each element that passes.
    resultTypes: ['violations'],
    selectors: false,
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}
