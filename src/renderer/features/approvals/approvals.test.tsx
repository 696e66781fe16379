import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { askMs, type Ask } from '../../../shared/domain/approval.ts';
import {
  leaveAlone,
  passTime,
  installQuestionClock,
} from '../../../../test-support/renderer/question-clock.ts';
import { expectAccessible, renderInApp } from '../../../../test-support/renderer/testing.tsx';
import { answerDelayMs, stalePressMs } from '../../ui/answer-delay.ts';
import { ApprovalDialog } from './ApprovalDialog.tsx';
import { commandLine, programName } from './approval-words.ts';

const terminal = { name: 'pts/2', shownBy: 'gnome-terminal', openSinceMs: Date.now() };
const id = '00000000-0000-4000-8000-000000000001';

function askOf(changes: Partial<Ask> = {}): Ask {
  return {
    id,
    asker: 'terminal',
    isAgain: false,
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

let asked: Ask[];

function open(...asks: Ask[]) {
  asked = asks;
  const app = renderInApp(<ApprovalDialog />, {
    'approvals.list': () => ({ asks: asked, approvals: [] }),
    'approvals.answer': () => undefined,
  });
  const answers = () =>
    app.main.calls.filter(({ name }) => name === 'approvals.answer').map(({ input }) => input);
  return { ...app, answers };
}

/** Without bidirectional isolation characters. */
const textOf = ({ textContent }: HTMLElement) => textContent.replaceAll(/[\u2068\u2069]/g, '');

const allow = () => screen.getByRole('button', { name: /^Allow/ });
const second = '00000000-0000-4000-8000-000000000002';
const dialogOf = (program: string) =>
  screen.findByRole('alertdialog', { name: new RegExp(`^${program} asks for 2 secrets`) });

installQuestionClock();

describe('a program that asks', () => {
  it('shows the program, the folder and the secrets, with the focus on Refuse', async () => {
    const { user, answers } = open(askOf());
    const dialog = await dialogOf('deploy.sh');
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

  it('refuses it by Escape too', async () => {
    const { user, answers } = open(askOf());
    await dialogOf('deploy.sh');
    await user.keyboard('{Escape}');
    expect(answers()).toEqual([{ id, answer: 'refuse' }]);
  });

  it('allows it once, unless the person chooses more', async () => {
    const { user, answers } = open(askOf());
    expect(await screen.findByRole<HTMLInputElement>('radio', { name: /^Once/ })).toMatchObject({
      checked: true,
    });
    await leaveAlone();
    await user.click(screen.getByRole('radio', { name: /^Allow for this terminal/ }));
    await user.click(screen.getByRole('button', { name: 'Allow for this terminal' }));
    expect(answers()).toEqual([{ id, answer: 'holder' }]);
  });

  it('allows it for the starting program where there is no terminal', async () => {
    const { user, answers } = open(askOf({ terminal: null, startedBy: 'cron' }));
    await dialogOf('deploy.sh');
    await leaveAlone();
    await user.click(screen.getByRole('radio', { name: /^Allow for cron/ }));
    await user.click(screen.getByRole('button', { name: 'Allow for cron' }));
    expect(answers()).toEqual([{ id, answer: 'holder' }]);
  });

  it('allows it only once where no lasting approval is possible', async () => {
    open(askOf({ terminal: null, startedBy: null, isLasting: false }));
    expect(await screen.findByRole('button', { name: 'Allow once' })).toBeDefined();
    expect(screen.queryByRole('radio')).toBeNull();
  });

  it('shows what Coffer cannot verify', async () => {
    open(askOf({ isProven: false }));
    expect(await screen.findByText(/can’t confirm it on this system/)).toBeDefined();
  });
});

describe('a press that was meant for something else', () => {
  it('allows nothing when the question has just appeared, by click, Enter or Space', async () => {
    const { user, answers } = open(askOf());
    await dialogOf('deploy.sh');
    await passTime(41);
    await user.click(allow());
    act(() => allow().focus());
    for (const key of ['{Enter}', ' ']) {
      await passTime(stalePressMs);
      await user.keyboard(key);
    }
    expect(answers()).toEqual([]);
  });

  it('allows nothing while the window is being touched, and does when it was left alone', async () => {
    const { user, answers } = open(askOf());
    await dialogOf('deploy.sh');
    for (let touch = 0; touch < 5; touch += 1) {
      await passTime(answerDelayMs - 200);
      await user.click(allow());
    }
    expect(answers()).toEqual([]);
    expect(allow().getAttribute('aria-disabled')).toBe('true');
    await leaveAlone();
    await user.click(allow());
    expect(answers()).toEqual([{ id, answer: 'once' }]);
  });

  it('answers one of two questions when the same spot is pressed twice', async () => {
    const { user, answers } = open(askOf(), askOf({ id: second, program: ['psql'] }));
    await dialogOf('deploy.sh');
    await leaveAlone();
    await user.click(allow());
    await dialogOf('psql');
    await user.click(allow());
    await user.dblClick(screen.getByRole('button', { name: 'Refuse' }));
    await user.keyboard('{Escape}{Enter} ');
    expect(answers()).toEqual([{ id, answer: 'once' }]);
    await leaveAlone();
    await user.click(allow());
    expect(answers()).toEqual([
      { id, answer: 'once' },
      { id: second, answer: 'once' },
    ]);
  });

  it('reaches nothing behind a question that has just gone', async () => {
    const pressed = vi.fn<() => void>();
    const behind = document.createElement('button');
    document.body.append(Object.assign(behind, { onclick: pressed, textContent: 'Delete' }));
    onTestFinished(() => behind.remove());
    const { user, main, unmount } = open(askOf());
    await dialogOf('deploy.sh');
    await leaveAlone();
    asked = [];
    act(() => main.emit('approvals.changed', { revision: 2 }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    await user.click(screen.getByText('Delete'));
    expect(pressed).not.toHaveBeenCalled();
    await passTime(stalePressMs);
    await user.click(screen.getByText('Delete'));
    expect(pressed).toHaveBeenCalledOnce();
    unmount();
  });

  it('allows nothing when another window or dialog was in front until now', async () => {
    const focus = vi.spyOn(document, 'hasFocus').mockReturnValue(false);
    const { user, answers } = open(askOf());
    await dialogOf('deploy.sh');
    await leaveAlone();
    focus.mockReturnValue(true);
    // The click that brings the window to the front.
    act(() => void window.dispatchEvent(new FocusEvent('focus')));
    await user.click(allow());
    expect(answers()).toEqual([]);
    await leaveAlone();
    const over = document.body.appendChild(document.createElement('div'));
    Object.assign(over, { role: 'dialog', tabIndex: 0 });
    over.setAttribute('data-react-aria-top-layer', 'true');
    act(() => over.focus());
    act(() => over.remove());
    act(() => screen.getByRole('button', { name: 'Refuse' }).focus());
    await user.click(allow());
    expect(answers()).toEqual([]);
  });
});

describe('a program that asks many times', () => {
  it('refuses it with all its requests', async () => {
    const third = '00000000-0000-4000-8000-000000000003';
    const { user, answers } = open(
      askOf(),
      askOf({ id: second }),
      askOf({ id: third, asker: 'other', program: ['psql'] }),
    );
    const dialog = await dialogOf('deploy.sh');
    expect(textOf(dialog)).toContain('1 more request from this terminal is waiting.');
    expect(textOf(dialog)).toContain('1 more program is waiting');
    await leaveAlone();
    await user.click(screen.getByRole('button', { name: 'Refuse all of these' }));
    expect(answers()).toEqual([{ id, answer: 'refuseAll' }]);
    await dialogOf('psql');
    expect(screen.queryByRole('button', { name: 'Refuse all of these' })).toBeNull();
  });

  it('refuses it with all that follows when it asks again', async () => {
    open(askOf({ isAgain: true }));
    expect(await screen.findByRole('button', { name: 'Refuse all of these' })).toBeDefined();
    expect(screen.getByText('You refused this program before, and it asks again.')).toBeDefined();
  });
});

describe('names', () => {
  it('shows them as typed, without hiding anything', () => {
    expect(commandLine(['sh', '-c', "echo 'a b'"])).toBe(String.raw`sh -c 'echo '\''a b'\'''`);
    expect(commandLine(['a\u202Eb\u0007'])).toBe("'a\uFFFDb\uFFFD'");
    expect(programName(['/usr/local/bin/deploy'])).toBe('deploy');
  });
});
