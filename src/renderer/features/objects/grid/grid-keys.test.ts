import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listKeys, type Press } from '../../../../shared/keys.ts';
import { arrangeLines } from './grid-lines.ts';
import { readKey, soughtName, typeOn, typingMs } from './grid-keys.ts';

function key(name: string, modifiers: Partial<Press> = {}): Press {
  return { key: name, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...modifiers };
}

function standing(cursor: number, total: number, perLine: number, pageLines: number) {
  const line = { perLine, linePx: 32 };
  const { below } = arrangeLines({ ...line, folders: line }, 0, total);
  return { cursor, total, isTiled: perLine > 1, pageLines, below: (by: number) => below(cursor, by) };
}
const at = standing(4, 100, 1, 20);

describe('keys of the grid', () => {
  it('moves and selects, extends with Shift, only moves with Ctrl', () => {
    expect(readKey(key('ArrowDown'), at)).toEqual({ kind: 'go', to: 5, how: 'only' });
    expect(readKey(key('ArrowUp', { shiftKey: true }), at)).toEqual({
      kind: 'go',
      to: 3,
      how: 'extend',
    });
    expect(readKey(key('End', { ctrlKey: true }), at)).toEqual({ kind: 'go', to: 99, how: 'keep' });
    expect(readKey(key('PageDown'), at)).toEqual({ kind: 'go', to: 23, how: 'only' });
    expect(readKey(key('a', { metaKey: true }), at)).toEqual({ kind: 'all' });
    expect(readKey(key('constructor'), at)).toBeNull();
  });

  it('moves along a line of tiles, and by whole lines', () => {
    const tiled = standing(4, 100, 5, 3);
    const to = (name: string) => {
      const intent = readKey(key(name), tiled);
      return intent?.kind === 'go' ? intent.to : null;
    };
    expect(['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp', 'PageDown'].map(to)).toEqual([5, 3, 9, 4, 14]);
    expect(readKey(key('ArrowRight'), at)).toBeNull();
  });

  it('handles all its keys from the table of shortcuts', () => {
    const kindsOf = (chords: readonly string[]) =>
      chords.map((chord) => {
        const held = chord.split('+');
        const name = held.pop() ?? '';
        const press = key(name, { shiftKey: held.includes('Shift'), ctrlKey: held.includes('Mod') });
        const intent = readKey(press, at);
        return intent?.kind === 'go' ? intent.how : intent?.kind;
      });
    const { step, ends, page, extend, keep, toggle, all, clear, copy } = listKeys;
    expect([step, ends, page].flatMap(kindsOf)).toEqual(Array(6).fill('only'));
    expect([extend, keep].flatMap(kindsOf)).toEqual(['extend', 'extend', 'keep', 'keep']);
    expect([toggle, all, clear, copy].flatMap(kindsOf)).toEqual(['toggle', 'all', 'clear', 'copy']);
  });

  it('never leaves the list', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End'),
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.nat(),
        fc.integer({ min: 0, max: 80 }),
        fc.integer({ min: 1, max: 9 }),
        (name, total, cursor, pageLines, perLine) => {
          const intent = readKey(key(name), standing(cursor % total, total, perLine, pageLines));
          const to = intent?.kind === 'go' ? intent.to : NaN;
          expect(to).toBeGreaterThanOrEqual(0);
          expect(to).toBeLessThan(total);
        },
      ),
    );
  });

  it('joins letters typed in quick succession into one word', () => {
    const none = { text: '', atMs: -Infinity };
    const one = typeOn(key('r'), none, 0);
    expect(one).toEqual({ text: 'r', atMs: 0 });
    expect(typeOn(key(' '), one ?? none, 10)).toEqual({ text: 'r ', atMs: 10 });
    expect(typeOn(key('e'), one ?? none, typingMs + 1)).toEqual({ text: 'e', atMs: typingMs + 1 });
    for (const other of [key(' '), key('/'), key('Enter'), key('a', { ctrlKey: true })])
      expect(typeOn(other, none, 0)).toBeNull();
    expect(soughtName({ text: 'rr', atMs: 0 }, 4)).toEqual({ typed: 'r', from: 5 });
    expect(soughtName({ text: 're', atMs: 0 }, 4)).toEqual({ typed: 're', from: 4 });
  });
});
