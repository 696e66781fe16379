import { expect, test } from 'vitest';
import { Emitter } from './emitter.ts';

test('tells listeners in the order in which they came, until they stop', () => {
  const emitter = new Emitter<[name: string, revision: number]>();
  const heard: string[] = [];
  const stop = emitter.event((name, revision) => heard.push(`first ${name} ${revision}`));
  emitter.event((name) => heard.push(`second ${name}`));
  emitter.fire('a', 1);
  stop();
  emitter.fire('b', 2);
  expect(heard).toEqual(['first a 1', 'second a', 'second b']);
});

test('one that stops another, or adds one, while it is told does so for this round', () => {
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

test('what a listener throws reaches whoever fires, and ends the round', () => {
  const emitter = new Emitter<[]>();
  const heard: string[] = [];
  emitter.event(() => {
    throw new Error('a bug');
  });
  emitter.event(() => heard.push('second'));
  expect(() => emitter.fire()).toThrow('a bug');
  expect(heard).toEqual([]);
});
