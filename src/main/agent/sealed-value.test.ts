import { expect, test } from 'vitest';
import { createValueKey, sealValue } from './sealed-value.ts';

const value = Buffer.from([0, 255, ...Buffer.from('Zq9-tin-otter')]);

test('opens with the key that it was sealed for, and with no other', () => {
  const [one, other] = [createValueKey(), createValueKey()];
  const sealed = sealValue(value, one.publicKey);
  expect(one.open(sealed)).toEqual(value);
  expect(() => other.open(sealed)).toThrow(/authenticate|derivation/);
  expect(sealValue(value, one.publicKey)).not.toBe(sealed);
  expect(one.open(sealValue(Buffer.alloc(0), one.publicKey))).toEqual(Buffer.alloc(0));
});

test('does not open what was changed', () => {
  const { publicKey, open } = createValueKey();
  const sealed = Buffer.from(sealValue(value, publicKey), 'base64');
  for (const at of sealed.keys()) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => open(changed.toString('base64'))).toThrow(/authenticate|derivation/);
  }
});
