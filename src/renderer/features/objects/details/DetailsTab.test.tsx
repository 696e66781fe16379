import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { factBits } from '../../../../shared/domain/unverified.ts';
import { AppFailure } from '../../../../shared/app-failure.ts';
import {
  type Answers,
  expectAccessible,
  inTeam,
  renderInApp,
  testEdit,
  testObject,
} from '../../../../../test-support/renderer/testing.tsx';
import { leaveAlone } from '../../../../../test-support/renderer/question-clock.ts';
import { FailureDialogs } from '../../../app/dock-list/FailureDialogs.tsx';
import { useBrowser } from '../state/browser-store.ts';
import { DetailsTab } from './DetailsTab.tsx';
import { everythingSelected, selectIds } from '../state/selection.ts';

const object: ObjectRow = {
  ...testObject,
  id: 7,
  identifier: 'imaging/site-04/contours.png',
  lengthBytes: 24_821_336,
  sha256: 'b1946ac92f7d0e538a4c61d7e09f3b285d7a1c4096ef82b30c5e7419d3a86f12',
  classification: 'Internal',
  sourceName: 'contours.png',
  storedAtMs: Date.now(),
  activityToken: 'a3f1c2d8',
  note: 'Ask Aino',
};

const answers: Answers = {
  'objects.get': () => ({
    object,
    failure: null,
    history: [
      { atMs: Date.now(), action: 'downloadFailed', detail: 'connectionLost', activityToken: null },
      { atMs: Date.now(), action: 'uploaded', detail: null, activityToken: null },
    ],
  }),
  'objects.preview': ({ mayFetch }) => {
    if (!mayFetch) return { preview: null };
    throw new AppFailure({ code: 'previewUnavailable', problem: 'type' });
  },
  'objects.previewChoices': () => ({ automatic: ['Internal'] }),
  'objects.choosePreview': () => undefined,
  'objects.setNote': () => undefined,
  'objects.mixOf': () => ({
    count: 2,
    totalBytes: 2_000_000,
    unknownLengths: 1,
    unseen: 1,
    states: [
      { state: 'stored', count: 1 },
      { state: 'missing', count: 1 },
    ],
    classifications: [
      { value: 'Internal', count: 1 },
      { value: null, count: 1 },
    ],
    moreClassifications: 3,
    stored: { fromMs: Date.UTC(2025, 6, 3, 12), toMs: Date.UTC(2026, 6, 13, 12) },
  }),
};

beforeEach(() => {
  useBrowser.setState(
    {
      ...useBrowser.getInitialState(),
      total: 10,
      query: {
        serviceId: 'p1',
        kind: 'data',
        place: { kind: 'all' },
        search: '',
        sort: { column: 'stored', direction: 'descending' },
      },
    },
    true,
  );
});

const tab = <DetailsTab separator="/" />;

