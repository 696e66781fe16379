import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createIdentifierOwners } from './identifier-owners.ts';

const call = fc.record({
  isWithdrawal: fc.boolean(),
  identifier: fc.constantFrom('a', 'b'),
  who: fc.integer({ min: 1, max: 5 }),
});

it('an identifier has one owner until the owner withdraws', () => {
  fc.assert(
    fc.property(fc.array(call, { maxLength: 60 }), (calls) => {
      const owners = createIdentifierOwners<number>();
      const wanting = new Map([
        ['a', new Set<number>()],
        ['b', new Set<number>()],
      ]);
      for (const { isWithdrawal, identifier, who } of calls) {
        const before = owners.ownerOf(identifier);
        const all = wanting.get(identifier) ?? new Set();
        if (isWithdrawal) {
          all.delete(who);
          owners.withdraw(identifier, who);
        } else {
          all.add(who);
          owners.add(identifier, who);
        }
        const stays = before !== undefined && all.has(before);
        const candidates = stays ? [before] : all.size === 0 ? [undefined] : [...all];
        expect(candidates).toContain(owners.ownerOf(identifier));
      }
    }),
  );
});
