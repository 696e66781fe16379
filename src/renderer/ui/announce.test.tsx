import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { announce, LiveRegions, useMessagesHeld } from './announce.tsx';

const messages = () => screen.getByRole('status', { name: 'Messages' });
const urgent = () => screen.getByRole('alert', { name: 'Urgent messages' });
const isSeen = (element: HTMLElement) => element.parentElement?.classList.contains('toast');

it('lets polite messages take turns, each seen and spoken', async () => {
  render(<LiveRegions />);
  act(() => {
    announce('Copied');
    announce('12 uploads done');
  });
  expect(messages().textContent).toBe('Copied');
  expect(isSeen(messages())).toBe(true);
  await waitFor(() => expect(messages().textContent).toBe('12 uploads done'));
  await waitFor(() => expect(messages().textContent).toBe(''));
});

describe('an urgent message', () => {
  it('can be closed', async () => {
    render(<LiveRegions />);
    act(() => void announce('b.pdf failed', 'assertive'));
    expect(isSeen(urgent())).toBe(true);
    await userEvent.click(screen.getByRole('button', { name: 'Close message' }));
    expect(urgent().textContent).toBe('');
  });

  it('goes after 10 s, but not from under the pointer or the focus', () => {
    vi.useFakeTimers();
    try {
      render(<LiveRegions />);
      act(() => void announce('b.pdf failed', 'assertive'));
      const close = screen.getByRole('button', { name: 'Close message' });
      act(() => close.focus());
      act(() => void vi.advanceTimersByTime(60_000));
      expect(isSeen(urgent())).toBe(true);
      act(() => close.blur());
      act(() => void vi.advanceTimersByTime(9_900));
      expect(isSeen(urgent())).toBe(true);
      act(() => void vi.advanceTimersByTime(200));
      expect(urgent().textContent).toBe('');
    } finally {
      vi.useRealTimers();
    }
  });

  it('is spoken but not seen over a question that came by itself, and seen afterwards', () => {
    function Question() {
      useMessagesHeld();
      return null;
    }
    const around = (question: boolean) => (
      <>
        <LiveRegions />
        {question && <Question />}
      </>
    );
    vi.useFakeTimers();
    try {
      const { rerender } = render(around(true));
      act(() => void announce('b.pdf failed', 'assertive'));
      act(() => void vi.advanceTimersByTime(60_000));
      expect(urgent().textContent).toBe('b.pdf failed');
      expect(isSeen(urgent())).toBe(false);
      rerender(around(false));
      expect(isSeen(urgent())).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it('comes before another that was not read to the end, which comes back when it is closed', async () => {
    render(<LiveRegions />);
    act(() => {
      announce('Offline', 'assertive', { isOnScreen: true });
      announce('b.pdf failed', 'assertive');
      announce('c.pdf failed', 'assertive');
      announce('c.pdf failed', 'assertive');
    });
    expect(urgent().textContent).toBe('c.pdf failed');
    await userEvent.click(screen.getByRole('button', { name: 'Close message' }));
    act(() => void announce('Offline', 'assertive', { isOnScreen: true }));
    expect(urgent().textContent).toBe('Offline');
    await waitFor(() => expect(urgent().textContent).toBe('b.pdf failed'));
    expect(isSeen(urgent())).toBe(true);
    await userEvent.click(screen.getByRole('button', { name: 'Close message' }));
    expect(urgent().textContent).toBe('');
  });

  it('is taken back when it is no longer so, and another one is not', () => {
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

it('only speaks what can be read elsewhere', () => {
  render(<LiveRegions />);
  act(() => void announce('Not reachable', 'assertive', { isOnScreen: true }));
  expect(urgent().textContent).toBe('Not reachable');
  expect(isSeen(urgent())).toBe(false);
});