describe('details', () => {
  it('shows the facts of a secret without its value, and why it cannot be deleted', async () => {
    const secret: ObjectRow = { ...object, kind: 'secret', sha256: null, checkedAtMs: Date.now() };
    useBrowser.setState({ selection: selectIds([7]) });
    const { container, main } = renderInApp(tab, {
      'objects.get': () => ({
        object: secret,
        failure: null,
        history: [
          { atMs: Date.now(), action: 'secretRead', detail: 'revealed', activityToken: null },
          { atMs: Date.now(), action: 'uploaded', detail: null, activityToken: null },
        ],
      }),
    });
    await screen.findByText(/The value isn’t kept on this computer/);
    expect(screen.getByText(/can’t replace or delete a secret/)).toBeTruthy();
    expect(screen.getByText('Last used')).toBeTruthy();
    const history = within(screen.getByRole('region', { name: 'History' })).getAllByRole('listitem');
    expect(history.map((entry) => entry.querySelector('span')?.textContent)).toEqual(['Revealed', 'Stored']);
    expect(main.calls.some(({ name }) => name === 'objects.preview')).toBe(false);
    await expectAccessible(container);
  });

  it('shows everything about one object, and why there is no preview', async () => {
    useBrowser.setState({ selection: selectIds([7]) });
    const { container, user } = renderInApp(tab, answers);
    const article = await screen.findByRole('article', { name: 'imaging/site-04/contours.png' });
    expect(within(article).getByText('(24,821,336 bytes)')).toBeTruthy();
    expect(within(article).getByText('PNG picture')).toBeTruthy();
    expect(within(article).getByText('Download failed, connection lost')).toBeTruthy();
    for (const copy of ['Copy SHA-256', 'Copy activity token'])
      expect(within(article).queryByRole('button', { name: copy })).toBeNull();
    await user.click(within(article).getByRole('button', { name: 'More', expanded: false }));
    for (const copy of ['Copy SHA-256', 'Copy activity token'])
      expect(within(article).getByRole('button', { name: copy })).toBeTruthy();
    expect(await within(article).findByText(/No preview\. Previews are limited/)).toBeTruthy();
    await expectAccessible(container);
  });

  it('counts down the same seconds as the row', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 6, 14, 9, 0, 25) });
    onTestFinished(() => void vi.useRealTimers());
    const transfer = {
      id: 1,
      direction: 'download',
      state: 'waiting',
      waitingFor: 'network',
      retryAtMs: Date.now() + 10_000,
      priority: 'normal',
      error: null,
      doneBytes: 0,
      totalBytes: null,
    } as const;
    useBrowser.setState({ selection: selectIds([object.id]) });
    renderInApp(tab, {
      ...answers,
      'objects.get': () => ({ object: { ...object, transfer }, failure: null, history: [] }),
    });
    expect(await screen.findByText('Waiting 10 s')).toBeTruthy();
  });

  it('finishes the edit of an object from beside its state', async () => {
    const edit = {
      ...testEdit,
      objectId: object.id,
      identifier: object.identifier,
      startedAtMs: Date.now(),
    };
    const edited = { ...object, edit: { id: edit.id, state: edit.state, savedAtMs: null } };
    useBrowser.setState({ selection: selectIds([object.id]) });
    const { user, main } = renderInApp(tab, {
      ...answers,
      'objects.get': () => ({ object: edited, failure: null, history: [] }),
      'edits.list': () => ({ revision: 1, edits: [edit] }),
      'edits.finish': () => undefined,
    });
    await user.click(await screen.findByRole('button', { name: `Finish, ${object.identifier}` }));
    expect(main.calls.find(({ name }) => name === 'edits.finish')?.input).toEqual({ id: edit.id });
  });

  it('does not call an unknown classification the default', async () => {
    const added = { ...object, classification: null, storedAtMs: null };
    useBrowser.setState({ selection: selectIds([object.id]) });
    renderInApp(<DetailsTab separator="/" />, {
      ...answers,
      'objects.get': () => ({ object: added, failure: null, history: [] }),
    });
    const name = await screen.findByText('Classification', { selector: 'dt' });
    expect(name.nextElementSibling?.textContent).toContain('Not known');
  });

  it('makes bidi control characters in a name visible', async () => {
    const theirs = { ...object, sourceName: 'annual\u202egpj.exe', classification: 'Internal\u202e' };
    useBrowser.setState({ selection: selectIds([object.id]) });
    renderInApp(<DetailsTab separator="/" />, {
      ...answers,
      'objects.get': () => ({ object: theirs, failure: null, history: [] }),
    });
    expect(await screen.findByText('annual\ufffdgpj.exe')).toBeTruthy();
    expect(screen.getByText('Internal\ufffd')).toBeTruthy();
  });

  it('says which colleague did what, whether the person has checked, and which note was set aside', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const given: unknown[] = [];
    const theirs = {
      ...object,
      checkedAtMs: Date.now(),
      unverified: factBits.presence | factBits.length,
      storedBy: 'Ruth Okafor',
      seenBy: 'Tom',
      isShared: true as const,
    };
    useBrowser.setState({ selection: selectIds([7]) });
    const { container, user } = renderInApp(<main tabIndex={-1}>{tab}</main>, {
      ...answers,
      ...inTeam({ noteConflicts: 1 }),
      'objects.get': () => ({ object: theirs, failure: null, history: [] }),
      'team.noteConflicts': () => ({
        entries: [
          { id: 4, objectId: 7, kind: 'data', identifier: object.identifier, mine: 'My words', atMs: 1 },
          { id: 5, objectId: 8, kind: 'data', identifier: 'other', mine: 'Of another', atMs: 1 },
        ],
      }),
      'team.resolve': (input) => void given.push(input),
    });
    const team = await screen.findByRole('region', { name: 'Team' });
    expect(team.textContent).toContain('StoredRuth Okafor');
    expect(team.textContent).toContain('Seen lastTom');
    expect(within(team).queryByRole('button', { name: 'Check' })).toBeNull();
    expect(team.textContent).toContain('On the team’s list');
    expect(screen.getByText('According to Tom')).toBeTruthy();
    const apart = await within(team).findByRole('region', { name: 'Kept apart' });
    expect(apart.textContent).toContain('My words');
    await expectAccessible(container);
    const mine = within(apart).getByRole('button', { name: 'Use mine' });
    await user.click(mine);
    expect(given).toEqual([]);
    await leaveAlone();
    await user.click(mine);
    await waitFor(() => expect(given).toEqual([{ serviceId: 'p1', noteConflictId: 4, use: 'mine' }]));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Kept apart' })).toBeNull());
    await waitFor(() => expect(document.activeElement).not.toBe(document.body));
  });

  describe('the team’s history', () => {
    const shared = { ...object, isShared: true as const };
    const nothing = { bytes: null, before: null, now: null };
    const open = async ({ user }: ReturnType<typeof renderInApp>) => {
      const team = await screen.findByRole('region', { name: 'Team' });
      await user.click(
        within(team).getByRole('button', { name: 'Show the team’s history', expanded: false }),
      );
      return team;
    };
    const inHistory: Answers = {
      ...answers,
      ...inTeam(),
      'objects.get': () => ({ object: shared, failure: null, history: [] }),
    };

    it('loads it from the server when opened, and says who did what, and what it replaced', async () => {
      const bytes = { lengthBytes: 2_300_000, classification: 'Internal', storedAtMs: 0, storedBy: 3 };
      useBrowser.setState({ selection: selectIds([7]) });
      const shown = renderInApp(tab, {
        ...inHistory,
        'team.history': () => ({
          entries: [
            { ...nothing, atMs: 4, person: 9, action: 'deleted' },
            { ...nothing, atMs: 3, person: 2, action: 'noteChanged', before: 'Old\nwords', now: 'New' },
            { ...nothing, atMs: 2, person: 2, action: 'classificationChanged', before: null, now: 'Public' },
            { ...nothing, atMs: 2, person: 1, action: 'stored', bytes },
            { ...nothing, atMs: 1, person: 3, action: 'stored' },
          ],
        }),
      });
      const team = await open(shown);
      const list = await within(team).findByRole('list', { name: 'Team’s history' });
      const [deleted = '', noted = '', corrected = '', anew = '', stored = ''] = [...list.children].map(
        ({ textContent }) => textContent.replaceAll(/[\u2066-\u2069]/g, ''),
      );
      expect(deleted).toContain('Not knownDeleted');
      expect(noted).toContain('Ruth OkaforNote changed. Before:Old\nwords');
      expect(corrected).toContain('Classification corrected from Default to Public');
      expect(anew).toMatch(/YouStored anewBefore: 2\.3 MB, Internal, stored .+, Tom$/);
      expect(stored).toMatch(/TomStored$/);
      expect(shown.main.calls.filter(({ name }) => name === 'team.history')).toEqual([
        { name: 'team.history', input: { serviceId: 'p1', kind: 'data', identifier: object.identifier } },
      ]);
      await expectAccessible(shown.container);
    });

    it('says that the server is unreachable, and tries again', async () => {
      let isAway = true;
      useBrowser.setState({ selection: selectIds([7]) });
      const shown = renderInApp(tab, {
        ...inHistory,
        'team.history': () => {
          if (isAway) throw new AppFailure({ code: 'teamServer', why: 'unreachable', host: 'db' });
          return { entries: [] };
        },
      });
      const team = await open(shown);
      await within(team).findByText('It can’t be reached.');
      isAway = false;
      await shown.user.click(within(team).getByRole('button', { name: 'Try again' }));
      expect(await within(team).findByText('The team’s server has nothing about it.')).toBeTruthy();
    });
  });

  it('marks what only an imported list or an unnamed colleague claims', async () => {
    const told = {
      ...object,
      checkedAtMs: Date.now(),
      unverified: factBits.presence | factBits.length | factBits.digest,
      isShared: true as const,
    };
    useBrowser.setState({ selection: selectIds([object.id]) });
    const { container, user } = renderInApp(tab, {
      ...answers,
      'objects.get': () => ({ object: told, failure: null, history: [] }),
    });
    const fieldOf = (name: string) =>
      screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent;
    await screen.findByText('Checked', { selector: 'dt' });
    expect(fieldOf('State')).toContain('Unchecked');
    expect(fieldOf('Checked')).toContain('According to an imported list or the team');
    expect(fieldOf('Size')).not.toContain('imported');
    await user.click(screen.getByRole('button', { name: 'More', expanded: false }));
    expect(fieldOf('SHA-256')).toContain('From an imported list or the team, not compared');
    await expectAccessible(container);
  });

  it('offers to add a note where there is none', async () => {
    useBrowser.setState({ selection: selectIds([7]) });
    const { user } = renderInApp(tab, {
      ...answers,
      'objects.get': () => ({ object: { ...object, note: '' }, failure: null, history: [] }),
    });
    await user.click(await screen.findByRole('button', { name: 'Add a note…' }));
    expect(screen.getByRole('textbox', { name: 'Note' })).toHaveProperty('value', '');
    await user.keyboard('{Escape}');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add a note…' }));
  });

  it('gives a note the direction of its text', async () => {
    useBrowser.setState({ selection: selectIds([7]) });
    renderInApp(tab, answers);
    expect((await screen.findByText('Ask Aino')).getAttribute('dir')).toBe('auto');
  });

  it('asks before Escape discards an unsaved note', async () => {
    useBrowser.setState({ selection: selectIds([7]) });
    const { user } = renderInApp(tab, answers);
    await user.click(await screen.findByRole('button', { name: 'Edit note' }));
    const note = () => screen.queryByRole('textbox', { name: 'Note' });
    await user.type(screen.getByRole('textbox', { name: 'Note' }), ' first{Escape}');
    await user.click(screen.getByRole('button', { name: 'Keep editing' }));
    expect(note()).toHaveProperty('value', 'Ask Aino first');
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    expect(note()).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit note' }));
    await user.keyboard('{Enter}');
    await user.keyboard('{Escape}');
    expect(note()).toBeNull();
  });

  it('saves a note', async () => {
    useBrowser.setState({ selection: selectIds([7]) });
    const { user, main } = renderInApp(tab, answers);
    await user.click(await screen.findByRole('button', { name: 'Edit note' }));
    await user.type(screen.getByRole('textbox', { name: 'Note' }), ' first{Control>}{Enter}{/Control}');
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Note' })).toBeNull());
    expect(main.calls.find(({ name }) => name === 'objects.setNote')?.input).toEqual({
      id: 7,
      note: 'Ask Aino first',
    });
  });

  it('summarises sizes, dates and states of several objects', async () => {
    useBrowser.setState({ selection: selectIds([7, 8]) });
    const { container, main } = renderInApp(tab, answers);
    const article = await screen.findByRole('article', { name: '2 objects selected' });
    expect(await within(article).findByText('Without 1 object of unknown size')).toBeTruthy();
    expect(within(article).getByText('(2,000,000 bytes)')).toBeTruthy();
    expect(within(article).getByText(/Jul 3, 2025.*Jul 13, 2026/)).toBeTruthy();
    const counted = (name: string) =>
      within(within(article).getByRole('region', { name }))
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent);
    expect(counted('States')).toEqual(['Stored1', 'Missing1', '1 unchecked']);
    expect(counted('Classifications')).toEqual(['Internal1', 'Default1', 'and 3 more']);
    expect(main.calls.filter(({ name }) => name === 'objects.mixOf')).toHaveLength(1);
    await expectAccessible(container);
  });

  it('asks main once for all rows of a list, however many', async () => {
    useBrowser.setState({ selection: everythingSelected, total: 1_000_000 });
    const { main } = renderInApp(tab, answers);
    await screen.findByRole('article', { name: '1,000,000 objects selected' });
    await screen.findByText('Missing');
    const { query } = useBrowser.getState();
    expect(main.calls.filter(({ name }) => name === 'objects.mixOf').map(({ input }) => input)).toEqual([
      { selection: { kind: 'query', query, exceptIds: [] } },
    ]);
  });

  it('shows three lines of a long name, or all of it on request, and copies the identifier', async () => {
    const hasMore = vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(200);
    const copied = vi.fn<() => boolean>(() => true);
    document.execCommand = copied;
    useBrowser.setState({ selection: selectIds([7]) });
    const { user } = renderInApp(tab, answers);
    const title = await screen.findByRole('heading', { name: 'contours.png' });
    expect(title.classList.contains('details__cut')).toBe(true);
    expect(title.getAttribute('dir')).toBe('ltr');
    const all = screen.getByRole('button', { name: 'Show all' });
    await user.click(all);
    expect(title.classList.contains('details__cut')).toBe(false);
    expect(all.getAttribute('aria-expanded')).toBe('true');
    expect(document.activeElement).toBe(all);
    hasMore.mockReturnValue(0);
    await user.click(screen.getByRole('button', { name: 'Show less' }));
    await user.click(screen.getByRole('button', { name: 'Copy identifier' }));
    expect(copied).toHaveBeenCalledWith('copy');
    vi.restoreAllMocks();
  });

  it('offers the same remedies for a failure as the list of transfers, with its full text', async () => {
    useBrowser.setState({ selection: selectIds([7]) });
    let isFailed = true;
    const { container, main, user } = renderInApp(
      <>
        {tab}
        <FailureDialogs />
      </>,
      {
        ...answers,
        'objects.get': () => ({
          object: { ...object, state: 'failed' },
          history: [],
          failure: isFailed
            ? {
                list: 'transfers',
                id: 21,
                direction: 'upload',
                error: { code: 'connectionLost', doneBytes: 1, expectedBytes: 2, outcomeUnknown: false },
                activityToken: 'act-21',
                finishedAtMs: Date.now(),
              }
            : null,
        }),
        'transfers.retry': () => {
          isFailed = false;
          return undefined;
        },
      },
    );
    const problem = await screen.findByRole('region', { name: 'Upload failed' });
    expect(problem.textContent).toContain('Coffer tried several times');
    expect(problem.textContent).not.toContain('act-21');
    await expectAccessible(container);
    await user.click(within(problem).getByRole('button', { name: 'Show full message' }));
    expect((await screen.findByRole('dialog', { name: 'Upload failed' })).textContent).toContain(
      'activity act-21',
    );
    await user.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Show full message'));
    await user.click(within(problem).getByRole('button', { name: 'Upload again' }));
    expect(main.calls.find(({ name }) => name === 'transfers.retry')?.input).toEqual({ which: [21] });
    main.emit('objects.changed', { serviceId: 'p1', revision: 2 });
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Upload failed' })).toBeNull());
    // The button disappeared with the failure: the focus stays in the details.
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('article', { name: object.identifier })),
    );
  });

  it('replaces the claims of an imported list by what the service has, and keeps the focus', async () => {
    useBrowser.setState({ selection: selectIds([7]) });
    let isFailed = true;
    const { main, user } = renderInApp(tab, {
      ...answers,
      'objects.get': () => ({
        object,
        history: [],
        failure: isFailed
          ? {
              list: 'transfers',
              id: 21,
              direction: 'download',
              error: { code: 'claimedLengthDiffers', expectedBytes: 2, receivedBytes: 3 },
              activityToken: null,
              finishedAtMs: Date.now(),
            }
          : null,
      }),
      'transfers.retry': () => {
        isFailed = false;
        return undefined;
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Take what the service has' }));
    const input = { which: [21], takesOther: true };
    expect(main.calls.find(({ name }) => name === 'transfers.retry')?.input).toEqual(input);
    main.emit('objects.changed', { serviceId: 'p1', revision: 2 });
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Download failed' })).toBeNull());
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('article', { name: object.identifier })),
    );
  });
});
