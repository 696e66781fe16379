import { render, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ObjectRow } from '../../../shared/contract.ts';
import type { Replacing, Transfer } from '../../../shared/domain/transfer.ts';
import { settingsDefault } from '../../../shared/domain/settings.ts';
import {
  createFakeMain,
  expectAccessible,
  renderInApp,
  testObject,
  testTransfer,
} from '../../../../test-support/renderer/testing.tsx';
import { undoReplace, useUndoQuestion } from '../../app/undo-replace.ts';
import { UndoQuestion } from './UndoQuestion.tsx';
import { Versions } from '../objects/versions/Versions.tsx';
import { rowState, rowStateText } from '../objects/state/row-state.ts';
import { StateLabel } from '../objects/state/StateLabel.tsx';
import { ReplacedSection } from '../settings/ReplacedSection.tsx';
import { transferLine } from './transfer-text.ts';

const replacing: Replacing = {
  isReclassification: false,
  step: 'store',
  isOut: true,
  oldIsHere: true,
  newIsHere: true,
  oldBeside: null,
  newBeside: 'a.bin~r-0123456789abcdef',
  againAtMs: null,
};
const line = (change: Partial<Transfer>) =>
  transferLine({ ...testTransfer, waitingFor: null, replacing, ...change }, 1_000_000, null).replaceAll(
    /[\u2068\u2069]/g,
    '',
  );

describe('the line of a Replace', () => {
  it('says which of the two versions is kept', () => {
    expect(line({ state: 'uploading', replacing: { ...replacing, step: 'stage' } })).toBe(
      'Replacing, the old version is kept',
    );
    expect(line({ state: 'verifying' })).toBe('Replacing, both versions are kept');
    const again = { ...replacing, step: 'check', againAtMs: 1_042_000 } as const;
    expect(line({ state: 'verifying', replacing: again })).toBe('Replaced, final check in 42 s');
    const row = { state: 'stored', transfer: { ...testTransfer, state: 'verifying', replacing: again } };
    expect(rowState(row as unknown as ObjectRow, 1_000_000)).toMatchObject({ tone: 'stored' });
  });

  it('says what delays it, and which version is kept', () => {
    const error = { code: 'serverError', status: 503, retryAfterMs: 600_000 } as const;
    const held = { state: 'verifying', waitingFor: 'retry', retryAtMs: 1_600_000, error } as const;
    expect(line(held)).toBe('Waiting 10 min, both versions are kept: the service had an error');
    expect(line({ state: 'uploading', waitingFor: 'token' })).toBe(
      'Waiting for a new token, both versions are kept',
    );
    const away = {
      waitingFor: 'network',
      retryAtMs: 1_012_000,
      error: { code: 'unreachable', host: 'a.test', reason: 'refused' },
    } as const;
    expect(line({ state: 'verifying', replacing: { ...replacing, step: 'stage' }, ...away })).toBe(
      'Waiting 12 s, the old version is kept: can’t reach the service',
    );
    const row = { state: 'uploading', transfer: { ...testTransfer, replacing, ...held } };
    expect(rowState(row as unknown as ObjectRow, 1_000_000)).toMatchObject({
      tone: 'wait',
      word: 'Waiting 10 min',
    });
  });

  it('shows after a failure where both versions are, and if a question came too late to undo', () => {
    expect(line({ state: 'failed', error: { code: 'stillThere' } })).toContain(
      'The old version is kept on this computer. The new version is kept on this computer and is on the service as a.bin~r-0123456789abcdef.',
    );
    expect(
      line({ state: 'failed', error: { code: 'forbidden', status: 403 }, replacing: undefined }),
    ).not.toContain('version');
    expect(line({ state: 'waiting', waitingFor: 'answer' })).toMatch(
      /^Waiting for your answer\. Something else/,
    );
  });

  it('says what happened to the old version', () => {
    const outcome = {
      kind: 'stored',
      verifiedBy: 'digest',
      replaced: { kept: null, beside: 'a~o-1' },
    } as const;
    expect(line({ state: 'done', outcome, replacing: undefined })).toBe(
      'Done, 1.0 MB replaced, the old version is a~o-1',
    );
  });
});

it('covers the row, which does not count as stored before the second check', () => {
  const row = {
    state: 'uploading',
    transfer: { ...testTransfer, state: 'verifying', waitingFor: null, replacing },
  } as unknown as ObjectRow;
  const state = rowState(row, 0);
  expect(rowStateText(state)).toBe('Replacing, both versions are kept');
  render(<StateLabel state={state} />);
  expect(screen.getByText('Replacing')).toBeDefined();
  expect(screen.getByTitle('Replacing, both versions are kept')).toBeDefined();
});

