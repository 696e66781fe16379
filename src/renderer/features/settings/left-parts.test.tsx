import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { LeftParts } from '../../../shared/contract.ts';
import { expectAccessible, renderInApp } from '../../../../test-support/renderer/testing.tsx';
import { usePlace } from '../../app/place.ts';
import { LeftPartsSection } from './LeftPartsSection.tsx';

it('leftover parts get the focus from a link, and are deleted after a confirmation', async () => {
  const upload = '0'.repeat(32);
  let uploads: LeftParts[] = [
    { identifier: 'a/film.mov', upload, parts: 5, why: 'refused' },
    { identifier: 'b/film.mov', upload: '1'.repeat(32), parts: 3, why: 'unknown' },
  ];
  usePlace.setState({ view: 'settings', setting: 'a/film.mov' });
  const { main, user, container } = renderInApp(<LeftPartsSection search="" />, {
    'objects.leftParts': () => ({ uploads, removing: [] }),
    'objects.removeLeftParts': () => undefined,
  });
  const first = await screen.findByRole('button', { name: /^Delete leftover parts of .*a\/film\.mov/ });
  await waitFor(() => expect(document.activeElement).toBe(first));
  expect(screen.getByText(/the service refused to delete them/)).toBeTruthy();
  await expectAccessible(container);

  await user.keyboard('{Enter}');
  const question = await screen.findByRole('alertdialog', { name: 'Delete 5 leftover parts?' });
  expect(question.textContent).not.toContain('replaced on another computer');
  await user.click(within(question).getByRole('button', { name: 'Delete parts' }));
  await waitFor(() =>
    expect(main.calls).toContainEqual({
      name: 'objects.removeLeftParts',
      input: { serviceId: 'p1', uploads: [upload] },
    }),
  );

  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: /b\/film\.mov/ }));
  const other = await screen.findByRole('alertdialog', { name: 'Delete 3 leftover parts?' });
  expect(other.textContent).toContain('replaced on another computer');
  await user.keyboard('{Escape}');

  uploads = [];
  act(() => main.emit('objects.changed', { serviceId: 'p1', revision: 2 }));
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Leftover parts' })).toBeNull());
});
