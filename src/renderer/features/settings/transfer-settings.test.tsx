import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { settingsDefault, type Hour, type Settings } from '../../../shared/domain/settings.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import { type Answers, expectAccessible, renderInApp } from '../../../../test-support/renderer/testing.tsx';
import { useClient } from '../../app/client.ts';
import { useRemoteStore, useStores } from '../../app/stores.ts';
import { AdvancedSection } from './AdvancedSection.tsx';
import { SettingsView } from './SettingsView.tsx';
import { TransfersSection, UploadsSection } from './TransfersSection.tsx';
import { hourName, paint } from './Week.tsx';

/** Only the sections under test: the whole page has six times as many settings. */
function Sections() {
  const client = useClient();
  const remote = useRemoteStore(useStores().settings);
  const onChange = (change: Partial<Settings>) => void client.call('settings.update', change);
  if (remote.value === null) return null;
  const props = { search: '', settings: remote.value, onChange };
  return (
    <>
      <UploadsSection {...props} />
      <TransfersSection {...props} />
      <AdvancedSection {...props} />
    </>
  );
}

/** Simulated settings in main. */
async function open(start: Partial<Settings> = {}, ui = <Sections />, others: Answers = {}) {
  let settings: Settings = { ...settingsDefault, ...start };
  const rendered = renderInApp(ui, {
    'settings.get': () => settings,
    'settings.update': (change) => {
      Object.assign(settings, change);
      settings = { ...settings };
      queueMicrotask(() => act(() => rendered.main.emit('settings.changed', settings)));
      return settings;
    },
    ...others,
  });
  await screen.findByRole('textbox', { name: 'Files at once' });
  const updates = () =>
    rendered.main.calls.filter(({ name }) => name === 'settings.update').map(({ input }) => input);
  return { ...rendered, updates, settings: () => settings };
}

const box = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });

/** Pastes rather than types: a pause while typing would apply an incomplete value. */
async function fill(user: UserEvent, name: string, text: string) {
  await user.clear(box(name));
  await user.paste(text);
}

describe('limits of transfers', () => {
  it('apply typed values automatically, without a button', async () => {
    const { user, updates } = await open();
    await fill(user, 'Files at once', '64');
    await waitFor(() => expect(updates()).toEqual([{ transfersAtOnce: 64 }]));
    await fill(user, 'Requests per second', '20');
    await user.keyboard('{Enter}');
    await fill(user, 'Upload at most', '1.5');
    await user.tab();
    expect(updates().slice(1)).toEqual([{ requestsPerSecond: 20 }, { uploadBytesPerSecond: 1_500_000 }]);
  });

  it('are automatic while the number of files is empty', async () => {
    const { user, updates } = await open({ transfersAtOnce: 8 });
    expect(box('Files at once').placeholder).toBe('Automatic');
    await user.clear(box('Files at once'));
    await user.keyboard('{Enter}');
    expect(updates()).toEqual([{ transfersAtOnce: null }]);
  });

  it('look no further for versions at 0', async () => {
    const { user, updates } = await open();
    await user.clear(box('Look ahead for versions'));
    await user.type(box('Look ahead for versions'), '0{Enter}');
    expect(updates()).toEqual([{ versionReach: 0 }]);
  });

  it('treat an empty field as no limit, and a new unit as a new limit', async () => {
    const { user, updates } = await open({
      uploadBytesPerSecond: 5_000_000,
      downloadBytesPerSecond: 800_000,
    });
    expect(box('Upload at most').value).toBe('5');
    expect(box('Download at most').value).toBe('800');
    await user.click(screen.getByRole('combobox', { name: 'Unit of Upload at most' }));
    await user.click(await screen.findByRole('option', { name: 'KB/s' }));
    await user.clear(box('Download at most'));
    await user.type(box('Download at most'), '{Enter}');
    expect(updates()).toEqual([{ uploadBytesPerSecond: 5000 }, { downloadBytesPerSecond: null }]);
    await waitFor(() => expect(box('Upload at most').value).toBe('5'));
  });

  it('keep invalid text, and say why', async () => {
    const { user, updates, container } = await open();
    const refused = [
      ['Files at once', '65', 'Enter a whole number from 1 to 64, or leave empty for automatic.'],
      ['Look ahead for versions', '101', 'Enter a whole number from 0 to 100.'],
      ['Requests per second', '0', 'Enter a whole number from 1 to 1,000, or leave empty for no limit.'],
      ['Upload at most', 'fast', 'Enter a number, or leave empty for no limit.'],
      ['Download at most', '1 KB/s', 'Enter at least 2 KB/s, or leave empty for no limit.'],
    ] as const;
    const others = [
      ['Files at once', 'many', 'Enter a whole number from 1 to 64, or leave empty for automatic.'],
      ['Download at most', '10001', 'Enter at most 10,000 MB/s, or leave empty for no limit.'],
    ] as const;
    for (const [name, typed, problem] of [...refused, ...others]) {
      await fill(user, name, typed);
      await user.tab();
      const description = (text: string) => text.includes(problem);
      await waitFor(() => expect(screen.getByRole('textbox', { name, description })).toBe(box(name)));
      expect(box(name).value).toBe(typed);
      expect(updates()).toEqual([]);
    }
    await user.click(screen.getByRole('switch', { name: 'Notify when done' }));
    await waitFor(() => expect(updates()).toHaveLength(1));
    for (const [name, typed] of [...refused.slice(1, 4), ...others]) expect(box(name).value).toBe(typed);
    await expectAccessible(container);
  });

  it('apply what was typed last when the page is left', async () => {
    const { user, updates, unmount } = await open();
    await user.type(box('Requests per second'), '7');
    unmount();
    expect(updates()).toEqual([{ requestsPerSecond: 7 }]);
  });
});

