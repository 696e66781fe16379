import { act, screen, waitFor } from '@testing-library/react';
import { createRef } from 'react';
import { describe, expect, it, vi } from 'vitest';
import type { Classifications } from '../../../shared/contract.ts';
import { expectAccessible, renderInApp, type Answers } from '../../../../test-support/renderer/testing.tsx';
import { LiveRegions } from '../../ui/announce.tsx';
import { ClassificationPicker, type ClassificationPickerHandle } from './ClassificationPicker.tsx';

const known: Classifications = {
  values: [
    { value: 'Public', description: 'May be shown to anyone' },
    { value: 'Internal', description: null },
    { value: 'Restricted', description: 'For named people only' },
  ],
  recent: ['Restricted'],
  start: 'Internal',
  preferred: 'Internal',
  error: null,
};

async function open(answer: Partial<Classifications> = {}, others: Answers = {}) {
  const onChange = vi.fn<(value: string | null, by: string) => void>();
  const handle = createRef<ClassificationPickerHandle>();
  const rendered = renderInApp(
    <main>
      <ClassificationPicker ref={handle} serviceId="p1" folder="reports" onChange={onChange} />
      <LiveRegions />
    </main>,
    { 'classifications.list': () => ({ ...known, ...answer }), ...others },
  );
  await waitFor(() => expect(onChange).toHaveBeenCalled());
  const box = screen.getByRole('combobox', { name: 'Classification' });
  return { ...rendered, box, handle, onChange };
}

const question = 'Not on the service’s list. Send it anyway?';
const optionNames = () => screen.getAllByRole('option').map(({ textContent }) => textContent);

it('begins with what was chosen as default, and offers the service default first and recent choices on top', async () => {
  const { box, onChange, user, container } = await open();
  await expectAccessible(container);
  expect(onChange).toHaveBeenLastCalledWith('Internal', 'default');
  expect(box).toHaveProperty('value', 'Internal');
  await user.click(box);
  expect(optionNames()).toEqual([
    'DefaultThe service chooses the classification',
    'RestrictedFor named people only',
    'PublicMay be shown to anyone',
    'Internal',
    'RestrictedFor named people only',
  ]);
  await expectAccessible(screen.getByRole('listbox'));
});

it('searches names and descriptions, and takes one with the arrow keys', async () => {
  const { box, onChange, user } = await open();
  await user.click(box);
  await user.clear(box);
  await user.paste('shown');
  expect(optionNames()).toEqual(['PublicMay be shown to anyone']);
  await user.keyboard('{ArrowDown}{Enter}');
  expect(screen.queryByRole('option')).toBeNull();
  expect(box).toHaveProperty('value', 'Public');
  expect(onChange).toHaveBeenLastCalledWith('Public', 'person');
});

it('keeps the list open when what is typed is listed', async () => {
  const { box, user } = await open();
  await user.click(box);
  await user.clear(box);
  await user.type(box, 'Public');
  await user.click(screen.getByRole('option', { name: /^Public/ }));
  expect(box).toHaveProperty('value', 'Public');
});

const noList = { values: [], recent: [], start: null, preferred: null };

it('sends free text unchanged where no list is published, whichever way it is left', async () => {
  const { box, onChange, user } = await open(noList);
  await user.clear(box);
  await user.paste(' Top secret+%/');
  await user.keyboard('{Enter}');
  await user.tab();
  expect(box).toHaveProperty('value', ' Top secret+%/');
  expect(onChange).toHaveBeenLastCalledWith(' Top secret+%/', 'person');
  expect(screen.queryByText(question)).toBeNull();
});

it('takes what was typed from the list, and closes it', async () => {
  const { box, onChange, user } = await open(noList);
  await user.clear(box);
  await user.type(box, 'Mine');
  await user.keyboard('{ArrowDown}{Enter}');
  expect(screen.queryByRole('option')).toBeNull();
  expect(box).toHaveProperty('value', 'Mine');
  expect(onChange).toHaveBeenLastCalledWith('Mine', 'person');
});

