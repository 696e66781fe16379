import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { announce, LiveRegions } from './announce.tsx';

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
  await waitFor(() => expect(messages().textContent).toBe('12 uploads done'), { timeout: 10_000 });
  await waitFor(() => expect(messages().textContent).toBe(''), { timeout: 10_000 });
});

it('keeps an urgent message until it is closed', async () => {
  render(<LiveRegions />);
  act(() => announce('b.pdf failed', 'assertive'));
  expect(isSeen(urgent())).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Close message' }));
  expect(urgent().textContent).toBe('');
});

it('only speaks what can be read elsewhere', () => {
  render(<LiveRegions />);
  act(() => announce('Not reachable', 'assertive', { isOnScreen: true }));
  expect(urgent().textContent).toBe('Not reachable');
  expect(isSeen(urgent())).toBe(false);
});