describe('the hours of the week', () => {
  const cell = (name: string) =>
    within(screen.getByRole('grid', { name: 'Hours' })).getByRole('gridcell', { name });

  it('shows them only while they are used', async () => {
    const { user, updates } = await open();
    expect(screen.queryByRole('grid', { name: 'Hours' })).toBeNull();
    await user.click(screen.getByRole('switch', { name: 'Limit by the hour' }));
    expect(updates()).toEqual([{ limitByHour: true }]);
    expect(await screen.findByRole('grid', { name: 'Hours' })).toBeTruthy();
  });

  it('start with the current limit', async () => {
    const { user, updates } = await open({ uploadBytesPerSecond: 500_000 });
    await user.click(screen.getByRole('switch', { name: 'Limit by the hour' }));
    expect(updates()).toEqual([{ limitByHour: true, hours: settingsDefault.hours.map(() => 'limited') }]);
  });

  it('paints them by dragging, with the brush that is chosen', async () => {
    const { user, updates, container } = await open({ limitByHour: true });
    await user.click(screen.getByRole('radio', { name: 'Paused' }));
    fireEvent.pointerDown(cell('Monday 08:00 to 09:00, Unlimited'), { button: 0 });
    fireEvent.pointerOver(cell('Tuesday 09:00 to 10:00, Unlimited'));
    expect(updates()).toEqual([]);
    fireEvent.pointerUp(window);
    expect(updates()).toEqual([{ hours: paint(settingsDefault.hours, 8, 33, 'paused') }]);
    const [{ hours }] = updates() as [{ hours: Hour[] }];
    expect(hours.flatMap((hour, index) => (hour === 'paused' ? [index] : []))).toEqual([8, 9, 32, 33]);
    expect(cell('Tuesday 09:00 to 10:00, Paused')).toBeTruthy();
    await expectAccessible(container);
  });

  it('paints them by keyboard, one by one and in strokes, faster than they are saved', async () => {
    const { user, settings } = await open({ limitByHour: true });
    cell('Monday 00:00 to 01:00, Unlimited').focus();
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowRight} ');
    expect(document.activeElement).toBe(cell('Wednesday 01:00 to 02:00, Limited'));
    expect(screen.getByText('is limited')).toBeTruthy();
    await user.keyboard('{Shift>}{ArrowRight}{ArrowRight}{/Shift}{End}');
    const limited = settings().hours.flatMap((hour, index) => (hour === 'limited' ? [index] : []));
    expect(limited).toEqual([49, 50, 51]);
    expect(document.activeElement).toBe(cell('Wednesday 23:00 to 24:00, Unlimited'));
  });

  it('stay as painted if they cannot be saved, with an error', async () => {
    const { user } = await open({ limitByHour: true }, <SettingsView />, {
      'settings.update': () => {
        throw new AppFailure({ code: 'unexpected', reference: 'x' });
      },
    });
    cell('Monday 00:00 to 01:00, Unlimited').focus();
    await user.keyboard(' ');
    expect(await screen.findByText('Something went wrong in Coffer')).toBeTruthy();
    expect(cell('Monday 00:00 to 01:00, Limited')).toBeTruthy();
  });

  it('have names', () => {
    expect([0, 57, 167].map(hourName)).toEqual([
      'Monday 00:00 to 01:00',
      'Wednesday 09:00 to 10:00',
      'Sunday 23:00 to 24:00',
    ]);
  });
});
