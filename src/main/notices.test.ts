import { expect, it, vi } from 'vitest';
import { settingsDefault } from '../shared/domain/settings.ts';
import type { TransferSummary } from '../shared/domain/transfer.ts';
import { createNotices } from './notices.ts';
import type { Desktop } from './ports.ts';

const summary = (change: Partial<TransferSummary> & { moving?: number }): TransferSummary => ({
  revision: 1,
  counts: { needsYou: 0, moving: change.moving ?? 0, waiting: 0, done: 0 },
  failed: 0,
  unanswered: 0,
  bytesPerSecond: null,
  leftMs: null,
  fraction: null,
  tokenRefused: [],
  ...change,
});

it('tells once when what moved has come to its end, and claims nothing of what was skipped or cancelled', () => {
  const desktop = {
    setProgress: vi.fn<Desktop['setProgress']>(),
    setBadge: vi.fn<Desktop['setBadge']>(),
    notify: vi.fn<Desktop['notify']>(),
  };
  const notice = createNotices(desktop);
  notice(summary({}), settingsDefault);
  notice(summary({ moving: 2, fraction: 0.5 }), settingsDefault);
  expect(desktop.setProgress).toHaveBeenLastCalledWith(0.5);
  notice(summary({}), settingsDefault);
  notice(summary({}), settingsDefault);
  expect(desktop.setProgress).toHaveBeenLastCalledWith(null);
  expect(desktop.notify).toHaveBeenCalledOnce();
  expect(JSON.stringify(desktop.notify.mock.calls)).not.toMatch(/stored|saved|verified|done/);

  notice(summary({ moving: 1 }), settingsDefault);
  notice(summary({ failed: 1, unanswered: 2 }), settingsDefault);
  expect(desktop.setBadge).toHaveBeenLastCalledWith(3);
  expect(desktop.notify).toHaveBeenLastCalledWith(expect.objectContaining({ title: 'Transfers need you' }));

  notice(summary({ moving: 1 }), settingsDefault);
  notice(summary({}), { ...settingsDefault, notifyWhenDone: false });
  expect(desktop.notify).toHaveBeenCalledTimes(2);
});
