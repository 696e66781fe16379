import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { expectAccessible, renderInApp } from '../../../../../test-support/renderer/testing.tsx';
import { usePlace } from '../../../app/place.ts';
import { LeftParts } from './LeftParts.tsx';
import { PartBar } from './PartBar.tsx';

it('draws a cell for each part, and describes them in words', async () => {
  const { container } = renderInApp(
    <PartBar
      parts={{
        total: 299,
        partBytes: 33_554_432,
        runs: [
          { state: 'sent', count: 11 },
          { state: 'moving', count: 2 },
          { state: 'toSend', count: 286 },
        ],
      }}
    />,
  );
  const parts = screen.getByRole('region', { name: 'Parts' });
  expect(
    within(parts)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['11 sent', '2 moving', '286 to send']);
  expect(parts.textContent).toMatch(/up to 33\.6.MB each/);
  expect(container.querySelectorAll('.parts__bar > i')).toHaveLength(299);
  expect(parts.textContent).not.toMatch(/stands for/);
  await expectAccessible(container);
});

it('says if a cell stands for several parts', () => {
  renderInApp(<PartBar parts={{ total: 2_500, partBytes: 1, runs: [{ state: 'there', count: 2_500 }] }} />);
  expect(screen.getByText('A cell stands for up to 3 parts.')).toBeTruthy();
});

it('shows parts left at the service until they are removed, with a link to Settings', async () => {
  let uploads = [
    { identifier: 'a/film.mov', upload: '0'.repeat(32), parts: 12, why: 'refused' as const },
    { identifier: 'b/film.mov', upload: '1'.repeat(32), parts: 3, why: 'unknown' as const },
  ];
  const { main, user } = renderInApp(<LeftParts serviceId="p1" />, {
    'objects.leftParts': () => ({ uploads, removing: [] }),
  });
  expect(await screen.findByText('15 leftover parts are still on the service.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Show' }));
  expect(usePlace.getState()).toMatchObject({ view: 'settings', setting: 'a/film.mov' });
  uploads = [];
  main.emit('objects.changed', { serviceId: 'p1', revision: 2 });
  await expect.poll(() => screen.queryByRole('button')).toBeNull();
});
