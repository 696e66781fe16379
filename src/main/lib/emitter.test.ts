import { expect, test } from 'vitest';
import { Emitter } from './emitter.ts';

test('calls listeners in the order in which they were added, until they are removed', () => {
  const emitter = new Emitter<[name: string, revision: number]>();
  const heard: string[] = [];
  const stop = emitter.event((name, revision) => heard.push(`first ${name} ${revision}`));
  emitter.event((name) => heard.push(`second ${name}`));
  emitter.fire('a', 1);
  stop();
  emitter.fire('b', 2);
  expect(heard).toEqual(['first a 1', 'second a', 'second b']);
});

test('a listener may remove or add another, with effect in the same round', () => {
  const emitter = new Emitter<[]>();
  const heard: string[] = [];
  emitter.event(() => {
    heard.push('first');
    stop();
    emitter.event(() => heard.push('added'));
  });
  const stop = emitter.event(() => heard.push('stopped'));
  emitter.fire();
  expect(heard).toEqual(['first', 'added']);
});

test('an error of a listener reaches the caller of fire, and ends the round', () => {
  const emitter = new Emitter<[]>();
  const heard: string[] = [];
  emitter.event(() => {
    throw new Error('a bug');
  });
  emitter.event(() => heard.push('second'));
  expect(() => emitter.fire()).toThrow('a bug');
  expect(heard).toEqual([]);
});
