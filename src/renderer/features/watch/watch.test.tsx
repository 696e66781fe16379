import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Input } from '../../../shared/contract.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import { ignoreDefault, type WatchedFolder } from '../../../shared/domain/watch.ts';
import {
  type Answers,
  expectAccessible,
  renderInApp,
  testService,
} from '../../../../test-support/renderer/testing.tsx';
import { runCommand } from '../../app/commands.ts';
import { usePlace } from '../../app/place.ts';
import { WatchDialogs } from './WatchDialogs.tsx';
import { closeWatchDialog } from './watch-store.ts';
import { WatchView } from './WatchView.tsx';

const folder: WatchedFolder = {
  id: 'w1',
  serviceId: testService.id,
  name: 'Site 04',
  label: '~/Pictures/Site 04',
  choices: {
    into: 'imaging/site-04',
    template: '{date}/{name}',
    classification: 'Internal',
    ifExists: 'keepBoth',
    request: 'direct',
    ignore: [...ignoreDefault],
    settleSeconds: 5,
  },
  state: 'watching',
  uploads: 214,
  lastUploadAtMs: Date.now(),
  settling: 1,
  skippedCount: 60,
  skipped: [{ path: 'raw/film.mov', problem: { code: 'tooLarge', limitBytes: 1000 } }],
  error: null,
};

afterEach(closeWatchDialog);

function show(folders: readonly WatchedFolder[], answers: Answers = {}) {
  return renderInApp(
    <main tabIndex={-1}>
      <WatchView service={testService} />
      <WatchDialogs service={testService} />
    </main>,
    {
      'watch.list': () => ({ revision: 1, folders: [...folders] }),
      'classifications.list': () => ({ values: [], recent: [], start: null, preferred: null, error: null }),
      'watch.inspect': () => ({ name: 'Site 05', label: '~/Site 05', files: 214, isMore: false }),
      'files.chooseOne': () => ({ grant: 'g', label: '~/Site 05' }),
      ...answers,
    },
  );
}

it('shows the status and the skipped files of each folder', async () => {
  const { user, container } = show([folder, { ...folder, id: 'w2', name: 'Exports', state: 'away' }]);
  const item = await screen.findByRole('listitem', { name: 'Site 04' });
  expect(item.textContent).toContain('Watching214 uploads, last');
  expect(item.textContent).toContain('1 file not finished yet');
  await user.click(within(item).getByRole('button', { name: '60 files can’t be uploaded' }));
  expect(item.textContent).toContain('raw/film.mov');
  expect(item.textContent).toContain('and 59 more');
  const away = screen.getByRole('listitem', { name: 'Exports' });
  expect(away.textContent).toContain('If you moved it, locate it.');
  await expectAccessible(container);
});