it('has its text selected when it is clicked, so that typing takes its place', async () => {
  const { box, onChange, user } = await open();
  await user.click(box);
  await user.keyboard('Public');
  expect(box).toHaveProperty('value', 'Public');
  await user.tab();
  expect(onChange).toHaveBeenLastCalledWith('Public', 'person');
  expect(screen.queryByText(question)).toBeNull();
});

describe('what is not on the published list', () => {
  it('asks about it when the field is left, and goes back to what was there by default', async () => {
    const { box, onChange, user, container } = await open();
    await user.click(box);
    await user.keyboard('zzz');
    expect(screen.queryByText(question)).toBeNull();
    await user.tab();
    expect(screen.getByText(question).role).toBe('alert');
    expect(screen.queryByRole('button', { name: 'Make default…' })).toBeNull();
    await expectAccessible(container);
    await user.click(screen.getByRole('button', { name: 'Keep Internal' }));
    expect(screen.queryByText(question)).toBeNull();
    expect(box).toHaveProperty('value', 'Internal');
    expect(onChange).toHaveBeenLastCalledWith('Internal', 'person');
    expect(onChange).not.toHaveBeenCalledWith('zzz', 'person');
  });

  it('Enter asks for confirmation, with focus on Keep', async () => {
    const { box, onChange, user } = await open();
    await user.click(box);
    await user.keyboard('zzz{Enter}');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Keep Internal' }));
    await user.tab();
    await user.keyboard('{Enter}');
    expect(box).toHaveProperty('value', 'zzz');
    expect(onChange).toHaveBeenLastCalledWith('zzz', 'person');
    // Confirmed already: it does not ask twice.
    await user.click(box);
    await user.tab();
    expect(screen.queryByText(question)).toBeNull();
  });

  it('settle() asks about it, and is false until it is answered', async () => {
    const { box, user, handle } = await open();
    expect(handle.current?.finish()).toBe(true);
    await user.click(box);
    await user.keyboard('zzz');
    let isSettled: boolean | undefined;
    act(() => void (isSettled = handle.current?.finish()));
    expect(isSettled).toBe(false);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Keep Internal' }));
    await user.keyboard('{Enter}');
    expect(handle.current?.finish()).toBe(true);
  });

  it('Escape restores the previous value and leaves the field', async () => {
    const { box, onChange, user } = await open();
    await user.click(box);
    await user.keyboard('zzz{Escape}');
    expect(box).toHaveProperty('value', 'Internal');
    expect(document.activeElement).not.toBe(box);
    expect(onChange).toHaveBeenLastCalledWith('Internal', 'person');
  });
});

it('goes back to the service default when it is emptied', async () => {
  const { box, onChange, user } = await open();
  await user.clear(box);
  await user.tab();
  expect(onChange).toHaveBeenLastCalledWith(null, 'person');
});

it('never blocks when the list cannot be loaded', async () => {
  let isThere = false;
  const { box, onChange, user } = await open(
    {},
    {
      'classifications.list': () =>
        isThere
          ? known
          : {
              ...known,
              values: [],
              recent: [],
              start: null,
              preferred: null,
              error: { code: 'unreachable', host: 'h', reason: 'refused' },
            },
    },
  );
  await screen.findByText(/^Can’t reach the service. The list couldn’t be loaded\./);
  await user.clear(box);
  await user.paste('Mine');
  expect(onChange).toHaveBeenLastCalledWith('Mine', 'person');
  isThere = true;
  await user.tab();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByText(/couldn’t be loaded/)).toBeNull());
  expect(box).toHaveProperty('value', 'Mine');
});

it('remembers a default for the service or the folder', async () => {
  const { box, main, user } = await open({}, { 'classifications.setPreferred': () => undefined });
  expect(screen.queryByRole('button', { name: 'Make default…' })).toBeNull();
  await user.clear(box);
  await user.paste('Public');
  await user.tab();
  await user.click(screen.getByRole('button', { name: 'Make default…' }));
  await user.click(screen.getByRole('menuitem', { name: 'For reports' }));
  await screen.findByText('Public is now the default');
  expect(main.calls.at(-1)).toEqual({
    name: 'classifications.setPreferred',
    input: { serviceId: 'p1', folder: 'reports', value: 'Public' },
  });
  expect(screen.queryByRole('button', { name: 'Make default…' })).toBeNull();
});
