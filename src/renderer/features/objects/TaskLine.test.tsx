import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Task } from '../../../shared/domain/task.ts';
import { renderInApp, testTask } from '../../../../test-support/renderer/testing.tsx';
import { LiveRegions } from '../../ui/announce.tsx';
import { TaskLine, UnsentDeletions } from './TaskLine.tsx';
import { isAsHoped, taskProgressText, taskResultText } from './task-text.ts';

const running: Task = { ...testTask, total: 1204, done: 120, present: 120 };

describe('task line', () => {
  it('shows a running operation, stops it, and announces its result', async () => {
    let revision = 1;
    let task = running;
    const { user, main } = renderInApp(
      <>
        <TaskLine />
        <LiveRegions />
      </>,
      {
        'tasks.list': () => ({ revision, tasks: [task] }),
        'tasks.cancel': () => {
          task = { ...task, state: 'cancelled' };
          revision += 1;
        },
      },
    );
    expect(await screen.findByText('Checking 120 of 1,204')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(main.answered).toContain('tasks.cancel'));
    expect(main.calls.at(-1)).toMatchObject({ name: 'tasks.cancel', input: { id: 1 } });
    act(() => main.emit('tasks.changed', { revision }));
    const said = await screen.findByRole('status', { name: 'Messages' });
    await waitFor(() => expect(said.textContent).toBe('Stopped checking after 120 of 1,204: 120 present'));
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
  });

  it('leaves a deletion that can be undone to its message, and says that it was', async () => {
    let revision = 1;
    let task: Task = { ...running, kind: 'delete', total: 3, done: 0, present: 0, isHeld: true };
    const { main } = renderInApp(
      <>
        <TaskLine />
        <LiveRegions />
      </>,
      { 'tasks.list': () => ({ revision, tasks: [task] }) },
    );
    await waitFor(() => expect(main.answered).toContain('tasks.list'));
    expect(screen.queryByText(/^Deleting/)).toBeNull();
    task = { ...task, state: 'cancelled' };
    revision += 1;
    act(() => main.emit('tasks.changed', { revision }));
    expect(await screen.findByText('Kept 3 objects')).toBeTruthy();
  });

  it.each(['Delete now', 'Keep'])('offers what was not sent: %s', async (name) => {
    const { user, main } = renderInApp(<UnsentDeletions />, {
      'objects.unsentDeletions': () => ({ count: 3 }),
      'objects.answerUnsent': () => undefined,
    });
    expect(await screen.findByText('3 deletions were not sent')).toBeTruthy();
    await user.click(screen.getByRole('button', { name }));
    expect(main.calls.at(-1)).toMatchObject({
      name: 'objects.answerUnsent',
      input: { serviceId: 'p1', answer: name === 'Keep' ? 'keep' : 'delete' },
    });
    expect(screen.queryByText('3 deletions were not sent')).toBeNull();
  });

  it('distinguishes success from results that need attention', () => {
    expect(isAsHoped({ ...running, state: 'done' })).toBe(true);
    expect(isAsHoped({ ...running, state: 'done', missing: 1 })).toBe(false);
    expect(isAsHoped({ ...running, state: 'done', failed: 1 })).toBe(false);
    expect(isAsHoped({ ...running, kind: 'delete', state: 'done', total: 3, present: 0, missing: 3 })).toBe(
      true,
    );
    expect(isAsHoped({ ...running, kind: 'delete', state: 'done', present: 1 })).toBe(false);
  });

  it('counts in words', () => {
    expect(taskProgressText({ ...running, retryAtMs: 12_000 }, 0)).toBe(
      'Checking 120 of 1,204, waiting 12 s',
    );
    expect(taskResultText({ ...running, state: 'done', total: 1, present: 1, missing: 0 })).toBe(
      'Checked 1 object: 1 present',
    );
    expect(
      taskResultText({
        ...running,
        kind: 'delete',
        state: 'done',
        total: 3,
        present: 0,
        missing: 2,
        failed: 1,
        error: { code: 'forbidden', status: 403 },
      }),
    ).toMatch(/^Deleted 2 objects: 1 failed, /);
    const deleted = { ...running, kind: 'delete', state: 'done', total: 3, present: 0, missing: 1 } as const;
    expect(taskResultText(deleted)).toBe('Deleted 1 object: 2 left out, which Coffer is storing or deleting');
    expect(isAsHoped(deleted)).toBe(false);
    expect(taskResultText({ ...deleted, total: 2, present: 1 })).toBe('Deleted 1 object: 1 still there');
    expect(taskResultText({ ...deleted, state: 'cancelled', done: 2 })).toBe(
      'Stopped deleting after 2 of 3: 1 deleted',
    );
    const known = { ...running, kind: 'addKnown', state: 'done' } as const;
    expect(taskResultText({ ...known, total: 9, done: 9, present: 6, listed: 2, missing: 3 })).toBe(
      'Looked for 9 identifiers: 4 added, 2 already listed, 3 not at the service',
    );
    expect(taskResultText({ ...known, total: 3, done: 3, present: 0, listed: 1 })).toBe(
      'Added 2 identifiers: 1 already listed',
    );
  });
});
