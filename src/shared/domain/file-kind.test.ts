import { expect, test } from 'vitest';
import { fileKind } from './file-kind.ts';

test.each([
  ['clips/film.MOV', 'video'],
  ['photos.2026/scan.jpeg', 'image'],
  ['photos.mov/notes', 'file'],
  ['.mov', 'file'],
])('%s: %s', (name, kind) => expect(fileKind(name)).toBe(kind));
