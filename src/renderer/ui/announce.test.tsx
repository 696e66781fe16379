import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { announce, LiveRegions, useMessagesHeld } from './announce.tsx';
import { Dialog } from './Dialog.tsx';

const messages = () => screen.getByRole('status', { name: 'Messages' });
const urgent = () => screen.getByRole('alert', { name: 'Urgent messages' });
const isSeen = (element: HTMLElement) => element.parentElement?.classList.contains('toast');
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
const close = () => userEvent.click(screen.getByRole('button', { name: 'Close message' }));

const withDialog = (isOpen: boolean) => (
  <>
    <LiveRegions />
    <Dialog isOpen={isOpen} onClose={() => undefined} title="Question" buttons={null}>
      {null}
    </Dialog>
  </>
);

// Timers must also advance by themselves: a user-event press takes a moment.
beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => void vi.useRealTimers());

it('shows and speaks polite messages one after another', () => {
  render(<LiveRegions />);
  act(() => {
    announce('Copied');
    announce('12 uploads done');
  });
  expect(messages().textContent).toBe('Copied');
  expect(isSeen(messages())).toBe(true);
  pass(1500);
  expect(messages().textContent).toBe('12 uploads done');
  pass(4000);
  expect(messages().textContent).toBe('');
});

it('shows no tick before something is done', () => {
  const { container } = render(<LiveRegions />);
  const isDone = () => container.querySelector('.toast--ok') !== null;
  act(() => void announce('Deleting 3 objects', 'polite', { hasBegun: true }));
  expect(isSeen(messages())).toBe(true);
  expect(isDone()).toBe(false);
  pass(4000);
  act(() => void announce('3 deleted'));
  expect(isDone()).toBe(true);
});

it('shows an urgent message soon, although a polite one is on show', () => {
  render(<LiveRegions />);
  act(() => void announce('12 uploads done'));
  pass(1000);
  act(() => void announce('b.pdf failed', 'assertive'));
  pass(1500);
  expect(messages().textContent).toBe('');
  expect(isSeen(urgent())).toBe(true);
});

it('leaves a message with a button its time, although an urgent one waits', () => {
  render(<LiveRegions />);
  act(() => {
    announce('12 downloaded', 'polite', { act: { label: 'Show in folder', run: () => undefined } });
    announce('b.pdf failed', 'assertive');
  });
  pass(7000);
  expect(messages().textContent).toBe('12 downloaded');
  pass(1000);
  expect(isSeen(urgent())).toBe(true);
});

it('leaves a message with a button for four seconds when another polite one follows', () => {
  render(<LiveRegions />);
  act(() => {
    announce('12 downloaded', 'polite', { act: { label: 'Show in folder', run: () => undefined } });
    announce('3 uploads done');
  });
  pass(3900);
  expect(messages().textContent).toBe('12 downloaded');
  pass(100);
  expect(messages().textContent).toBe('3 uploads done');
});

it('shows a message at once, although others are being spoken', () => {
  render(<LiveRegions />);
  act(() => {
    announce('3 selected', 'polite', { isOnScreen: true });
    announce('4 selected', 'polite', { isOnScreen: true });
  });
  expect(messages().textContent).toBe('3 selected');
  expect(isSeen(messages())).toBe(false);
  act(() => void announce('12 downloaded'));
  expect(screen.getByText('12 downloaded').closest('.visually-hidden')).toBeNull();
  expect(screen.getByText('3 selected').closest('.visually-hidden')).not.toBeNull();
  pass(1500);
  expect(messages().textContent).toBe('12 downloaded4 selected');
});

it('speaks a message while a dialog is open, and shows it afterwards', () => {
  const { rerender } = render(withDialog(true));
  act(() => void announce('12 downloaded'));
  pass(60_000);
  expect(messages().textContent).toBe('12 downloaded');
  expect(isSeen(messages())).toBe(false);
  rerender(withDialog(false));
  expect(isSeen(messages())).toBe(true);
  pass(4000);
  expect(messages().textContent).toBe('');
});

it('shows a message again after a dialog only if it had not been read before', () => {
  const { rerender } = render(withDialog(false));
  act(() => void announce('Archive is connected.'));
  pass(1500);
  rerender(withDialog(true));
  rerender(withDialog(false));
  expect(messages().textContent).toBe('');
  act(() => void announce('12 downloaded'));
  pass(1000);
  rerender(withDialog(true));
  rerender(withDialog(false));
  expect(messages().textContent).toBe('12 downloaded');
  expect(isSeen(messages())).toBe(true);
});

