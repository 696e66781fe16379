import axe from 'axe-core';
import { expect } from 'vitest';

/** No barrier axe can find. jsdom lays nothing out, so colours are looked at elsewhere. */
export async function expectAccessible(container: Element): Promise<void> {
  const { violations } = await axe.run(container, {
    rules: { 'color-contrast': { enabled: false } },
    // Of what passes axe would describe each element, too.
    resultTypes: ['violations'],
    selectors: false,
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}
