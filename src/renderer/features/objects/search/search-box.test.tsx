import { render, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { setSearch, usePlace } from '../../../app/place.ts';
import { LiveRegions } from '../../../ui/announce.tsx';
import { Topbar } from '../../../app/Topbar.tsx';
import {
  expectAccessible,
  inTeam,
  renderInApp,
  type Answers,
} from '../../../../../test-support/renderer/testing.tsx';
import { SearchBox } from './SearchBox.tsx';
import { NothingFound } from '../grid/ObjectNotices.tsx';

const answers: Answers = {
  'objects.collections': () => ({
    all: 3,
    gone: 0,
    secrets: 0,
    attention: 0,
    hasFolders: true,
    classifications: ['Internal', 'Top secret', 'Top', null].map((value) => ({ value, count: 1 })),
  }),
  'objects.folders': ({ parent }) => ({
    folders:
      parent === ''
        ? [
            { path: 'reports', name: 'reports', count: 2, hasChildren: true },
            { path: 'my files', name: 'my files', count: 1, hasChildren: false },
          ]
        : [{ path: `${parent}/2026`, name: '2026', count: 1, hasChildren: false }],
    more: 0,
  }),
};

beforeEach(() => {
  usePlace.setState(usePlace.getInitialState(), true);
  Element.prototype.scrollIntoView = () => undefined;
});

async function open(more: Answers = {}) {
  const onLeave = vi.fn<() => void>();
  const app = renderInApp(
    <Topbar title="All objects" count={3}>
      <SearchBox onLeave={onLeave} />
    </Topbar>,
    { ...answers, ...more },
  );
  render(<LiveRegions />);
  const field = screen.getByRole('searchbox', { name: 'Search objects' });
  await app.user.click(field);
  const typed = () => usePlace.getState().search;
  const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
  return { ...app, field, typed, options, onLeave };
}

describe('the search field', () => {
  it('clears it by its button or Escape, and leaves it by a second Escape', async () => {
    const { user, field, typed, onLeave } = await open();
    await user.keyboard('abc');
    await user.click(screen.getByRole('button', { name: 'Clear search' }));
    expect(typed()).toBe('');
    expect(document.activeElement).toBe(field);
    await user.keyboard('abc{Escape}');
    expect(typed()).toBe('');
    expect(onLeave).not.toHaveBeenCalled();
    await user.keyboard('{Escape}');
    expect(onLeave).toHaveBeenCalledOnce();
  });

  it('suggests states, and inserts one by keyboard', async () => {
    const { user, field, typed, options, container, onLeave } = await open();
    await user.keyboard('x -state:');
    expect(options()).toEqual(['Failed', 'Missing', 'Unchecked', 'Uploading', 'Deleting', 'Stored']);
    await user.keyboard('{ArrowDown}{ArrowDown}');
    const missing = screen.getByRole('option', { name: 'Missing', selected: true });
    expect(field.getAttribute('aria-activedescendant')).toBe(missing.id);
    expect(field.getAttribute('aria-controls')).toBe(screen.getByRole('listbox', { name: 'Suggestions' }).id);
    await expectAccessible(container);
    await user.keyboard('{Enter}');
    expect(typed()).toBe('x -state:missing ');
    await user.keyboard('more');
    expect(typed()).toBe('x -state:missing more');
    expect(options()).toEqual([]);
    expect(onLeave).not.toHaveBeenCalled();
    await user.keyboard('{Enter}');
    expect(onLeave).toHaveBeenCalledOnce();
  });

  it('narrows suggestions by the typed text, in search syntax or as displayed', async () => {
    const { user, options } = await open();
    await user.keyboard('kind:pi');
    expect(options()).toEqual(['Picture']);
    await user.keyboard('{Escape}state:unch');
    expect(options()).toEqual(['Unchecked']);
    await user.keyboard('{Escape}state:missing');
    expect(options()).toEqual([]);
  });

  it('suggests classifications, quoted if needed, and a press inserts one without leaving the field', async () => {
    const { user, field, typed, options } = await open();
    await user.keyboard('class:t');
    await waitFor(() => expect(options()).toEqual(['Top secret', 'Top']));
    await user.click(screen.getByRole('option', { name: 'Top' }));
    expect(typed()).toBe('class:"Top" ');
    expect(document.activeElement).toBe(field);
    await user.keyboard('class:i');
    await user.click(await screen.findByRole('option', { name: 'Internal' }));
    expect(typed()).toBe('class:"Top" class:Internal ');
    await user.keyboard('class:def');
    await user.click(await screen.findByRole('option', { name: 'Default' }));
    expect(typed()).toBe('class:"Top" class:Internal class:"" ');
  });

  it('suggests colleagues by name and oneself, but only in a team', async () => {
    const { user, options, typed } = await open(inTeam());
    await screen.findByText('by:me');
    await user.keyboard('by:');
    expect(options()).toEqual(['You', 'Ruth Okafor', 'Tom']);
    await user.keyboard('oka{ArrowDown}{Enter}');
    expect(typed()).toBe('by:"Ruth Okafor" ');
    await user.keyboard('shared:');
    expect(options()).toEqual(['yes', 'no']);
  });

  it('suggests a name that two people share only once', async () => {
    const tom = { shown: 'Tom', isEnded: false };
    const people = [
      { ...tom, id: 21 },
      { ...tom, id: 22 },
    ];
    const { user, options } = await open({ ...inTeam(), 'team.people': () => ({ me: 1, people }) });
    await screen.findByText('by:me');
    await user.keyboard('by:');
    expect(options()).toEqual(['You', 'Tom']);
  });

  it('completes subfolders', async () => {
    const { user, typed, options } = await open();
    await user.keyboard('folder:');
    await waitFor(() => expect(options()).toEqual(['reports', 'my files']));
    await user.keyboard('{ArrowDown}{Tab}');
    expect(typed()).toBe('folder:reports/');
    await user.click(await screen.findByRole('option', { name: 'reports/2026' }));
    expect(typed()).toBe('folder:"reports/2026" ');
  });

  it('reports an unknown filter, with similar filters and the text itself', async () => {
    const { user, typed, options, container } = await open();
    await user.keyboard('clas:Internal');
    expect(await screen.findByText('“clas:” isn’t a filter.', { selector: '.search-hint *' })).toBeTruthy();
    expect(screen.getByRole('status', { name: 'Messages' }).textContent).toContain('isn’t a filter');
    expect(options().slice(0, 2)).toEqual(['class:', '"clas:Internal"']);
    await expectAccessible(container);
    await user.keyboard('{ArrowDown}{Enter}');
    expect(typed()).toBe('class:Internal');
    await user.keyboard('{Escape}foo:bar');
    await user.click(screen.getByRole('option', { name: '"foo:bar"' }));
    expect(typed()).toBe('"foo:bar" ');
    expect(screen.queryByText(/isn’t a filter/, { selector: '.search-hint *' })).toBeNull();
  });

  it('reports an invalid value, and offers valid ones', async () => {
    const { user, typed, options } = await open();
    await user.keyboard('kind:song a');
    // Below the field, which has room for the whole text.
    const selector = '.objects-search > .search-hint *';
    expect(screen.getByText('“song” isn’t a kind of file.', { selector })).toBeTruthy();
    expect(options()).toHaveLength(8);
    await user.click(screen.getByRole('option', { name: 'Archive' }));
    expect(typed()).toBe('kind:archive a');
  });
});

it('an empty result shows the reason and the allowed values', () => {
  setSearch('clas:x');
  renderInApp(<NothingFound search="clas:x" text="No objects match your search." />);
  expect(screen.getByText(/“clas:” isn’t a filter\./).textContent).toContain(
    'Filters are class, folder, kind, state, size, before, after. To search for the text itself, put it in quotes.',
  );
});

it('the bar shows how many of all rows a search has found', () => {
  renderInApp(<Topbar title="All objects" count={30} outOf={10_774} />);
  expect(screen.getByText('30 of 10,774')).toBeTruthy();
});
