import { act, render, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createFakeMain, renderInApp } from '../../../test-support/renderer/testing.tsx';
import { LiveRegions } from '../ui/announce.tsx';
import { cancelTransfers } from './cancel-transfers.ts';
import { useCommandInput } from './key-bindings.ts';
import { dropUndo, offerUndo, useUndo, useUndoCommand } from './undo.ts';

function Window() {
  useCommandInput();
  useUndoCommand();
  return (
    <>
      <input aria-label="Name" />
      <LiveRegions />
    </>
  );
}

const calls: string[] = [];
function done(key: string): void {
  offerUndo(`Done: ${key}`, {
    of: 'delete',
    key,
    run: async () => void calls.push(key),
  });
}

describe('undo', () => {
  it('takes the newest first, one for each press, and names the next for the menu', async () => {
    calls.length = 0;
    const { user, main } = renderInApp(<Window />);
    act(() => ['first', 'second'].forEach(done));
    const named = () => main.calls.filter(({ name }) => name === 'app.nameUndos').map(({ input }) => input);
    await waitFor(() => expect(named()).toEqual([{ names: [] }, { names: ['delete', 'delete'] }]));
    await user.keyboard('{Control>}zzz{/Control}');
    expect(calls).toEqual(['second', 'first']);
    await waitFor(() => expect(named().at(-1)).toEqual({ names: [] }));
  });

  it('leaves a text field its own', async () => {
    calls.length = 0;
    const { user } = renderInApp(<Window />);
    act(() => done('kept'));
    await user.click(screen.getByRole('textbox'));
    await user.keyboard('{Control>}z{/Control}');
    expect(calls).toEqual([]);
  });

  it('remembers ten, and takes the message of what can no longer be undone away', async () => {
    render(<LiveRegions />);
    act(() => {
      for (let at = 0; at < 12; at += 1) done(String(at));
    });
    expect(useUndo.getState().entries.map(({ key }) => key)).toEqual(
      Array.from({ length: 10 }, (_, at) => String(11 - at)),
    );
    act(() => useUndo.setState({ entries: [] }));
    act(() => done('gone'));
    act(() => dropUndo('gone'));
    await waitFor(() => expect(screen.queryByText('Done: gone')).toBeNull());
  });

  it('restarts what a cancel has cancelled, and nothing that arrived before', async () => {
    const facts = {
      serviceId: 'p1',
      kind: 'data',
      waitingFor: null,
      priority: 'normal',
      outcome: null,
    } as const;
    const { main } = renderInApp(<Window />);
    const { client, calls: asked } = createFakeMain({
      'transfers.open': () => ({ ids: [1, 2, 3] }),
      'transfers.cancel': () => undefined,
      'transfers.retry': () => undefined,
      'transfers.picked': () => ({
        rows: [
          { ...facts, id: 1, identifier: 'a', state: 'done' },
          { ...facts, id: 2, identifier: 'b', state: 'cancelled' },
          { ...facts, id: 3, identifier: 'c', state: 'cancelled' },
        ],
      }),
    });
    cancelTransfers(client, { tab: 'transfers' });
    expect(await screen.findByText('Cancelled 2 transfers')).toBeTruthy();
    expect(asked.map(({ name }) => name)).toEqual(['transfers.open', 'transfers.cancel', 'transfers.picked']);
    act(() => screen.getByRole('button', { name: 'Undo' }).click());
    await waitFor(() =>
      expect(asked.at(-1)).toMatchObject({ name: 'transfers.retry', input: { which: [2, 3] } }),
    );
    await waitFor(() => expect(main.calls.at(-1)).toMatchObject({ input: { names: [] } }));
  });
});
