import { expect, it } from 'vitest';
import { settingsDefault } from '../shared/domain/settings.ts';
import type { TabSummary, TransferSummary } from '../shared/domain/transfer-summary.ts';
import { createDesktopNotifications } from './desktop-notifications.ts';
import { eventually } from '../../test-support/eventually.ts';
import { idleSummary } from '../../test-support/idle-summary.ts';

const noneOf = idleSummary.transfers;

const summary = ({
  moving = 0,
  fraction = null,
  jobs = noneOf,
  ...change
}: Partial<TabSummary> & {
  moving?: number;
  fraction?: number | null;
  jobs?: TabSummary;
}): TransferSummary => ({
  ...idleSummary,
  transfers: { ...noneOf, counts: { ...noneOf.counts, moving }, ...change },
  jobs,
  fraction,
});

function open() {
  const seen = { badge: 0, progress: null as number | null, notes: [] as string[] };
  const notifications = createDesktopNotifications({
    setBadge: (count) => {
      seen.badge = count;
    },
    setProgress: (fraction) => {
      seen.progress = fraction;
    },
    notify: ({ title, body }) => seen.notes.push(`${title}. ${body}`),
  });
  return { seen, notifications };
}

it('counts what needs the person, of transfers and jobs together', () => {
  const { seen, notifications } = open();
  const jobs = { ...noneOf, counts: { closing: 1, needsYou: 3, moving: 9, waiting: 9, done: 9 } };
  notifications.transfersChanged(summary({ failed: 2, unanswered: 1, jobs }), settingsDefault);
  expect(seen.badge).toBe(7);
  notifications.transfersChanged(summary({ jobs }), settingsDefault);
  expect(seen.badge).toBe(4);
});

it('tells of many results that are about to be lost in one notification, the most urgent first', async () => {
  const { seen, notifications } = open();
  for (let index = 1; index <= 1000; index += 1) {
    notifications.windowCloses({ identifier: `object ${index}`, leftMs: 120_000 + 1000 - index });
  }
  await eventually(() =>
    expect(seen.notes).toEqual([
      '2 min left for a result. object 1000 and 999 more: results that aren’t here by then are lost.',
    ]),
  );
  notifications.windowCloses({ identifier: 'one', leftMs: 600_000 });
  await eventually(() =>
    expect(seen.notes.at(-1)).toBe(
      '10 min left for a result. one: if the result isn’t here by then, it is lost.',
    ),
  );
  notifications.close();
});

it('tells once when what moved has come to its end, and claims nothing of what was skipped or cancelled', () => {
  const { seen, notifications } = open();
  notifications.transfersChanged(summary({}), settingsDefault);
  notifications.transfersChanged(summary({ moving: 2, fraction: 0.5 }), settingsDefault);
  expect(seen.progress).toBe(0.5);
  notifications.transfersChanged(summary({}), settingsDefault);
  notifications.transfersChanged(summary({}), settingsDefault);
  expect(seen.progress).toBeNull();
  expect(seen.notes).toHaveLength(1);
  expect(seen.notes[0]).not.toMatch(/stored|saved|verified|done/);

  notifications.transfersChanged(summary({ moving: 1 }), settingsDefault);
  notifications.transfersChanged(summary({ failed: 1, unanswered: 2 }), settingsDefault);
  expect(seen.badge).toBe(3);
  expect(seen.notes.at(-1)).toContain('Transfers need your attention');

  notifications.transfersChanged(summary({ moving: 1 }), settingsDefault);
  notifications.transfersChanged(summary({}), { ...settingsDefault, notifyWhenDone: false });
  expect(seen.notes).toHaveLength(2);
});

it('says where private copies were left that hold something else', () => {
  const { seen, notifications } = open();
  notifications.filesLeft('~/data/opened');
  expect(seen.notes).toEqual([expect.stringContaining('Everything is in ~/data/opened')]);
});

it('says where everything lies when the service on this computer began empty', () => {
  const { seen, notifications } = open();
  notifications.localServiceSetAside('~/data/set-aside-1');
  expect(seen.notes).toEqual([expect.stringContaining('Everything is in ~/data/set-aside-1')]);
});

it('shows a name in one line, and in its own direction', () => {
  const { seen, notifications } = open();
  notifications.secretsDue(['db\n\u202epw', 'other']);
  expect(seen.notes[0]).toContain('db\uFFFD\uFFFDpw');
});
