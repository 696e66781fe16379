import { useEffect, useRef } from 'react';
import type { Approval } from '../../../shared/domain/approval.ts';
import { approvalTexts as texts } from './approval-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { useClient, type Client } from '../../app/client.ts';
import { createRemoteStore } from '../../app/remote-store.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useFeatureStore, useRemoteStore } from '../../app/stores.ts';
import { isFocusLost } from '../../ui/focus.ts';

const none: readonly Approval[] = [];

/** What programs may have, and what they ask for. */
export const createApprovals = (client: Client) =>
  createRemoteStore({
    subscribe: (changed) => client.on('approvals.changed', () => changed()),
    load: () => client.call('approvals.list'),
  });

/** Current approvals. Main ends them by time without an event, so they are loaded again when the next one expires. */
export function useApprovals(): readonly Approval[] {
  const remote = useFeatureStore(createApprovals);
  const approvals = useRemoteStore(remote).value?.approvals ?? none;
  const nextMs = Math.min(...approvals.map(({ endsAtMs }) => endsAtMs));
  useEffect(() => {
    if (nextMs === Infinity) return undefined;
    const timer = setTimeout(() => void remote.refresh(), Math.max(0, nextMs - Date.now()) + 500);
    return () => clearTimeout(timer);
  }, [remote, nextMs, approvals]);
  return approvals;
}

/**
 * Ends one approval, or `all`, and announces it. The pressed button disappears with it, so the focus moves to the
 * next one of its section, or to the section.
 */
export function useEndApproval(): (which: string, button: Element) => void {
  const client = useClient();
  const approvals = useApprovals();
  const left = useRef<{ section: HTMLElement; at: number } | null>(null);
  useEffect(() => {
    if (left.current === null || !isFocusLost()) return;
    const { section, at } = left.current;
    left.current = null;
    const buttons = section.querySelectorAll('button');
    (buttons[Math.min(at, buttons.length - 1)] ?? section).focus();
  }, [approvals]);
  return (which, button) => {
    const section = button.closest('section');
    if (section !== null)
      left.current = {
        section,
        at: [...section.querySelectorAll('button')].findIndex((each) => each === button),
      };
    sayFailure(client.call('approvals.end', { which }).then(() => announce(texts.settings.ended)));
  };
}
