import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { announce, LiveRegions } from './announce.tsx';
import { Button, IconButton } from './Button.tsx';
import { ChoiceList, Segmented, Switch } from './Choice.tsx';
import { AlertDialog } from './Dialog.tsx';
import { expectAccessible } from '../../../test-support/renderer/expect-accessible.ts';
import { PasswordField } from './Field.tsx';
import { ContextMenu } from './Menu.tsx';
import { Select } from './Select.tsx';
import { Tabs } from './Tabs.tsx';
import { useFocusReturn } from './use-focus-return.ts';

it('exposes a select as a combobox named by its label, operable by keyboard', async () => {
  const onChange = vi.fn<(value: 'ask' | 'skip') => void>();
  const options = [
    { value: 'ask', label: 'Ask' },
    { value: 'skip', label: 'Skip' },
  ] as const;
  const { container } = render(
    <Select label="If it exists" value="ask" options={options} onChange={onChange} />,
  );
  const box = screen.getByRole('combobox', { name: 'If it exists' });
  expect(box.textContent).toContain('Ask');
  await expectAccessible(container);
  box.focus();
  await userEvent.keyboard('{Enter}{ArrowDown}{Enter}');
  expect(onChange).toHaveBeenCalledWith('skip');
});

it('exposes a token field as a masked textbox', async () => {
  const onChange = vi.fn<(value: string) => void>();
  render(<PasswordField label="Access token" value="" onChange={onChange} />);
  const field = screen.getByRole('textbox', { name: 'Access token' });
  expect(field.getAttribute('type')).toBe('password');
  await userEvent.type(field, 'x');
  expect(onChange).toHaveBeenCalledWith('x');
});

it('gives choices and switches their roles and states', async () => {
  const onChange = vi.fn<(value: string) => void>();
  const onSwitch = vi.fn<(on: boolean) => void>();
  const { container } = render(
    <>
      <Segmented
        label="Theme"
        value="light"
        choices={[
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
        onChange={onChange}
      />
      <ChoiceList
        label="What to do"
        value=""
        choices={[{ value: 'skip', label: 'Skip', text: 'Stays.' }]}
        onChange={onChange}
      />
      <Switch label="Notify when done" isSelected={false} onChange={onSwitch} />
    </>,
  );
  await expectAccessible(container);
  await userEvent.click(screen.getByRole('radio', { name: 'Dark' }));
  expect(onChange).toHaveBeenCalledWith('dark');
  await userEvent.click(screen.getByRole('switch', { name: 'Notify when done' }));
  expect(onSwitch).toHaveBeenCalledWith(true);
});

it('keeps the label as name of a tab; count and dot describe it', async () => {
  render(
    <Tabs
      label="Activity"
      selected="transfers"
      onSelect={() => undefined}
      tabs={[
        {
          id: 'transfers',
          label: 'Transfers',
          count: '5',
          need: 'bad',
          description: '5 transfers, 1 failed',
          content: 'here',
        },
      ]}
    />,
  );
  const tab = screen.getByRole('tab', { name: 'Transfers' });
  expect(tab).toHaveProperty('ariaSelected');
  expect(document.getElementById(tab.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    '5 transfers, 1 failed',
  );
  expect(screen.getByRole('tabpanel').textContent).toBe('here');
});

function Over({ orElse }: { orElse: () => void }) {
  useFocusReturn(orElse);
  return null;
}

function Asking({ onClose, isOnce = false }: { onClose: () => void; isOnce?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <main tabIndex={-1}>
      {!(isOnce && isOpen) && <Button onPress={() => setOpen(true)}>Ask</Button>}
      <AlertDialog
        isOpen={isOpen}
        onClose={() => {
          setOpen(false);
          onClose();
        }}
        title="Delete 3 objects?"
        buttons={<Button kind="fatal">Delete</Button>}
      >
        <p>This cannot be undone.</p>
      </AlertDialog>
    </main>
  );
}

it('traps focus in a dialog, names it, and restores focus afterwards', async () => {
  const onClose = vi.fn<() => void>();
  render(<Asking onClose={onClose} />);
  await userEvent.click(screen.getByRole('button', { name: 'Ask' }));
  const dialog = screen.getByRole('alertdialog', { name: 'Delete 3 objects?' });
  expect(dialog.contains(document.activeElement)).toBe(true);
  await expectAccessible(dialog);
  await userEvent.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Ask' })));
});

it('leaves the focus to the main part when the button that opened a dialog is gone', async () => {
  render(<Asking isOnce onClose={() => undefined} />);
  await userEvent.click(screen.getByRole('button', { name: 'Ask' }));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')));
});

it('calls orElse instead of returning the focus to the main part, which only kept it', async () => {
  const orElse = vi.fn<() => void>();
  const { rerender } = render(<main tabIndex={-1} />);
  screen.getByRole('main').focus();
  rerender(
    <main tabIndex={-1}>
      <Over orElse={orElse} />
    </main>,
  );
  rerender(<main tabIndex={-1} />);
  await waitFor(() => expect(orElse).toHaveBeenCalledOnce());
});

it('runs the entry of a context menu chosen by keyboard', async () => {
  const onAction = vi.fn<() => void>();
  const onClose = vi.fn<() => void>();
  render(
    <ContextMenu
      at={{ x: 10, y: 10 }}
      label="Selected objects"
      onClose={onClose}
      entries={[
        { id: 'check', label: 'Check', keys: 'F5', onAction },
        'line',
        { id: 'delete', label: 'Delete', kind: 'bad', onAction },
      ]}
    />,
  );
  expect(screen.getByRole('menu', { name: 'Selected objects' })).toBeTruthy();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(onAction).toHaveBeenCalledOnce();
  expect(onClose).toHaveBeenCalled();
});

it('announces once, politely or assertively', async () => {
  render(<LiveRegions />);
  announce('3 objects copied');
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('3 objects copied'));
  announce('The connection broke.', 'assertive');
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('The connection broke.'));
});

it('names an icon button', () => {
  render(<IconButton icon="panel" label="Hide activity" />);
  expect(screen.getByRole('button', { name: 'Hide activity' })).toBeTruthy();
});
