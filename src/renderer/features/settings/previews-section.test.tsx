import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { expectAccessible, renderInApp } from '../../../../test-support/renderer/testing.tsx';
import { PreviewsSection } from './PreviewsSection.tsx';

it('lists the choices made beside previews, and can revert each', async () => {
  const { user, main, container } = renderInApp(<PreviewsSection search="" />, {
    'objects.previewChoices': () => ({ automatic: ['Old', null] }),
    'classifications.list': () => ({
      values: [{ value: 'Internal', description: null }],
      recent: [],
      start: null,
      preferred: null,
      error: null,
    }),
    'objects.choosePreview': () => undefined,
  });
  const boxes = await screen.findAllByRole('checkbox');
  expect(boxes.map((box) => (box as HTMLInputElement).checked)).toEqual([false, true, true]);
  await expectAccessible(container);
  await user.click(screen.getByRole('checkbox', { name: 'Old' }));
  expect(screen.getByRole('checkbox', { name: 'Old' })).toHaveProperty('checked', false);
  expect(main.calls.at(-1)).toEqual({
    name: 'objects.choosePreview',
    input: { serviceId: 'p1', classification: 'Old', isAutomatic: false },
  });
});
