import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { idleMs, type Approval } from '../../../shared/domain/approval.ts';
import { renderInApp } from '../../../../test-support/renderer/testing.tsx';
import { ProgramsSection } from './window.tsx';

const id = '00000000-0000-4000-8000-000000000001';
const terminal = { name: 'pts/2', shownBy: 'gnome-terminal', openSinceMs: Date.now() };
const approval: Approval = {
  id,
  serviceId: 'p1',
  terminal,
  startedBy: null,
  identifiers: ['db/ledger/primary-url', 'ci/deploy-key'],
  givenAtMs: Date.now(),
  usedAtMs: Date.now(),
  endsAtMs: Date.now() + idleMs,
};

describe('the settings', () => {
  it('keep the focus in the section when an ended approval disappears', async () => {
    const other = { ...approval, id: id.replace(/1$/, '2'), terminal: { ...terminal, name: 'pts/3' } };
    let approvals: Approval[] = [approval, other];
    const { user, main, container } = renderInApp(<ProgramsSection search="" />, {
      'approvals.list': () => ({ asks: [], approvals }),
      'approvals.end': () => undefined,
    });
    const end = (name: RegExp) => screen.findByRole('button', { name });
    (await end(/pts\/2/)).focus();
    await user.keyboard('{Enter}');
    approvals = [other];
    main.emit('approvals.changed', { revision: 2 });
    const next = await end(/pts\/3/);
    await waitFor(() => expect(document.activeElement).toBe(next));
    await user.keyboard('{Enter}');
    approvals = [];
    main.emit('approvals.changed', { revision: 3 });
    await waitFor(() => expect(document.activeElement).toBe(container.querySelector('section')));
  });

  it('list approvals, each with a button to end it', async () => {
    let approvals: Approval[] = [approval];
    const { user, main } = renderInApp(<ProgramsSection search="" />, {
      'approvals.list': () => ({ asks: [], approvals }),
      'approvals.end': () => undefined,
    });
    expect(await screen.findByText(/2 secrets of Meridian Archive/)).toBeDefined();
    await user.click(screen.getByRole('button', { name: /^End permission for gnome-terminal, pts\/2/ }));
    expect(main.calls.find(({ name }) => name === 'approvals.end')?.input).toEqual({ which: id });
    approvals = [];
    main.emit('approvals.changed', { revision: 2 });
    await waitFor(() => expect(screen.getByText('Programs that get secrets')).toBeDefined());
  });
});
