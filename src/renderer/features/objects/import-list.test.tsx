import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ImportReport } from '../../../shared/contract.ts';
import { runCommand } from '../../app/commands.ts';
import { expectAccessible, renderInApp } from '../../../../test-support/renderer/testing.tsx';
import { ImportList } from './ImportList.tsx';

const report: ImportReport = {
  fileName: 'list.csv',
  added: 120,
  merged: 4,
  unchanged: 9,
  skipped: 3,
  separator: ';',
  problemLines: 3,
  problems: [{ line: 7, problem: { code: 'field', field: 'identifier' } }],
};

async function importing(answer: ImportReport | null) {
  const app = renderInApp(<ImportList serviceId="p1" />, { 'objects.import': () => answer });
  await act(async () => void runCommand('importList'));
  await waitFor(() => expect(app.main.answered).toContain('objects.import'));
  expect(app.main.calls).toContainEqual({ name: 'objects.import', input: { serviceId: 'p1' } });
  return app;
}

it('imports, and reports each line that was skipped', async () => {
  const { user } = await importing(report);
  const dialog = await screen.findByRole('dialog', { name: 'Imported list.csv' });
  expect(within(dialog).getByText('120 objects added')).toBeTruthy();
  expect(within(dialog).getByText('The value of “identifier” isn’t valid.')).toBeTruthy();
  expect(within(dialog).getByText('Columns separated by semicolons')).toBeTruthy();
  expect(within(dialog).getByText('and 2 more lines')).toBeTruthy();
  await expectAccessible(dialog);
  await user.click(within(dialog).getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('says that it was stopped', async () => {
  await importing({ ...report, isCancelled: true });
  expect(await screen.findByText('Stopped. What was read until then is in the list.')).toBeTruthy();
});

it('shows nothing if no file was chosen', async () => {
  await importing(null);
  expect(screen.queryByRole('dialog')).toBeNull();
});
