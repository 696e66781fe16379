import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { AppFailure } from '../../../shared/app-failure.ts';
import {
  expectAccessible,
  renderInApp,
  testInfo,
  type Answers,
} from '../../../../test-support/renderer/testing.tsx';
import { runCommand } from '../../app/commands.ts';
import { CrashBanner, SaveReport } from './window.tsx';

const ids = {
  short: '3f0d5c1e-8e5e-4d0c-9d3b-0c1f3c1f3c11',
  named: '3f0d5c1e-8e5e-4d0c-9d3b-0c1f3c1f3c22',
};
const answers: Answers = {
  'app.report': ({ withNames }) =>
    withNames ? { id: ids.named, text: 'Meridian' } : { id: ids.short, text: 'Coffer report\n  node 24' },
  'app.saveReport': () => ({ fileName: 'coffer-report.txt' }),
  'app.dismissCrash': () => undefined,
};

async function open(more: Answers = {}) {
  const view = renderInApp(
    <>
      <CrashBanner />
      <SaveReport />
    </>,
    { ...answers, ...more },
  );
  await waitFor(() => expect(runCommand('report')).toBe(true));
  await screen.findByRole('dialog', { name: 'Report for support' });
  return view;
}

it('saves exactly the report that is shown', async () => {
  const { user, main, baseElement } = await open();
  expect((await screen.findByText(/node 24/)).textContent).toBe('Coffer report\n  node 24');
  await user.click(screen.getByRole('checkbox', { name: 'With names and addresses of your services' }));
  await screen.findByText('Meridian');
  await expectAccessible(baseElement);
  await user.click(screen.getByRole('button', { name: 'Save as…' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(main.calls.find(({ name }) => name === 'app.saveReport')?.input).toEqual({ id: ids.named });
  expect(main.calls.some(({ name }) => name === 'app.dismissCrash')).toBe(false);
});

it('stays open when nothing was saved, and says why', async () => {
  let isFull = false;
  const { user } = await open({
    'app.saveReport': () => {
      if (isFull) throw new AppFailure({ code: 'diskFull', folderName: 'Documents' });
      return null;
    },
  });
  await screen.findByText(/node 24/);
  await user.click(screen.getByRole('button', { name: 'Save as…' }));
  expect(screen.getByRole('dialog')).toBeTruthy();
  isFull = true;
  await user.click(screen.getByRole('button', { name: 'Save as…' }));
  expect(await screen.findByText(/Documents/)).toBeTruthy();
});

it('offers a report after a crash until one is saved', async () => {
  let crash: typeof testInfo.crash = { atMs: Date.now(), what: 'app' };
  const { user, main, container } = renderInApp(
    <>
      <CrashBanner />
      <SaveReport />
    </>,
    {
      ...answers,
      'app.info': () => ({ ...testInfo, crash }),
      'app.dismissCrash': () => {
        crash = null;
        main.emit('app.changed', undefined);
        return undefined;
      },
    },
  );
  await screen.findByText('Coffer stopped because of an error');
  await expectAccessible(container);
  await user.click(screen.getByRole('button', { name: 'Show the report' }));
  await screen.findByText(/node 24/);
  await user.click(screen.getByRole('button', { name: 'Save as…' }));
  await waitFor(() => expect(screen.queryByText('Coffer stopped because of an error')).toBeNull());
});

it('hides the offer when it is dismissed', async () => {
  let crash: typeof testInfo.crash = { atMs: Date.now(), what: 'thread' };
  const { user, main } = renderInApp(<CrashBanner />, {
    'app.info': () => ({ ...testInfo, crash }),
    'app.dismissCrash': () => {
      crash = null;
      main.emit('app.changed', undefined);
      return undefined;
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(screen.queryByRole('region')).toBeNull());
});
