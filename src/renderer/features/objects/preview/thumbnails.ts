import { create } from 'zustand';
import type { ObjectRow, Output } from '../../../../shared/contract.ts';
import { pageLimitMax } from '../../../../shared/domain/object.ts';
import { thumbnailLetters, thumbnailPx, type Thumbnail as Kept } from '../../../../shared/domain/preview.ts';
import type { Client } from '../../../app/client.ts';

type Thumbnail = { kind: 'picture'; bitmap: ImageBitmap } | { kind: 'text'; text: string };
type Content = Pick<ObjectRow, 'id' | 'sha256'>;

/** Width in device pixels of a wide tile at twice the density. */
const widthPx = 320;
/** Kept in memory, the oldest removed first. Enough for all visible tiles; a picture takes up to 400 KB. */
const maxKept = pageLimitMax;
/** Larger pictures are not decoded, at four bytes per pixel. */
const maxPixels = 50_000_000;

const useKept = create<ReadonlyMap<string, Thumbnail>>()(() => new Map());

const keyOf = ({ id, sha256 }: Content) => `${id} ${sha256}`;

export function useKeptThumbnail(object: Content): Thumbnail | undefined {
  return useKept((kept) => kept.get(keyOf(object)));
}

/** Keeps it as the newest. Not for an object without a digest, whose bytes could change unnoticed. */
function keep(object: Content, thumbnail: Thumbnail): void {
  if (object.sha256 === null) return;
  const key = keyOf(object);
  useKept.setState(
    (kept) =>
      new Map(
        [...kept]
          .filter(([other]) => other !== key)
          .slice(1 - maxKept)
          .concat([[key, thumbnail]]),
      ),
    true,
  );
}

export function keepText(object: Content, text: string): void {
  keep(object, { kind: 'text', text: text.slice(0, thumbnailLetters) });
}

/**
 * The part of a picture that a tile shows: the middle of a wide one, the top of a tall one; null: too large.
 * @param image a loaded image or a drawn canvas. @throws if it cannot be decoded
 */
async function cut(
  image: HTMLImageElement | HTMLCanvasElement,
  maxWidthPx: number,
): Promise<ImageBitmap | null> {
  const isDrawn = image instanceof HTMLCanvasElement;
  const naturalWidth = isDrawn ? image.width : image.naturalWidth;
  const naturalHeight = isDrawn ? image.height : image.naturalHeight;
  if (naturalWidth * naturalHeight > maxPixels) return null;
  const width = Math.min(naturalWidth, naturalHeight * 2);
  const height = Math.min(naturalHeight, naturalWidth);
  const left = Math.floor((naturalWidth - width) / 2);
  return createImageBitmap(image, left, 0, width, height, {
    resizeWidth: Math.min(width, maxWidthPx),
    resizeQuality: 'medium',
  });
}

/** @param image a loaded image or a drawn canvas. @throws if it cannot be decoded */
export async function keepPicture(
  object: Content,
  image: HTMLImageElement | HTMLCanvasElement,
): Promise<void> {
  const bitmap = await cut(image, widthPx);
  if (bitmap !== null) keep(object, { kind: 'picture', bitmap });
}

/** Loads without decoding: only the dimensions are known. @throws if it is not an image */
async function loadImage(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  await new Promise((resolve, reject) => {
    image.onload = resolve;
    image.onerror = () => reject(new Error('no picture'));
    image.src = url;
  });
  return image;
}

