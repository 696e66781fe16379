import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { chooseLanguage, setLanguage } from '../../../../shared/i18n/language.ts';
import { showPlace, usePlace } from '../../../app/place.ts';
import {
  type Answers,
  expectAccessible,
  renderInApp,
  testObject,
} from '../../../../../test-support/renderer/testing.tsx';
import { useBrowser } from '../state/browser-store.ts';
import { ObjectsView } from '../ObjectsView.tsx';

const names = ['a.txt', 'deep/b.txt', 'deep/c.txt'];
const rows: ObjectRow[] = names.map((name, index) => ({
  ...testObject,
  id: index + 1,
  identifier: `projects/2026/${name}`,
  lengthBytes: 1,
  storedAtMs: 1,
}));

const answers: Answers = {
  'objects.page': ({ offset }) => ({ revision: 1, total: 3, totalBytes: 3, offset, rows }),
  'objects.summarize': () => ({ count: 1, totalBytes: 1, unknownLengths: 0 }),
  'objects.indexOf': ({ id }) => ({ index: id - 1 }),
  'objects.findName': ({ typed, from }) => {
    const index = [...names.keys()]
      .map((step) => (step + from) % names.length)
      .find((at) => names[at]?.startsWith(typed));
    return { found: index === undefined ? null : { index, id: index + 1 } };
  },
};

beforeEach(() => {
  usePlace.setState(usePlace.getInitialState(), true);
  useBrowser.setState(useBrowser.getInitialState(), true);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(668);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1200);
  showPlace({ kind: 'folder', path: 'projects/2026' });
});

async function renderFolder() {
  const app = renderInApp(<ObjectsView />, answers);
  await screen.findByRole('row', { name: /^a\.txt/ });
  return { ...app, grid: screen.getByRole('grid', { name: 'Objects' }) };
}
const standing = (grid: HTMLElement) =>
  document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')?.getAttribute('aria-label');

it('names rows relative to the open folder, with the whole identifier as tooltip', async () => {
  const { container } = await renderFolder();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('2026');
  const row = screen.getByRole('row', { name: /^deep\/b\.txt/ });
  expect(row.textContent).not.toContain('projects');
  expect(within(row).getByTitle('projects/2026/deep/b.txt')).toBeTruthy();
  await expectAccessible(container);
});

it('opens parent folders by name, and focuses the list', async () => {
  const { user, grid } = await renderFolder();
  const trail = screen.getByRole('navigation', { name: 'Folders above' });
  expect(
    within(trail)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['Files', 'projects']);
  await user.click(within(trail).getByRole('button', { name: 'projects' }));
  expect(usePlace.getState().place).toEqual({ kind: 'folder', path: 'projects' });
  expect(document.activeElement).toBe(grid);
  await user.click(within(trail).getByRole('button', { name: 'Files' }));
  expect(usePlace.getState().place).toEqual({ kind: 'folder', path: '' });
  expect(screen.queryByRole('navigation', { name: 'Folders above' })).toBeNull();
});

it('puts folders without room into a menu', async () => {
  showPlace({ kind: 'folder', path: 'projects/2026/deep' });
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(740);
  const { user } = renderInApp(<ObjectsView />, answers);
  await screen.findByRole('row', { name: /^projects/ });
  const trail = screen.getByRole('navigation', { name: 'Folders above' });
  expect(within(trail).getAllByRole('button').at(-1)?.textContent).toBe('2026');
  await user.click(within(trail).getByRole('button', { name: 'More folders above' }));
  await user.click(await screen.findByRole('menuitem', { name: 'projects' }));
  expect(usePlace.getState().place).toEqual({ kind: 'folder', path: 'projects' });
});

it.each([
  ['en', 'ArrowLeft'],
  ['ar', 'ArrowRight'],
] as const)('goes to the folder above with an arrow key, up to the top (%s)', async (language, arrow) => {
  const { user, grid } = await renderFolder();
  setLanguage(chooseLanguage(language, []));
  grid.focus();
  await user.keyboard('{End}');
  await waitFor(() => expect(useBrowser.getState().cursorId).toBe(3));
  await user.keyboard(`{${arrow}}`);
  expect(usePlace.getState().place).toEqual({ kind: 'folder', path: 'projects' });
  await user.keyboard(`{${arrow}}{${arrow}}`);
  expect(usePlace.getState().place).toEqual({ kind: 'folder', path: '' });
  expect(document.activeElement).toBe(grid);
  setLanguage(chooseLanguage('en', []));
});

it('moves to the next row whose name begins with the typed text', async () => {
  const { user, grid, main } = await renderFolder();
  grid.focus();
  await user.keyboard('d');
  await waitFor(() => expect(standing(grid)).toMatch(/^deep\/b\.txt/));
  await user.keyboard('d');
  await waitFor(() => expect(standing(grid)).toMatch(/^deep\/c\.txt/));
  expect(useBrowser.getState().selection).toEqual({ kind: 'ids', ids: new Set([3]) });
  // No match: the focus stays.
  await user.keyboard('x');
  await waitFor(() => expect(main.calls.at(-1)?.input).toMatchObject({ typed: expect.stringMatching(/x$/) }));
  expect(standing(grid)).toMatch(/^deep\/c\.txt/);
});
