import { expect, test } from 'vitest';
import { settingsDefault } from '../shared/domain/settings.ts';
import { createCommandLimits } from './command-limits.ts';

test('limits of a command are beside those of the settings, which stay', () => {
  const settings = { ...settingsDefault, uploadBytesPerSecond: 2000, limitByHour: true };
  let changes = 0;
  const { current, handlers, onChanged } = createCommandLimits({ settings: () => settings, isApp: false });
  onChanged(() => (changes += 1));
  expect(current()).toEqual(settings);
  void handlers['command.limit']({ transfersAtOnce: 2, bytesPerSecond: 5000 });
  expect(current()).toMatchObject({
    transfersAtOnce: 2,
    uploadBytesPerSecond: 2000,
    downloadBytesPerSecond: 5000,
  });
  expect(new Set(current().hours)).toEqual(new Set(['limited']));
  expect(changes).toBe(1);
  expect(settings.downloadBytesPerSecond).toBeNull();
});

test('the app refuses them', () => {
  const { handlers } = createCommandLimits({ settings: () => settingsDefault, isApp: true });
  expect(() => handlers['command.limit']({ transfersAtOnce: 2 })).toThrow('senderRefused');
});
