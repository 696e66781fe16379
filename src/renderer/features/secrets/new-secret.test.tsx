import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { AppFailure } from '../../../shared/app-failure.ts';
import { runCommand } from '../../app/commands.ts';
import { usePlace } from '../../app/place.ts';
import { useActiveService } from '../../app/stores.ts';
import {
  expectAccessible,
  renderInApp,
  testService,
  type Answers,
} from '../../../../test-support/renderer/testing.tsx';
import { DropTarget } from '../upload/DropTarget.tsx';
import { NewSecret } from './NewSecret.tsx';
import { secretSizeText, utf8Length } from './secret-size.ts';

beforeEach(() => usePlace.setState(usePlace.getInitialState(), true));

function ActiveName() {
  return <p role="note">{useActiveService()?.name}</p>;
}

async function openDialog(answers: Answers = {}) {
  const app = renderInApp(
    <>
      <NewSecret />
      <DropTarget />
      <ActiveName />
    </>,
    { 'secrets.store': ({ identifier }) => ({ transferId: 1, identifier }), ...answers },
  );
  await waitFor(() => {
    act(() => void runCommand('newSecret'));
    expect(screen.getByRole('dialog', { name: 'New secret' })).toBeTruthy();
  });
  const dialog = screen.getByRole('dialog', { name: 'New secret' });
  const field = (name: string) => within(dialog).getByRole<HTMLTextAreaElement>('textbox', { name });
  const button = (name: string) => within(dialog).getByRole<HTMLButtonElement>('button', { name });
  /** Pastes rather than types or clicks: every keystroke and each event of the pointer re-renders the dialog. */
  const write = async (name: string, text: string) => {
    act(() => field(name).focus());
    await app.user.paste(text);
  };
  return { ...app, dialog, field, button, write };
}

function drop(target: Element, files: File[]) {
  fireEvent.drop(target, { dataTransfer: { files, items: [], types: ['Files'] } });
}

