import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { askMs, type Ask } from '../../../shared/domain/approval.ts';
import { expectAccessible, renderInApp } from '../../../../test-support/renderer/testing.tsx';
import { ApprovalDialog } from './ApprovalDialog.tsx';
import { commandLine, programName } from '../../app/approvals/approval-words.ts';

const terminal = { name: 'pts/2', shownBy: 'gnome-terminal', openSinceMs: Date.now() };
const id = '00000000-0000-4000-8000-000000000001';

function askOf(changes: Partial<Ask> = {}): Ask {
  return {
    id,
    serviceId: 'p1',
    program: ['./deploy.sh', 'production'],
    folder: '~/work/ledger',
    terminal,
    startedBy: null,
    command: ['coffer', 'run', '--env-file', '.env', '--', './deploy.sh', 'production'],
    secrets: [
      { name: 'DATABASE_URL', identifier: 'db/ledger/primary-url', objectId: 1, classification: 'Secret' },
      { name: 'DEPLOY_KEY', identifier: 'ci/deploy-key', objectId: null, classification: null },
    ],
    isCopy: false,
    isProven: true,
    isLasting: true,
    refusedAtMs: Date.now() + askMs,
    ...changes,
  };
}

function open(...asks: Ask[]) {
  const app = renderInApp(<ApprovalDialog />, {
    'approvals.list': () => ({ asks, approvals: [] }),
    'approvals.answer': () => undefined,
  });
  const answers = () =>
    app.main.calls.filter(({ name }) => name === 'approvals.answer').map(({ input }) => input);
  return { ...app, answers };
}

/** Without bidirectional isolation characters. */
const textOf = ({ textContent }: HTMLElement) => textContent.replaceAll(/[\u2068\u2069]/g, '');

describe('a program that asks', () => {
  it('shows the program, the folder and the secrets, with the focus on Refuse', async () => {
    const { user, answers } = open(askOf());
    const dialog = await screen.findByRole('alertdialog', { name: 'deploy.sh asks for 2 secrets' });
    for (const text of ['./deploy.sh production', '~/work/ledger', 'DATABASE_URL', 'DEPLOY_KEY'])
      expect(within(dialog).getByText(text)).toBeDefined();
    expect(textOf(dialog)).toContain('coffer run --env-file .env -- ./deploy.sh production');
    expect(textOf(dialog)).toContain('gnome-terminal, pts/2, open since');
    expect(textOf(dialog)).toContain('Not in the list');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Refuse' })));
    await expectAccessible(dialog);
    await user.keyboard('{Enter}');
    expect(answers()).toEqual([{ id, answer: 'refuse' }]);
  });

  it('is refused by Escape too, and the next one takes its place', async () => {
    const next = '00000000-0000-4000-8000-000000000002';
    const { user, answers } = open(askOf(), askOf({ id: next, program: ['psql'] }));
    const dialog = await screen.findByRole('alertdialog', { name: /^deploy.sh/ });
    expect(textOf(dialog)).toContain('1 more program is waiting');
    await user.keyboard('{Escape}');
    expect(await screen.findByRole('alertdialog', { name: 'psql asks for 2 secrets' })).toBeDefined();
    expect(answers()).toEqual([{ id, answer: 'refuse' }]);
  });

  it('is allowed for the terminal, or once', async () => {
    const { user, answers } = open(askOf());
    await user.click(await screen.findByRole('radio', { name: /^Once/ }));
    await user.click(screen.getByRole('button', { name: 'Allow once' }));
    expect(answers()).toEqual([{ id, answer: 'once' }]);
  });

  it('is allowed for the starting program where there is no terminal', async () => {
    const { user, answers } = open(askOf({ terminal: null, startedBy: 'cron' }));
    await user.click(await screen.findByRole('button', { name: 'Allow for cron' }));
    expect(answers()).toEqual([{ id, answer: 'holder' }]);
  });

  it('is only allowed once where no lasting approval is possible', async () => {
    open(askOf({ terminal: null, startedBy: null, isLasting: false }));
    expect(await screen.findByRole('button', { name: 'Allow once' })).toBeDefined();
    expect(screen.queryByRole('radio')).toBeNull();
  });

  it('shows what Coffer cannot verify', async () => {
    open(askOf({ isProven: false }));
    expect(await screen.findByText(/can’t confirm it on this system/)).toBeDefined();
  });
});

describe('names', () => {
  it('are shown as typed, without hiding anything', () => {
    expect(commandLine(['sh', '-c', "echo 'a b'"])).toBe(String.raw`sh -c 'echo '\''a b'\'''`);
    expect(commandLine(['a\u202Eb\u0007'])).toBe("'a\uFFFDb\uFFFD'");
    expect(programName(['/usr/local/bin/deploy'])).toBe('deploy');
  });
});