/** In WebP, as base64. */
async function encode(bitmap: ImageBitmap): Promise<string> {
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

async function decode(kept: Kept): Promise<Thumbnail> {
  if (kept.kind === 'text') return kept;
  const bytes = Uint8Array.from(atob(kept.base64), (letter) => letter.charCodeAt(0));
  const whole = await createImageBitmap(new Blob([bytes], { type: 'image/webp' }));
  if (whole.width <= widthPx) return { kind: 'picture', bitmap: whole };
  const bitmap = await createImageBitmap(whole, { resizeWidth: widthPx, resizeQuality: 'medium' });
  whole.close();
  return { kind: 'picture', bitmap };
}

/** A thumbnail to be kept; null: this kind of preview has none. @throws if it cannot be decoded */
async function make(
  client: Client,
  { kind, url }: NonNullable<Output<'objects.thumbnail'>['preview']>,
): Promise<Kept | null> {
  if (kind !== 'image' && kind !== 'text' && kind !== 'pdf') return null;
  if (kind === 'image') return toKeep(await loadImage(url));
  const answer = await fetch(url);
  if (!answer.ok) return null;
  if (kind === 'text') return { kind, text: (await answer.text()).slice(0, thumbnailLetters) };
  const { drawFirstPage } = await import('./pdf-page.ts');
  return toKeep(await drawFirstPage(client, await answer.blob(), new AbortController().signal));
}

async function toKeep(image: HTMLImageElement | HTMLCanvasElement): Promise<Kept | null> {
  const bitmap = await cut(image, thumbnailPx);
  return bitmap && { kind: 'picture', base64: await encode(bitmap) };
}

/** The kept thumbnail of an object, or one that is made now, and kept; null: it has none. @throws what stops it from being made */
async function find(client: Client, { id, sha256 }: Content) {
  const { thumbnail, preview } = await client.call('objects.thumbnail', { id });
  if (thumbnail !== null) return thumbnail;
  const made = preview && (await make(client, preview));
  if (made === null) return null;
  // If it cannot be kept, it is shown all the same.
  if (sha256 !== null)
    await client.call('objects.keepThumbnail', { id, sha256, thumbnail: made }).catch(() => undefined);
  return made;
}

/** Keeps in memory what a tile is to show. */
async function load(client: Client, object: Content): Promise<void> {
  const kept = useKept.getState().get(keyOf(object));
  if (kept !== undefined) return keep(object, kept);
  const found = await find(client, object);
  if (found !== null) keep(object, await decode(found));
}

/** @param isInSight whether its tile is visible now, not only near what is */
type Wish = { client: Client; object: Content; isInSight: () => boolean };
/** The newest last. */
const wishes: Wish[] = [];
const atOnce = 4;
let running = 0;

/**
 * Requests the thumbnail of an object. Those in sight go first, then the newest, because older tiles may have been scrolled away. Without a
 * thumbnail or after a failure, the tile shows an icon until the next request. Requesting a kept one makes it the newest.
 * @returns withdraws the request if it has not begun
 */
export function wishForThumbnail(wish: Wish): () => void {
  wishes.push(wish);
  void runWishes();
  return () => {
    const at = wishes.indexOf(wish);
    if (at >= 0) wishes.splice(at, 1);
  };
}

function nextWish(): Wish | undefined {
  const at = wishes.findIndex(({ isInSight }) => isInSight());
  return at < 0 ? wishes.pop() : wishes.splice(at, 1)[0];
}

async function runWishes(): Promise<void> {
  if (running >= atOnce) return;
  running += 1;
  // All tiles that appear together have asked before the first is chosen.
  await Promise.resolve();
  for (let wish = nextWish(); wish !== undefined; wish = nextWish()) {
    await load(wish.client, wish.object).catch(() => undefined);
  }
  running -= 1;
}

/**
 * Makes thumbnails of what was uploaded, one after the other, and forgets all when previews may no longer be fetched.
 * @returns stops
 */
export function startThumbnails(client: Client): () => void {
  const gone = new AbortController();
  let isBusy = false;
  let isAsked = false;

  async function makeAll(): Promise<void> {
    isAsked = true;
    if (isBusy) return;
    isBusy = true;
    while (isAsked && !gone.signal.aborted) {
      isAsked = false;
      const { object } = await client.call('objects.nextThumbnail').catch(() => ({ object: null }));
      if (object === null) continue;
      isAsked = true;
      await find(client, object).catch(() => undefined);
    }
    isBusy = false;
  }
  const stops = [
    client.on('transfers.ended', () => void makeAll()),
    client.on('objects.previewsRefused', () => useKept.setState(new Map(), true)),
  ];
  return () => {
    gone.abort();
    stops.forEach((stop) => stop());
  };
}
