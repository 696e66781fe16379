import { act } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { type Answers, renderInApp, testObject } from '../../../../../test-support/renderer/testing.tsx';
import { Thumbnail } from '../grid/ObjectTile.tsx';
import { keepPicture, keepText, startThumbnails, wishForThumbnail } from './thumbnails.ts';

let lastId = 0;
/** A new object, so that tests share no cached thumbnails. */
const makeRow = (): ObjectRow => ({ ...testObject, id: ++lastId, sha256: 'a' });

const decode = vi.fn<() => Promise<object>>(async () => ({ width: 320, height: 200, close: () => {} }));

class Canvas {
  getContext = () => null;
  convertToBlob = async () => ({ arrayBuffer: async () => new TextEncoder().encode('webp').buffer });
}

/** jsdom loads no pictures. */
class Picture extends EventTarget {
  naturalWidth = 1000;
  naturalHeight = 1000;
  onload = () => {};
  set src(_url: string) {
    queueMicrotask(() => this.onload());
  }
}

class PictureOf20000 extends Picture {
  override naturalWidth = 20_000;
  override naturalHeight = 20_000;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', async () => new Response('some text'));
  vi.stubGlobal('createImageBitmap', decode);
  vi.stubGlobal('OffscreenCanvas', Canvas);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  decode.mockClear();
});

function show(rows: ObjectRow[], preview: 'text' | 'image' = 'text') {
  const asked: number[] = [];
  const answers: Answers = {
    'objects.thumbnail': ({ id }) => {
      asked.push(id);
      return { thumbnail: null, preview: { kind: preview, url: `preview/${id}` } };
    },
    'objects.keepThumbnail': () => undefined,
  };
  const tiles = rows.map((row) => <Thumbnail key={row.id} row={row} />);
  const { container, unmount } = renderInApp(<>{tiles}</>, answers);
  const texts = () => container.querySelectorAll('pre').length;
  return { asked, texts, unmount };
}
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

it('loads each of many visible tiles once, and shows them all', async () => {
  const { asked, texts } = show(Array.from({ length: 20 }, makeRow));
  await wait(5000);
  expect(asked).toHaveLength(20);
  expect(texts()).toBe(20);
});

it('does not request thumbnails for objects that cannot have one', async () => {
  const names = ['song.MP3', 'film.mp4', 'all.zip', 'paper.docx', 'notes.txt', 'no-extension'];
  const rows = names.map((identifier) => ({ ...makeRow(), identifier }));
  const { asked } = show(rows);
  await wait(5000);
  expect(asked.toSorted((a, b) => a - b)).toEqual(rows.slice(-2).map(({ id }) => id));
});

it('asks again for none of those that do not fit', async () => {
  const { asked } = show(Array.from({ length: 520 }, makeRow));
  await wait(5000);
  expect(asked).toHaveLength(520);
});

it('keeps those that are on the screen longest', async () => {
  const row = makeRow();
  keepText(row, 'kept');
  for (let other = 1; other < 500; other++) keepText(makeRow(), 'other');
  const { asked, texts } = show([row]);
  await wait(200);
  act(() => keepText(makeRow(), 'other'));
  expect(texts()).toBe(1);
  expect(asked).toEqual([]);
});

it('keeps nothing of an object without a digest, whose bytes may be others now', async () => {
  const row = { ...makeRow(), sha256: null };
  const { texts } = show([row]);
  await wait(200);
  expect(texts()).toBe(0);
});

it('decodes a picture once, and only the part that a tile shows', async () => {
  const image = Object.defineProperties(new Image(), {
    naturalWidth: { value: 3000 },
    naturalHeight: { value: 1000 },
  });
  await keepPicture(makeRow(), image);
  const resize = { resizeWidth: 320, resizeQuality: 'medium' };
  expect(decode.mock.calls).toEqual([[image, 500, 0, 2000, 1000, resize]]);
});

it('decodes no picture of too many pixels', async () => {
  vi.stubGlobal('Image', PictureOf20000);
  const { asked } = show([makeRow()], 'image');
  await wait(5000);
  expect(asked).toHaveLength(1);
  expect(decode).not.toHaveBeenCalled();
});

it('keeps what it makes of a picture, up to 512 pixels wide', async () => {
  vi.stubGlobal('Image', Picture);
  const kept = vi.fn<(input: unknown) => undefined>();
  const row = makeRow();
  renderInApp(<Thumbnail row={row} />, {
    'objects.thumbnail': () => ({ thumbnail: null, preview: { kind: 'image', url: 'p' } }),
    'objects.keepThumbnail': kept,
  });
  await wait(5000);
  expect(decode.mock.calls[0]).toMatchObject([{}, 0, 0, 1000, 1000, { resizeWidth: 512 }]);
  const thumbnail = { kind: 'picture', base64: btoa('webp') };
  expect(kept.mock.lastCall).toEqual([{ id: row.id, sha256: 'a', thumbnail }]);
});

it('shows a kept thumbnail without reading the object, until previews are refused', async () => {
  const { container, main } = renderInApp(<Thumbnail row={makeRow()} />, {
    'objects.thumbnail': () => ({
      thumbnail: { kind: 'text', text: 'kept' },
      preview: null,
    }),
  });
  const stop = startThumbnails(main.client);
  await wait(200);
  expect(container.querySelector('pre')?.textContent).toBe('kept');
  act(() => main.emit('objects.previewsRefused', undefined));
  expect(container.querySelector('pre')).toBeNull();
  stop();
});

it('loads four at once, and those in sight first, from the top', async () => {
  const asked: number[] = [];
  const { main } = renderInApp(null, {
    'objects.thumbnail': ({ id }) => {
      asked.push(id);
      return new Promise(() => {});
    },
  });
  const rows = Array.from({ length: 12 }, makeRow);
  rows.forEach((object, at) =>
    wishForThumbnail({ client: main.client, object, isInSight: () => at >= 3 && at < 9 }),
  );
  await wait(0);
  expect(asked).toEqual(rows.slice(3, 7).map(({ id }) => id));
});