describe('new secret', () => {
  it('stores the typed value and discards it', async () => {
    const { main, user, field, button, dialog } = await openDialog();
    expect(document.activeElement).toBe(field('Identifier'));
    expect(button('Store secret').disabled).toBe(true);
    // Shown before anything is entered.
    expect(dialog.textContent).toContain('A stored secret can’t be replaced or deleted.');
    await user.type(field('Identifier'), 'db/key');
    expect(dialog.textContent).toContain('Enter a value.');
    await user.type(field('Value'), 'pässwörd');
    expect(dialog.textContent).toContain('10 of 10,000 bytes');
    expect(dialog.textContent).toContain('The value isn’t kept on this computer.');
    await expectAccessible(document.body);
    await user.click(button('Store secret'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(main.calls.findLast(({ name }) => name === 'secrets.store')?.input).toEqual({
      serviceId: 'p1',
      identifier: 'db/key',
      classification: null,
      source: { kind: 'text', text: 'pässwörd' },
    });
    expect(document.documentElement.outerHTML).not.toContain('pässwörd');
    expect(usePlace.getState()).toMatchObject({ view: 'objects', kind: 'secret' });
  });

  it('Ctrl+Enter in any field stores it once it is complete', async () => {
    const { main, user, write } = await openDialog();
    await write('Identifier', 'db/key');
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(main.calls.some(({ name }) => name === 'secrets.store')).toBe(false);
    await write('Value', 'swordfish');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(main.calls.filter(({ name }) => name === 'secrets.store')).toHaveLength(1);
  });

  it('starts with the default classification, not with that of the last upload', async () => {
    const { main, user, button, dialog, write } = await openDialog({
      'classifications.list': () => ({
        values: [],
        recent: ['Public'],
        start: 'Public',
        preferred: 'Restricted',
        error: null,
      }),
    });
    const classification = await within(dialog).findByRole<HTMLInputElement>('combobox', {
      name: 'Classification',
    });
    await waitFor(() => expect(classification.value).toBe('Restricted'));
    await write('Identifier', 'db/key');
    await write('Value', 'swordfish');
    await user.click(button('Store secret'));
    await waitFor(() =>
      expect(main.calls.findLast(({ name }) => name === 'secrets.store')?.input).toMatchObject({
        classification: 'Restricted',
      }),
    );
  });

  it('stays with the service it was opened for', async () => {
    const services = [testService, { ...testService, id: 'p2', name: 'Harbour' }];
    let activeId = 'p1';
    const { main, user, button, dialog, write } = await openDialog({
      'services.list': () => ({ revision: activeId === 'p1' ? 1 : 2, services, activeId }),
    });
    await write('Identifier', 'db/key');
    await write('Value', 'swordfish');
    activeId = 'p2';
    act(() => main.emit('services.changed', { revision: 2 }));
    await waitFor(() => expect(screen.getByRole('note', { hidden: true }).textContent).toBe('Harbour'));
    expect(dialog.textContent).toContain(testService.name);
    await user.click(button('Store secret'));
    await waitFor(() =>
      expect(main.calls.find(({ name }) => name === 'secrets.store')?.input).toMatchObject({
        serviceId: 'p1',
      }),
    );
  });

  it('forgets the value when it is closed', async () => {
    const { user, write } = await openDialog();
    await write('Value', 'swordfish');
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    act(() => void runCommand('newSecret'));
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Value' }).value).toBe('');
    expect(document.documentElement.outerHTML).not.toContain('swordfish');
  });

  it('Escape loses nothing: it restores the name first, then asks', async () => {
    const { user, field, dialog, write } = await openDialog();
    await write('Identifier', 'db/key');
    await write('Value', 'swordfish');
    await user.type(field('Identifier'), '-typo{Escape}');
    expect(field('Identifier').value).toBe('db/key');
    expect(document.activeElement).toBe(dialog);
    await user.keyboard('{Escape}');
    const question = screen.getByRole('alertdialog', { name: 'Discard this secret?' });
    expect(document.activeElement).toBe(within(question).getByRole('button', { name: 'Keep editing' }));
    await user.keyboard('{Enter}');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(field('Value').value).toBe('swordfish');
    await user.click(field('Identifier'));
    await user.keyboard('{Escape}{Escape}');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(dialog.isConnected).toBe(true);
  });

  it('closes with Escape when nothing was entered', async () => {
    const { user } = await openDialog();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('masks it until shown, and again when the window is left', async () => {
    const { main, user, button, field } = await openDialog();
    const isMasked = () => field('Value').getAttribute('type') === 'password';
    expect(isMasked()).toBe(true);
    await user.click(button('Show the value'));
    expect(isMasked()).toBe(false);
    act(() => main.emit('secrets.hide', undefined));
    expect(isMasked()).toBe(true);
  });

  it('keeps every pasted line, covered and out of the page', async () => {
    const { user, field, button, main, dialog, write } = await openDialog();
    await write('Identifier', 'key.pem');
    await user.type(field('Value'), 'x');
    await user.paste('-----BEGIN\r\nswordfish\nEND-----\n');
    expect(dialog.textContent).toContain('4 lines, covered');
    expect(document.documentElement.outerHTML).not.toContain('swordfish');
    await expectAccessible(document.body);
    await user.click(button('Show'));
    expect(field('Value').tagName).toBe('TEXTAREA');
    await user.click(button('Hide the value'));
    await user.click(button('Store secret'));
    await waitFor(() =>
      expect(main.calls.findLast(({ name }) => name === 'secrets.store')?.input).toMatchObject({
        source: { kind: 'text', text: 'x-----BEGIN\r\nswordfish\nEND-----\n' },
      }),
    );
  });

  it('keeps the focus at the value when its control is replaced', async () => {
    const { user, field, button, dialog } = await openDialog();
    const focused = () => document.activeElement;
    await user.click(field('Value'));
    await user.paste('a\nb');
    await waitFor(() => expect(focused()).toBe(button('Show')));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(focused()).toBe(field('Value')));
    expect(field('Value').tagName).toBe('TEXTAREA');
    button('Hide the value').focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(focused()).toBe(button('Show')));
    button('Remove value').focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(focused()).toBe(field('Value')));
    drop(dialog, [new File(['12345'], 'site.pem')]);
    await waitFor(() => expect(focused()).toBe(button('Remove file')));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(focused()).toBe(field('Value')));
    // It does not take the focus from another field either.
    await user.click(field('Identifier'));
    drop(dialog, [new File(['12345'], 'other.pem')]);
    await within(dialog).findByText('other.pem');
    expect(focused()).toBe(field('Identifier'));
  });

  it('explains what can be done with a binary file, and replaces the name of the previous file', async () => {
    const { dialog, field } = await openDialog({
      'secrets.inspect': ({ grant }) => ({ isText: grant.endsWith('.pem') }),
    });
    drop(dialog, [new File(['12345'], 'site.pem')]);
    await within(dialog).findByText('The file is stored unchanged.');
    drop(dialog, [new File(['12345'], 'site.der')]);
    await within(dialog).findByText(/^Not text\. .* can later be saved as a file but not copied\.$/);
    expect(field('Identifier').value).toBe('site.der');
  });

  it('forgets several lines with Remove', async () => {
    const { user, field, button } = await openDialog();
    await user.click(field('Value'));
    await user.paste('a\nb');
    await user.click(button('Remove value'));
    expect(field('Value').value).toBe('');
  });

  it('counts bytes, notes what may be refused, and refuses what is too large before it is sent', async () => {
    const { user, field, button, dialog } = await openDialog();
    await user.type(field('Identifier'), 'a');
    fireEvent.change(field('Value'), { target: { value: 'é'.repeat(5001) } });
    expect(dialog.textContent).toContain('10,002 of 10,000 bytes');
    expect(dialog.textContent).toContain('Over 10,000 bytes: the service may refuse it.');
    expect(button('Store secret').disabled).toBe(false);
    fireEvent.change(field('Value'), { target: { value: 'é'.repeat(5121) } });
    expect(dialog.textContent).toContain('Too large. The service accepts up to 10,240 bytes.');
    expect(button('Store secret').disabled).toBe(true);
    expect(secretSizeText(10_240, null).problem).toBeNull();
    expect(secretSizeText(513, 512).problem).toBe('Too large. The service accepts up to 512 bytes.');
    expect(utf8Length('a\u{1F4E6}')).toBe(5);
  });

  it("shows the problem of an identifier below it, including main's errors", async () => {
    const { user, field, button, write } = await openDialog({
      'secrets.store': () => {
        throw new AppFailure({ code: 'exists', status: 409, message: '' });
      },
    });
    await user.type(field('Identifier'), '..');
    expect(field('Identifier').getAttribute('aria-invalid')).toBe('true');
    await user.clear(field('Identifier'));
    await write('Identifier', 'db/key');
    await user.type(field('Value'), 'x');
    await user.click(button('Store secret'));
    await screen.findByText(/A secret with this identifier is already in the list/);
    expect(field('Value').value).toBe('x');
    await user.type(field('Identifier'), '2');
    expect(field('Identifier').getAttribute('aria-invalid')).toBeNull();
  });

  it('says who claims that a name exists, and stores it anyway on request', async () => {
    const { main, user, button, dialog, write } = await openDialog({
      'secrets.store': ({ identifier, storesUnseen }) => {
        if (storesUnseen !== true)
          throw new AppFailure({ code: 'exists', status: 409, message: '', isUnseen: true });
        return { transferId: 1, identifier };
      },
      'secrets.nextVersion': ({ identifier }) => ({ identifier: `${identifier}@2` }),
    });
    await write('Identifier', 'db/key');
    await write('Value', 'swordfish');
    await user.click(button('Store secret'));
    await screen.findByText(/is on the list, but was never used here/);
    expect(await within(dialog).findByRole('button', { name: 'Store as a new version' })).toBeTruthy();
    await expectAccessible(document.body);
    await user.click(button('Store anyway'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(main.calls.findLast(({ name }) => name === 'secrets.store')?.input).toEqual({
      serviceId: 'p1',
      identifier: 'db/key',
      classification: null,
      source: { kind: 'text', text: 'swordfish' },
      storesUnseen: true,
    });
  });

  it('offers only a new version for an existing name', async () => {
    const { main, user, field, button, dialog, write } = await openDialog({
      'secrets.store': ({ asNewVersion }) => {
        if (asNewVersion !== true) throw new AppFailure({ code: 'exists', status: 409, message: '' });
        return { transferId: 1, identifier: 'db/key@3' };
      },
      'secrets.nextVersion': ({ identifier }) => ({ identifier: `${identifier}@3` }),
    });
    await write('Identifier', 'db/key');
    await write('Value', 'swordfish');
    await user.click(button('Store secret'));
    const store = await within(dialog).findByRole('button', { name: 'Store as a new version' });
    expect(dialog.textContent).toContain('It will be stored as db/key@3. The secret in the list stays.');
    await expectAccessible(document.body);
    await user.type(field('Identifier'), 's');
    expect(button('Store secret').disabled).toBe(false);
    await user.type(field('Identifier'), '{Backspace}');
    await user.click(button('Store secret'));
    await waitFor(() => expect(button('Store as a new version')).toBeTruthy());
    expect(store).toBeTruthy();
    await user.click(button('Store as a new version'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(main.calls.findLast(({ name }) => name === 'secrets.store')?.input).toMatchObject({
      identifier: 'db/key',
      asNewVersion: true,
      source: { kind: 'text', text: 'swordfish' },
    });
    expect(document.documentElement.outerHTML).not.toContain('swordfish');
  });

  it('takes the name of a dropped file if none was entered', async () => {
    const { field, dialog } = await openDialog();
    drop(dialog, [new File(['12345'], 'site.pem')]);
    await within(dialog).findByText('site.pem');
    expect(field('Identifier').value).toBe('site.pem');
  });

  it('takes one file that is dropped, by name and size, and sends its grant', async () => {
    const { main, user, field, button, dialog, write } = await openDialog();
    await write('Identifier', 'certs/site');
    drop(dialog, [new File(['12345'], 'site.pem')]);
    await within(dialog).findByText('site.pem');
    expect(dialog.textContent).toContain('5 of 10,000 bytes');
    await expectAccessible(document.body);
    await user.click(button('Remove file'));
    expect(field('Value').value).toBe('');
    drop(dialog, [new File(['12345'], 'site.pem')]);
    await within(dialog).findByText('site.pem');
    await user.click(button('Store secret'));
    await waitFor(() =>
      expect(main.calls.findLast(({ name }) => name === 'secrets.store')?.input).toMatchObject({
        source: { kind: 'grant', grant: 'site.pem' },
      }),
    );
  });

  it('starts with a file dropped on the list of secrets', async () => {
    usePlace.setState({ kind: 'secret' });
    renderInApp(
      <>
        <NewSecret />
        <DropTarget />
      </>,
    );
    await waitFor(() => {
      drop(document.body, [new File(['12345'], 'site.pem')]);
      expect(screen.getByRole('dialog', { name: 'New secret' })).toBeTruthy();
    });
    expect(await screen.findByText('site.pem')).toBeTruthy();
  });

  it('generates a password or a passphrase with the chosen options', async () => {
    const wishes: unknown[] = [];
    const { user, field, button, dialog } = await openDialog({
      'secrets.generate': (wish) => {
        wishes.push(wish);
        return { text: `${wish.kind}-${wishes.length}` };
      },
    });
    await user.click(button('Generate'));
    await waitFor(() => expect(field('Value').value).toBe('password-1'));
    // Nobody has seen it before.
    expect(field('Value').type).toBe('textarea');
    await user.click(within(dialog).getByRole('checkbox', { name: 'Symbols' }));
    await waitFor(() => expect(field('Value').value).toBe('password-2'));
    await user.click(within(dialog).getByRole('radio', { name: 'Passphrase' }));
    await waitFor(() => expect(field('Value').value).toBe('passphrase-3'));
    await expectAccessible(document.body);
    expect(wishes).toEqual([
      { kind: 'password', length: 24, capitals: true, digits: true, symbols: true },
      { kind: 'password', length: 24, capitals: true, digits: true, symbols: false },
      { kind: 'passphrase', words: 6 },
    ]);
  });

  it('uses the exact limit of a service', async () => {
    const { field, dialog } = await openDialog({
      'services.list': () => ({
        revision: 1,
        services: [{ ...testService, maxSecretBytes: 4 }],
        activeId: 'p1',
      }),
    });
    fireEvent.change(field('Value'), { target: { value: '12345' } });
    expect(dialog.textContent).toContain('5 of 4 bytes');
    expect(dialog.textContent).toContain('Too large. The service accepts up to 4 bytes.');
  });
});
