import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Input, ObjectRow } from '../../../../shared/contract.ts';
import type { Client } from '../../../app/client.ts';
import { AppFailure } from '../../../../shared/app-failure.ts';
import {
  type Answers,
  expectAccessible,
  renderInApp,
  testObject,
} from '../../../../../test-support/renderer/testing.tsx';
import { LiveRegions } from '../../../ui/announce.tsx';
import { useBrowser } from '../state/browser-store.ts';
import { DetailsTab } from '../details/DetailsTab.tsx';
import { MemoryExceeded } from './memory-limit.ts';
import type { DrawnPage } from './pdf-page.ts';
import { Preview } from './Preview.tsx';
import { selectIds } from '../state/selection.ts';

const drawPage = vi.hoisted(() =>
  vi.fn<(client: Client, bytes: Blob, number: number, signal: AbortSignal) => Promise<DrawnPage>>(),
);
vi.mock('./pdf-page.ts', () => ({ drawPage }));

const object: ObjectRow = {
  ...testObject,
  id: 7,
  identifier: 'imaging/contours.png',
  lengthBytes: 20_000,
  classification: 'Internal',
  storedAtMs: Date.now(),
};

beforeEach(() => {
  const query = {
    serviceId: 'p1',
    kind: 'data',
    place: { kind: 'all' },
    search: '',
    sort: { column: 'stored', direction: 'descending' },
  } as const;
  useBrowser.setState({ ...useBrowser.getInitialState(), total: 10, query, selection: selectIds([7]) }, true);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function show(changes: Partial<ObjectRow> = {}, answers: Answers = {}, automatic: (string | null)[] = []) {
  const chosen = new Set(automatic);
  return renderInApp(<DetailsTab separator="/" />, {
    'objects.get': () => ({ object: { ...object, ...changes }, history: [], failure: null }),
    'objects.previewChoices': () => ({ automatic: [...chosen] }),
    'objects.choosePreview': ({ classification, isAutomatic }) => {
      if (isAutomatic) chosen.add(classification);
      else chosen.delete(classification);
      return undefined;
    },
    'objects.preview': ({ mayFetch }) => ({ preview: mayFetch ? { kind: 'image', url: 'preview/1' } : null }),
    ...answers,
  });
}

const fetched = (main: ReturnType<typeof show>['main']) =>
  main.calls.filter(
    ({ name, input }) => name === 'objects.preview' && (input as Input<'objects.preview'>).mayFetch,
  ).length;

it('reloads a preview when an object without a digest gets other bytes', async () => {
  let lengthBytes = 10;
  const { main } = show(
    {},
    {
      'objects.get': () => ({ object: { ...object, sha256: null, lengthBytes }, history: [], failure: null }),
      'objects.preview': () => ({ preview: { kind: 'image', url: `preview/${lengthBytes}` } }),
    },
  );
  const shown = async () => (await screen.findByRole('img')).getAttribute('src');
  expect(await shown()).toBe('preview/10');
  lengthBytes = 20;
  act(() => main.emit('objects.changed', { serviceId: object.serviceId, revision: 2 }));
  await waitFor(async () => expect(await shown()).toBe('preview/20'));
});

it('fetches a preview only on request, and keeps the focus at the preview', async () => {
  const { container, main, user } = show();
  const ask = await screen.findByRole('button', { name: 'Show preview' });
  expect(screen.getByText('Coffer fetches the preview from the service.')).toBeTruthy();
  expect(fetched(main)).toBe(0);
  ask.focus();
  await user.keyboard('{Enter}');
  const picture = await screen.findByRole('img', { name: 'Preview of imaging/contours.png' });
  expect(picture.getAttribute('src')).toBe('preview/1');
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Preview' }));
  expect(fetched(main)).toBe(1);
  await expectAccessible(container);
});

it('shows the preview of a local file without a request', async () => {
  const { main } = show(
    { lengthBytes: 5_000_000 },
    { 'objects.preview': () => ({ preview: { kind: 'image', url: 'preview/1' } }) },
  );
  await screen.findByRole('img');
  expect(fetched(main)).toBe(0);
});

it('fetches previews of a chosen classification automatically, and shows the dimensions of an image', async () => {
  const { main } = show({}, {}, ['Internal']);
  const picture = await screen.findByRole('img');
  expect(fetched(main)).toBe(1);
  Object.defineProperty(picture, 'naturalWidth', { value: 1600 });
  Object.defineProperty(picture, 'naturalHeight', { value: 900 });
  fireEvent.load(picture);
  expect(await screen.findByText('1,600 × 900 pixels')).toBeTruthy();
});

it('offers a download in place of an image that it cannot decode', async () => {
  const { main, user } = show(
    {},
    {
      'objects.downloadEstimate': () => ({
        count: 1,
        totalBytes: 20_000,
        unknownLengths: 0,
        freeBytes: 1_000_000_000,
      }),
      'objects.download': () => ({ count: 1 }),
    },
    ['Internal'],
  );
  fireEvent.error(await screen.findByRole('img'));
  expect(await screen.findByText(/^This picture can’t be shown\./)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Download' }));
  await waitFor(() =>
    expect(main.calls.find(({ name }) => name === 'objects.download')?.input).toMatchObject({
      selection: { kind: 'ids', ids: [7] },
    }),
  );
});

it('fetches nothing for the preview of an empty file', async () => {
  const { main } = show({ lengthBytes: 0 }, {}, ['Internal']);
  expect(await screen.findByText('Empty file')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Show preview' })).toBeNull();
  expect(fetched(main)).toBe(0);
});

it('shows a text in its own direction', async () => {
  vi.stubGlobal('fetch', async () => new Response('שלום\nabc'));
  show({}, { 'objects.preview': () => ({ preview: { kind: 'text', url: 'preview/1' } }) }, ['Internal']);
  const text = await screen.findByRole('region', { name: 'Preview of imaging/contours.png' });
  expect(text.getAttribute('dir')).toBe('auto');
});

it('shows the beginning of a long text, and says so', async () => {
  vi.stubGlobal('fetch', async () => new Response('a'.repeat(500_001)));
  show({}, { 'objects.preview': () => ({ preview: { kind: 'text', url: 'preview/1' } }) });
  expect(await screen.findByText('Only the beginning of this text is shown')).toBeTruthy();
  const text = screen.getByRole('region', { name: 'Preview of imaging/contours.png' });
  expect(text.textContent).toHaveLength(500_000);
});

it('knows an empty file too by what came, where its length was unknown', async () => {
  vi.stubGlobal('fetch', async () => new Response(''));
  show(
    { lengthBytes: null },
    { 'objects.preview': () => ({ preview: { kind: 'text', url: 'preview/1' } }) },
    ['Internal'],
  );
  expect(await screen.findByText('Empty file')).toBeTruthy();
});

it('offers a download, and no preview, of a file that is too large', async () => {
  const { main } = show({ lengthBytes: 17_000_000 }, {}, ['Internal']);
  expect(await screen.findByText(/Previews are limited to/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Download' })).toBeTruthy();
  expect(fetched(main)).toBe(0);
});

it('asks again for a preview that could not be fetched', async () => {
  let tries = 0;
  const { user } = show(
    {},
    {
      'objects.preview': ({ mayFetch }) => {
        if (!mayFetch) return { preview: null };
        tries += 1;
        if (tries === 1)
          throw new AppFailure({
            code: 'connectionLost',
            doneBytes: 0,
            expectedBytes: null,
            outcomeUnknown: false,
          });
        return { preview: { kind: 'image', url: 'preview/2' } };
      },
    },
  );
  await user.click(await screen.findByRole('button', { name: 'Show preview' }));
  await screen.findByText('Connection lost');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect((await screen.findByRole('img')).getAttribute('src')).toBe('preview/2');
});

it('offers a download of a file that is neither text nor a picture', async () => {
  show(
    { identifier: 'data.bin' },
    {
      'objects.preview': () => {
        throw new AppFailure({ code: 'previewUnavailable', problem: 'type' });
      },
    },
    ['Internal'],
  );
  expect(await screen.findByText(/Only text, pictures/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Download' })).toBeTruthy();
});

it.each([
  ['film.mp4', 'This file can’t be shown. It’s damaged, or in a format that Coffer can’t read.'],
  ['paper.pdf', 'This file can’t be shown. It’s damaged, or in a format that Coffer can’t read.'],
  ['site.zip', 'No preview. Only text, pictures, PDF, audio and video have a preview.'],
])('says of contents that nobody can show what %s leads to expect', async (identifier, says) => {
  show(
    { identifier },
    {
      'objects.preview': () => {
        throw new AppFailure({ code: 'previewUnavailable', problem: 'type' });
      },
    },
    ['Internal'],
  );
  expect(await screen.findByText((shown) => shown.startsWith(says))).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Download' })).toBeTruthy();
});

it.each([3_000_000, null])(
  'fetches a preview of %s bytes on request only, whatever is chosen',
  async (lengthBytes) => {
    const { main, user } = show({ lengthBytes }, {}, ['Internal']);
    await screen.findByText(/only when asked/);
    await user.click(screen.getByRole('button', { name: 'Show preview' }));
    await screen.findByRole('img');
    expect(fetched(main)).toBe(1);
  },
);

it('says how many pixels a picture has too many, and offers a download', async () => {
  const { container } = show(
    {},
    {
      'objects.preview': () => {
        throw new AppFailure({ code: 'pictureTooLarge', pixels: 256_000_001, maxPixels: 100_000_000 });
      },
    },
    ['Internal'],
  );
  expect(
    await screen.findByText(
      /has 257 megapixels\. Previews of its kind are limited to 100,.*Open it in another/,
    ),
  ).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Download' })).toBeTruthy();
  await expectAccessible(container);
});

describe.each(['audio', 'video'] as const)('%s', (kind) => {
  // Video uses the same code as audio, so its tests run only under the tag `all`.
  const again = kind === 'video' ? { tags: ['all'] } : {};
  const made: Blob[] = [];
  const gone: string[] = [];
  beforeEach(() => {
    made.length = gone.length = 0;
    vi.stubGlobal('fetch', async () => new Response('sound'));
    // jsdom lacks all three.
    vi.spyOn(HTMLMediaElement.prototype, 'load').mockReturnValue();
    URL.createObjectURL = (bytes) => `blob:${made.push(bytes as Blob)}`;
    URL.revokeObjectURL = (url) => void gone.push(url);
  });
  const shown = { 'objects.preview': () => ({ preview: { kind, url: 'preview/1' } }) };
  const player = async () => screen.findByLabelText<HTMLMediaElement>('Preview of imaging/contours.png');

  it('plays it from memory only when a person starts it, and releases it on unmount', async () => {
    const { unmount, container } = show({}, shown);
    const element = await player();
    expect([element.localName, element.src, element.autoplay]).toEqual([kind, 'blob:1', false]);
    expect(await made[0]?.text()).toBe('sound');
    await expectAccessible(container);
    unmount();
    expect(gone).toEqual(['blob:1']);
  });

  it(
    'plays one that is too large for memory from its address, after a person asked for it',
    again,
    async () => {
      const asked: boolean[] = [];
      const { user } = show(
        { identifier: `large.${kind === 'audio' ? 'wav' : 'mp4'}`, lengthBytes: 1_200_000_000 },
        {
          'objects.preview': ({ mayFetch }) => {
            asked.push(mayFetch);
            return { preview: { kind, url: 'preview/9', isInPieces: true } };
          },
        },
        ['Internal'],
      );
      await screen.findByText('Coffer fetches all 1.2 GB first, unless the file is on this computer.');
      await user.click(screen.getByRole('button', { name: 'Show preview' }));
      const element = await screen.findByLabelText<HTMLMediaElement>(/^Preview of large/);
      expect([element.localName, element.getAttribute('src')]).toEqual([kind, 'preview/9']);
      expect(asked).toEqual([true]);
      expect(made).toEqual([]);
    },
  );

  it(
    'says of a large one that its file is being looked for, because that reads all of it',
    again,
    async () => {
      const large = {
        ...object,
        identifier: `large.${kind === 'audio' ? 'wav' : 'mp4'}`,
        lengthBytes: 1_200_000_000,
      };
      const choices = { isAutomatic: () => false, offer: () => undefined };
      renderInApp(<Preview isAsked object={large} choices={choices} onDownload={() => undefined} />, {
        'objects.preview': async () => new Promise(() => undefined),
      });
      expect(await screen.findByText('Looking for the file on this computer…')).toBeTruthy();
    },
  );

  it('says that one cannot be played', again, async () => {
    show({}, shown);
    fireEvent.error(await player());
    expect(await screen.findByText(/This file can’t be played/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Download' })).toBeTruthy();
  });
});

describe('the memory of a video', () => {
  const megabyte = 1024 * 1024;
  it('limits it: unloads the video, and says why', async () => {
    vi.stubGlobal('fetch', async () => new Response('frames'));
    URL.createObjectURL = () => 'blob:1';
    URL.revokeObjectURL = () => undefined;
    const load = vi.spyOn(HTMLMediaElement.prototype, 'load').mockReturnValue();
    let grownBytes = 0;
    const { main } = show(
      {},
      { 'objects.preview': () => ({ preview: { kind: 'video', url: 'preview/1' } }) },
    );
    main.client.memoryBytes = async () => 300 * megabyte + grownBytes;
    const element = await screen.findByLabelText<HTMLMediaElement>('Preview of imaging/contours.png');
    grownBytes = 513 * megabyte;
    expect(await screen.findByText(/Can’t be played here: it needs more than 512 MB/)).toBeTruthy();
    expect(element.hasAttribute('src')).toBe(false);
    expect(load).toHaveBeenCalled();
  });
});

describe('a PDF', () => {
  const shown = { 'objects.preview': () => ({ preview: { kind: 'pdf', url: 'preview/1' } as const }) };
  /** In the order of the pages: says whether a page is near the view. */
  let near: ((isIntersecting: boolean) => void)[] = [];
  beforeEach(() => {
    near = [];
    vi.stubGlobal('fetch', async () => new Response('%PDF-1.4'));
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
          near.push((isIntersecting) => tell([{ isIntersecting }]));
        }
        observe = () => near.at(-1)?.(near.length === 1);
        disconnect = () => undefined;
      },
    );
  });
  const drawn = (pageCount: number) => ({ canvas: document.createElement('canvas'), pageCount });

  it('shows its first page, and forgets one that is not looked at any more', async () => {
    drawPage.mockResolvedValue(drawn(3));
    const { unmount } = show({}, shown);
    await screen.findByText('First page of 3');
    expect(screen.getAllByRole('img')).toHaveLength(1);
    unmount();
    expect(drawPage.mock.lastCall?.[3].aborted).toBe(true);
  });

  it('shows all pages in Quick look: draws those near the view, and drops those that were left', async () => {
    drawPage.mockImplementation(async () => drawn(3));
    renderInApp(
      <Preview
        isLarge
        object={object}
        choices={{ isAutomatic: () => true, offer: () => undefined }}
        onDownload={() => undefined}
      />,
      shown,
    );
    await waitFor(() => expect(near).toHaveLength(3));
    expect(drawPage.mock.calls.map(([, , number]) => number)).toEqual([1]);
    act(() => near[2]?.(true));
    await screen.findByRole('img', { name: 'Page 3 of 3' });
    expect(drawPage.mock.lastCall?.[2]).toBe(3);
    act(() => near[0]?.(false));
    expect(screen.queryByRole('img', { name: /^Preview of/ })).toBeNull();
  });

  it('says of a later page that it cannot be shown, and keeps the others', async () => {
    drawPage.mockImplementation(async (_client, _bytes, number) => {
      if (number > 1) throw new Error('damaged');
      return drawn(2);
    });
    renderInApp(
      <Preview
        isLarge
        object={object}
        choices={{ isAutomatic: () => true, offer: () => undefined }}
        onDownload={() => undefined}
      />,
      shown,
    );
    await waitFor(() => expect(near).toHaveLength(2));
    act(() => near[1]?.(true));
    await screen.findByText('This page can’t be shown');
    expect(screen.getByRole('img', { name: /^Preview of/ })).toBeTruthy();
  });

  it.each([
    [new Error('not a PDF'), /The PDF is damaged, or protected by a password/],
    [new DOMException('', 'TimeoutError'), /it takes more than 10 seconds/],
    [new MemoryExceeded(), /it needs more than 512 MB of memory/],
  ])('that cannot be drawn says why: %s', async (cause, why) => {
    drawPage.mockRejectedValue(cause);
    show({}, shown);
    expect(await screen.findByText(why)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Download' })).toBeTruthy();
  });
});

describe('a text', () => {
  const shown = { 'objects.preview': () => ({ preview: { kind: 'text', url: 'preview/1' } as const }) };
  function showText(identifier: string, text: string) {
    vi.stubGlobal('fetch', async () => new Response(text));
    return show({ identifier }, shown);
  }

  it('that is CSV is a table, with the separator of its country, cells with line ends, and wrong quotes', async () => {
    const { container } = showText('a.csv', 'Name;Sum\n"Ann;\nZoe";1,50\nB"ob;2\n');
    const table = await screen.findByRole('table');
    const cells = [...table.querySelectorAll('tr')].map((row) =>
      [...row.cells].map((cell) => cell.textContent),
    );
    expect(cells).toEqual([
      ['Name', 'Sum'],
      ['Ann;\nZoe', '1,50'],
      ['B"ob', '2'],
    ]);
    expect(screen.queryByText(/^First/)).toBeNull();
    await expectAccessible(container);
  });

  it('that is a long CSV shows its first rows, and says how many', async () => {
    showText('a.csv', `n\n${'1\n'.repeat(600)}`);
    await screen.findByText('First 500 rows');
    expect(screen.getAllByRole('row')).toHaveLength(501);
  });

  it('that is Markdown is laid out, without its HTML, pictures and links', async () => {
    const { container } = showText(
      'notes.md',
      '# Board\n\n**Two** &amp; [more](https://evil.example)\n\n<script>alert(1)</script>\n\n- [x] done\n\n![a view](https://evil.example/p.png)\n\n<img src="https://evil.example/q.png">\n\n`code`',
    );
    expect((await screen.findByRole('heading', { name: 'Board' })).localName).toBe('h3');
    const region = screen.getByRole('region', { name: 'Preview of notes.md' });
    expect(region.querySelectorAll('script, img, a')).toHaveLength(0);
    expect(region.textContent).toBe('BoardTwo & more☑ donea viewcode');
    expect(region.querySelector('strong')?.textContent).toBe('Two');
    await expectAccessible(container);
  });

  it('that is Markdown nested too deeply is shown as it is written', async () => {
    showText('deep.md', '>'.repeat(50_000));
    expect((await screen.findByRole('region', { name: /^Preview of/ })).localName).toBe('pre');
  });
});

describe('Always preview', () => {
  const answers: Answers = {
    'objects.preview': ({ mayFetch }) => ({
      preview: mayFetch ? { kind: 'image', url: 'preview/1', isFetched: true } : null,
    }),
  };
  const asks = 'Fetch previews of Internal objects without asking?';
  const chosen = (main: ReturnType<typeof show>['main']) =>
    main.calls.filter(({ name }) => name === 'objects.choosePreview').map(({ input }) => input);

  it('is asked once in a message, after a preview was fetched, and chosen with its button', async () => {
    const { main, user } = show({}, answers);
    render(<LiveRegions />);
    await user.click(await screen.findByRole('button', { name: 'Show preview' }));
    await screen.findByText(asks);
    await user.click(screen.getByRole('button', { name: 'Always preview' }));
    const about = { serviceId: 'p1', classification: 'Internal' };
    await waitFor(() =>
      expect(chosen(main)).toEqual([
        { ...about, isAutomatic: false },
        { ...about, isAutomatic: true },
      ]),
    );
  });

  it('is not asked again, nor of a preview that was on this computer', async () => {
    const { main, user } = show(
      {},
      {
        ...answers,
        'objects.previewChoices': () => ({ automatic: [], asked: ['Internal'] }),
      },
    );
    await user.click(await screen.findByRole('button', { name: 'Show preview' }));
    await screen.findByRole('img');
    const local = show(
      { id: 8 },
      { 'objects.preview': () => ({ preview: { kind: 'image', url: 'preview/2' } }) },
    );
    await waitFor(() => expect(screen.getAllByRole('img')).toHaveLength(2));
    expect([...chosen(main), ...chosen(local.main)]).toEqual([]);
  });
});