it('switches a folder off, and asks before it is no longer watched', async () => {
  const given: unknown[] = [];
  let folders = [folder];
  const { main, user } = show([folder], {
    'watch.list': () => ({ revision: 3 - folders.length, folders }),
    'watch.setOn': (input) => void given.push(input),
    'watch.remove'(input) {
      given.push(input);
      folders = [];
    },
  });
  await user.click(await screen.findByRole('switch', { name: 'Watch Site 04' }));
  await user.click(screen.getByRole('button', { name: 'More for Site 04' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Stop watching…' }));
  const question = await screen.findByRole('alertdialog', { name: 'Stop watching Site 04?' });
  expect(question.textContent).toContain('Its files and the objects stay.');
  await user.click(within(question).getByRole('button', { name: 'Stop watching' }));
  await waitFor(() => expect(given).toEqual([{ id: 'w1', isOn: false }, { id: 'w1' }]));
  act(() => main.emit('watch.changed', { revision: 3 }));
  await screen.findByText('No folder is watched');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')));
});

it('says why a folder does not upload', async () => {
  const { container } = show([{ ...folder, error: { code: 'unexpected', reference: '4f2a' } }]);
  const item = await screen.findByRole('listitem', { name: 'Site 04' });
  expect(item.textContent).toContain('Its reference is 4f2a.');
  expect(item.textContent).toContain('Coffer tries again by itself.');
  await expectAccessible(container);
});

it('watches another folder that took the place of the first, after it is switched on', async () => {
  const given: unknown[] = [];
  const { user } = show([{ ...folder, state: 'another' }], {
    'watch.setOn': (input) => void given.push(input),
  });
  const item = await screen.findByRole('listitem', { name: 'Site 04' });
  expect(item.textContent).toContain('Another folder is in its place.');
  await user.click(within(item).getByRole('switch', { name: 'Watch Site 04' }));
  await waitFor(() => expect(given).toEqual([{ id: 'w1', isOn: true }]));
});

it('locates a folder that was moved', async () => {
  const given: unknown[] = [];
  const { user } = show([{ ...folder, state: 'away' }], {
    'watch.locate': (input) => void given.push(input),
  });
  await user.click(await screen.findByRole('button', { name: 'Locate Site 04' }));
  await waitFor(() => expect(given).toEqual([{ id: 'w1', grant: 'g' }]));
});

it('watches a chosen folder with the options entered', async () => {
  usePlace.setState({ view: 'objects', place: { kind: 'folder', path: 'imaging' } });
  const added: Input<'watch.add'>[] = [];
  const { user } = show([], {
    'watch.add': (input) => {
      added.push(input);
      return { id: 'w3' };
    },
  });
  await screen.findByText('No folder is watched');
  runCommand('watchFolder');
  const dialog = await screen.findByRole('dialog', { name: 'Watch a folder' });
  const field = (name: string) => within(dialog).getByRole('textbox', { name });
  expect(field('Into')).toHaveProperty('value', 'imaging/Site 05');
  await user.click(await within(dialog).findByRole('checkbox', { name: /^Upload the 214 files/ }));
  await user.clear(field('Named as'));
  await user.click(within(dialog).getByRole('button', { name: 'Date' }));
  await user.click(field('Named as'));
  await user.paste('/{nope}');
  const watch = () => within(dialog).getByRole('button', { name: 'Watch folder' });
  expect(dialog.textContent).toContain('Unknown part {nope}');
  expect(watch()).toHaveProperty('disabled', true);
  await user.keyboard('{Backspace>6/}');
  await user.paste('{name}');
  await user.click(within(dialog).getByRole('button', { name: 'Options' }));
  await user.clear(field('Leave out'));
  await user.paste('[z-a]');
  expect(dialog.textContent).toContain('This can’t be used as a pattern');
  await user.clear(field('Leave out'));
  await user.paste('*.log');
  await expectAccessible(dialog);
  await waitFor(() => expect(watch()).toHaveProperty('disabled', false));
  await user.click(watch());
  await waitFor(() => expect(added).toHaveLength(1));
  expect(added[0]).toMatchObject({
    grant: 'g',
    withExisting: true,
    choices: {
      into: 'imaging/Site 05',
      template: '{date}/{name}',
      ignore: ['*.log'],
      ifExists: 'ask',
      request: 'direct',
    },
  });
  expect(usePlace.getState().view).toBe('watch');
});

it('a chosen classification is for new objects only', async () => {
  const given: Input<'watch.change'>[] = [];
  const { user } = show([folder], { 'watch.change': (input) => void given.push(input) });
  await user.click(await screen.findByRole('button', { name: 'Edit Site 04' }));
  const dialog = await screen.findByRole('dialog', { name: 'Watched folder' });
  await user.click(within(dialog).getByRole('combobox', { name: 'Classification' }));
  await user.click(await screen.findByRole('option', { name: /^Default/ }));
  expect(dialog.textContent).toContain('Used for new files only.');
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  const choices = { ...folder.choices, classification: null };
  await waitFor(() => expect(given).toEqual([{ id: 'w1', choices }]));
});

it('Ctrl+Enter saves the text being typed as well', async () => {
  const given: Input<'watch.change'>[] = [];
  const { user } = show([folder], { 'watch.change': (input) => void given.push(input) });
  await user.click(await screen.findByRole('button', { name: 'Edit Site 04' }));
  const dialog = await screen.findByRole('dialog', { name: 'Watched folder' });
  await user.click(within(dialog).getByRole('button', { name: 'Options' }));
  const seconds = within(dialog).getByRole('textbox', { name: 'Wait until a file is finished' });
  await user.clear(seconds);
  await user.type(seconds, '45{Control>}{Enter}{/Control}');
  await waitFor(() => expect(given).toHaveLength(1));
  expect(given[0]?.choices.settleSeconds).toBe(45);
});

it('says why a folder can’t be watched', async () => {
  const error = {
    code: 'folderNotWatched',
    folderName: 'Site 05',
    problem: 'inside',
    beside: 'Pictures',
  } as const;
  show([], {
    'watch.inspect': () => {
      throw new AppFailure(error);
    },
  });
  await screen.findByText('No folder is watched');
  runCommand('watchFolder');
  const dialog = await screen.findByRole('dialog', { name: 'Watch a folder' });
  await within(dialog).findByText('It is inside Pictures, which is watched already.');
  expect(within(dialog).getByRole('button', { name: 'Watch folder' })).toHaveProperty('disabled', true);
});
