import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkWindowState } from './window-bounds.ts';

const displays = [
  { x: 0, y: 25, width: 1920, height: 1055 },
  { x: 1920, y: 0, width: 1280, height: 1024 },
];
const state = { bounds: { x: 100, y: 100, width: 1280, height: 800 }, isMaximized: false };

test('restores a position that is still visible, on any display', () => {
  expect(checkWindowState(state, displays, true)).toEqual(state);
  const onSecond = { bounds: { ...state.bounds, x: 2000, y: 10 }, isMaximized: true };
  expect(checkWindowState(onSecond, displays, true)).toEqual(onSecond);
});

test.each([
  ['left of everything', { x: -1270, y: 100 }],
  ['right of everything', { x: 3150, y: 100 }],
  ['below', { x: 100, y: 1070 }],
  ['its top above the work area', { x: 100, y: 0 }],
])('a window out of reach (%s) is forgotten', (_where, place) => {
  expect(checkWindowState({ ...state, bounds: { ...state.bounds, ...place } }, displays, true)).toBeNull();
});

test('a window is never smaller than the least size', () => {
  const tiny = { bounds: { x: 10, y: 50, width: 1, height: 1 } };
  expect(checkWindowState(tiny, displays, true)?.bounds).toMatchObject({ width: 900, height: 600 });
});

test('ignores an invalid file', () => {
  fc.assert(fc.property(fc.anything(), (junk) => checkWindowState(junk, displays, true) === null));
  expect(checkWindowState({ bounds: { ...state.bounds, x: '1' } }, displays, true)).toBeNull();
  expect(checkWindowState({ bounds: { ...state.bounds, x: NaN } }, displays, true)).toBeNull();
});

test('restores the size without positions, wherever the window was', () => {
  const far = { bounds: { ...state.bounds, x: 9000 }, isMaximized: true };
  const { width, height } = state.bounds;
  expect(checkWindowState(far, displays, false)).toEqual({ bounds: { width, height }, isMaximized: true });
});

test('a size that was saved without a position counts, and half a position does not', () => {
  const { width, height } = state.bounds;
  const bounds = { width, height };
  expect(checkWindowState({ bounds }, displays, true)).toEqual({ bounds, isMaximized: false });
  expect(checkWindowState({ bounds: { ...bounds, x: 10 } }, displays, true)).toBeNull();
});