const version = {
  id: '0123456789abcdef0123456789abcdef',
  lengthBytes: 2_000_000,
  sha256: 'x',
  sourceName: 'a.bin',
  keptAtMs: Date.UTC(2026, 10, 20, 12),
  untilMs: Date.UTC(2026, 11, 20, 12),
  isInParts: false,
};

const object: ObjectRow = { ...testObject, id: 7, identifier: 'a.bin' };

function Shown({ nowMs = 0 }: { nowMs?: number }) {
  return <Versions object={object} versions={[{ number: 1, object }]} separator="/" nowMs={nowMs} />;
}

describe('replaced versions', () => {
  it('shows them in Details with their expiry, and restores or saves them', async () => {
    const { user, main, container } = renderInApp(<Shown nowMs={Date.UTC(2026, 10, 22)} />, {
      'undo.ofObject': () => ({ versions: [version] }),
      'undo.restore': () => ({ transferId: 1 }),
      'undo.saveAs': () => null,
    });
    const region = await screen.findByRole('region', { name: 'Versions' });
    expect(region.textContent).toContain('2.0 MB');
    expect(region.textContent).toContain('kept until Dec 20');
    expect(
      within(region)
        .getAllByRole('listitem')
        .map((each) => each.querySelector('.version__name')?.textContent),
    ).toEqual(['a.binNewest', 'Replaced']);
    await user.click(within(region).getByRole('button', { name: /^Restore this version/ }));
    await user.click(within(region).getByRole('button', { name: /^Save this version/ }));
    expect(
      main.calls.filter(({ name }) => name !== 'undo.ofObject').map(({ name, input }) => [name, input]),
    ).toEqual(
      expect.arrayContaining([
        ['undo.restore', { id: version.id, classification: 'ask' }],
        ['undo.saveAs', { id: version.id }],
      ]),
    );
    await expectAccessible(container);
  });

  it.each([false, true])(
    'ask before a restored version changes the classification (in parts: %s)',
    async (isInParts) => {
      const { user, main } = renderInApp(
        <>
          <Shown />
          <UndoQuestion />
        </>,
        {
          'undo.ofObject': () => ({ versions: [version] }),
          'undo.restore': ({ classification }) =>
            classification === 'ask'
              ? { identifier: 'a.bin', kept: 'Public', present: 'Secret', isInParts }
              : { transferId: 1 },
        },
      );
      const restored = () =>
        main.calls.flatMap(({ name, input }) => (name === 'undo.restore' ? [input] : []));
      const press = async () =>
        user.click(await screen.findByRole('button', { name: /^Restore this version/ }));
      await press();
      const dialog = await screen.findByRole('alertdialog', { name: 'Which classification?' });
      await expectAccessible(dialog);
      await user.click(
        within(dialog).getByRole('button', { name: isInParts ? /^Restore as .*Public/ : 'Restore' }),
      );
      await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
      const chosen = isInParts ? 'kept' : 'present';
      expect(restored()).toEqual([
        { id: version.id, classification: 'ask' },
        { id: version.id, classification: chosen },
      ]);
      if (isInParts) return;
      await press();
      const again = await screen.findByRole('alertdialog');
      await user.click(within(again).getByRole('radio', { name: /What the version had/ }));
      await user.click(within(again).getByRole('button', { name: 'Restore' }));
      await waitFor(() => expect(restored().at(-1)).toEqual({ id: version.id, classification: 'kept' }));
    },
  );

  it('ask about one Undo at a time: a second one does not take its place', async () => {
    const second = { ...version, id: '22222222-2222-4222-8222-222222222222' };
    const { client } = createFakeMain({
      'undo.restore': ({ id }) => ({ identifier: id, kept: 'Public', present: 'Secret', isInParts: false }),
    });
    undoReplace(client, version.id);
    undoReplace(client, second.id);
    await waitFor(() => expect(useUndoQuestion.getState().asked?.id).toBe(version.id));
    await client.call('undo.restore', { id: second.id, classification: 'ask' });
    expect(useUndoQuestion.getState().asked?.id).toBe(version.id);
    useUndoQuestion.setState({ asked: null });
  });

  it('render nothing if there are none, and reload after changes', async () => {
    let versions: (typeof version)[] = [];
    const { main } = renderInApp(<Shown />, {
      'undo.ofObject': () => ({ versions }),
    });
    await waitFor(() => expect(main.answered).toContain('undo.ofObject'));
    expect(screen.queryByRole('region')).toBeNull();
    versions = [version];
    main.emit('undo.changed', undefined);
    expect(await screen.findByRole('region', { name: 'Versions' })).toBeDefined();
  });

  it('shows them of a deleted object, too, which is no version itself', async () => {
    const gone: ObjectRow = { ...object, state: 'gone' };
    renderInApp(<Versions object={gone} versions={[]} separator="/" nowMs={0} />, {
      'undo.ofObject': () => ({ versions: [version] }),
    });
    const region = await screen.findByRole('region', { name: 'Versions' });
    expect(within(region).getAllByRole('listitem')).toHaveLength(1);
  });

  it('counts them in Settings, and clears them after a question', async () => {
    const changes: unknown[] = [];
    const { user, main } = renderInApp(
      <ReplacedSection search="" settings={settingsDefault} onChange={(change) => changes.push(change)} />,
      {
        'undo.summary': () => ({ bytes: 3_000_000, count: 3, clearableBytes: 2_000_000, clearableCount: 2 }),
        'undo.clear': () => undefined,
      },
    );
    expect(await screen.findByText('3 versions, 3.0 MB')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Clear…' }));
    const question = await screen.findByRole('alertdialog', { name: 'Remove 2 replaced versions?' });
    expect(document.activeElement?.textContent).toBe('Cancel');
    await user.click(within(question).getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(main.calls.map(({ name }) => name)).toContain('undo.clear');
    await user.clear(screen.getByRole('textbox', { name: 'Keep at most' }));
    await user.type(screen.getByRole('textbox', { name: 'Keep at most' }), '2{Enter}');
    await user.clear(screen.getByRole('textbox', { name: 'Keep for' }));
    await user.type(screen.getByRole('textbox', { name: 'Keep for' }), '7{Enter}');
    expect(changes).toContainEqual({ keepReplacedBytes: 2_000_000_000 });
    expect(changes.at(-1)).toEqual({ keepReplacedDays: 7 });
  });
});

describe('files that the database does not know', () => {
  const dayMs = 86_400_000;
  const file = (name: string, bytes: number, isSealed: boolean) => ({
    name,
    bytes,
    changedAtMs: Date.UTC(2026, 2, 3) + bytes * dayMs,
    isSealed,
  });
  const files = [file('kept/aa', 1, true), file('edits/1/a.txt', 2, false), file('kept/bb', 3, true)];
  const section = <ReplacedSection search="" settings={settingsDefault} onChange={() => undefined} />;

  it('does not mention them while there are none', async () => {
    const { main } = renderInApp(section);
    await waitFor(() => expect(main.answered).toContain('undo.unknown'));
    expect(screen.queryByText('Unknown files')).toBeNull();
  });

  it('counts, saves and shows them, and removes them after a question that explains them', async () => {
    let there = files;
    const { user, main, container } = renderInApp(section, {
      'undo.unknown': () => ({ files: there }),
      'undo.saveUnknown': () => ({ folderName: 'Saved', savedCount: 1, unreadableCount: 1 }),
      'undo.showUnknown': () => undefined,
      'undo.removeUnknown': () => {
        there = [];
        main.emit('undo.changed', undefined);
      },
    });
    expect(await screen.findByText(/^3 files, 6 B, since .* Never removed automatically\.$/)).toBeDefined();
    await expectAccessible(container);
    await user.click(screen.getByRole('button', { name: 'Save copies…' }));
    await user.click(screen.getByRole('button', { name: 'Show in folder' }));
    expect(main.calls).toContainEqual({ name: 'undo.showUnknown', input: { name: 'edits/1/a.txt' } });
    await user.click(screen.getByRole('button', { name: 'Remove…' }));
    const question = await screen.findByRole('alertdialog', { name: 'Remove 3 unknown files?' });
    expect(document.activeElement?.textContent).toBe('Cancel');
    expect(within(question).getByText(/^2 files are encrypted/)).toBeDefined();
    expect(within(question).getByText(/^1 file is a private copy/)).toBeDefined();
    await user.click(within(question).getByRole('button', { name: 'Remove 3 files' }));
    await waitFor(() => expect(screen.queryByText('Unknown files')).toBeNull());
    const names = files.map(({ name }) => name);
    expect(main.calls).toContainEqual({ name: 'undo.removeUnknown', input: { names } });
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });
});