it('shows a polite message with a button for longer, and as long as it is hovered or focused', async () => {
  render(<LiveRegions />);
  const run = vi.fn<() => void>();
  act(() => void announce('12 downloaded', 'polite', { act: { label: 'Show in folder', run } }));
  pass(7_900);
  const button = screen.getByRole('button', { name: 'Show in folder' });
  act(() => button.focus());
  pass(60_000);
  expect(isSeen(messages())).toBe(true);
  await userEvent.click(button);
  expect(run).toHaveBeenCalledOnce();
  expect(messages().textContent).toBe('');
  act(() => void announce('Copied'));
  pass(4_000);
  expect(messages().textContent).toBe('');
});

it('keeps a message in place when a dialog opens, and places a later one clear of its buttons', () => {
  const { container } = render(<LiveRegions />);
  const isOver = () => container.querySelector('.toasts')?.classList.contains('toasts--over');
  act(() => void announce('a.pdf failed', 'assertive'));
  const dialog = document.createElement('div');
  dialog.className = 'scrim';
  document.body.append(dialog);
  pass(100);
  expect(isOver()).toBe(false);
  act(() => void announce('b.pdf failed', 'assertive'));
  expect(isOver()).toBe(true);
  dialog.remove();
});

describe('an urgent message', () => {
  it('can be closed', async () => {
    render(<LiveRegions />);
    act(() => void announce('b.pdf failed', 'assertive'));
    expect(isSeen(urgent())).toBe(true);
    await close();
    expect(urgent().textContent).toBe('');
  });

  it('closes after 10 s, unless hovered or focused', () => {
    render(<LiveRegions />);
    act(() => void announce('b.pdf failed', 'assertive'));
    const button = screen.getByRole('button', { name: 'Close message' });
    act(() => button.focus());
    pass(60_000);
    expect(isSeen(urgent())).toBe(true);
    act(() => button.blur());
    pass(9_900);
    expect(isSeen(urgent())).toBe(true);
    pass(200);
    expect(urgent().textContent).toBe('');
  });

  it('speaks it but hides it behind a dialog that opens by itself, and shows it afterwards', () => {
    function Question() {
      useMessagesHeld('assertive');
      return null;
    }
    const around = (question: boolean) => (
      <>
        <LiveRegions />
        {question && <Question />}
      </>
    );
    const { rerender } = render(around(true));
    act(() => void announce('b.pdf failed', 'assertive'));
    pass(60_000);
    expect(urgent().textContent).toBe('b.pdf failed');
    expect(isSeen(urgent())).toBe(false);
    rerender(around(false));
    expect(isSeen(urgent())).toBe(true);
  });

  it('replaces an unread message, which returns when it is closed', async () => {
    render(<LiveRegions />);
    act(() => {
      announce('Offline', 'assertive', { isOnScreen: true });
      announce('b.pdf failed', 'assertive');
      announce('c.pdf failed', 'assertive');
      announce('c.pdf failed', 'assertive');
    });
    expect(urgent().textContent).toBe('c.pdf failed');
    await close();
    act(() => void announce('Offline', 'assertive', { isOnScreen: true }));
    expect(urgent().textContent).toBe('Offline');
    pass(1500);
    expect(urgent().textContent).toBe('b.pdf failed');
    expect(isSeen(urgent())).toBe(true);
    await close();
    expect(urgent().textContent).toBe('');
  });

  it('withdraws it without touching a newer one', () => {
    render(<LiveRegions />);
    let takeBack = () => undefined as void;
    act(() => {
      takeBack = announce('b.pdf failed', 'assertive');
    });
    act(() => takeBack());
    expect(urgent().textContent).toBe('');
    act(() => void announce('c.pdf failed', 'assertive'));
    act(() => takeBack());
    expect(urgent().textContent).toBe('c.pdf failed');
  });
});

it('only speaks what is already on screen', () => {
  render(<LiveRegions />);
  act(() => void announce('Not reachable', 'assertive', { isOnScreen: true }));
  expect(urgent().textContent).toBe('Not reachable');
  expect(isSeen(urgent())).toBe(false);
});
