import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { AppFailure } from '../../../../shared/app-failure.ts';
import { type Answers, renderInApp, testService } from '../../../../../test-support/renderer/testing.tsx';
import { useDropFolder } from '../../../app/drops.ts';
import { useTakenOut } from '../../../app/taken-out.ts';
import { LiveRegions } from '../../../ui/announce.tsx';
import { RowDragLabel } from './RowDragLabel.tsx';
import { useRowDrag, type DraggedRows } from './use-row-drag.ts';

const rows: DraggedRows = {
  serviceId: '5f0c1a52-5a0e-4c8e-9d57-0f7d3a1b2c3e',
  label: 'reports/a.pdf',
  count: 1,
  selection: { kind: 'ids', ids: [1] },
  canMove: true,
};
const id = '5f0c1a52-5a0e-4c8e-9d57-0f7d3a1b2c3d';
const moved = vi.fn<(folder: string, dragged: DraggedRows) => void>();
const clicked = vi.fn<() => void>();

/** Result of `document.elementFromPoint`, which jsdom lacks. */
let under: Element | null = null;
beforeEach(() => {
  vi.clearAllMocks();
  under = null;
  Object.assign(document, { elementFromPoint: () => under });
});
afterEach(() => {
  useTakenOut.setState({ rows: null, isHeld: false });
  Reflect.deleteProperty(document, 'elementFromPoint');
});

/** The first row of the list. */
let first = 'a';
const taken = vi.fn<(row: string) => void>();

function Row({ dragged }: { dragged: DraggedRows | null }) {
  const take = (row: string) => {
    taken(row);
    return dragged;
  };
  const grab = useRowDrag({ take, move: moved });
  return (
    <>
      <button type="button" onPointerDown={(event) => grab(first, event)} onClick={clicked}>
        row
      </button>
      <p data-folder="archive">archive</p>
      <RowDragLabel />
      <LiveRegions />
    </>
  );
}

const inside = { clientX: 200, clientY: 100 };
const mouse = { button: 0, pointerType: 'mouse', ...inside };
const outside = { clientX: -3, clientY: 100 };
const label = () => screen.queryByText('reports/a.pdf');

function press(answers: Answers = {}, dragged: DraggedRows | null = rows) {
  const { main } = renderInApp(<Row dragged={dragged} />, answers);
  fireEvent.pointerDown(screen.getByRole('button'), mouse);
  return (name: string) => main.calls.filter((call) => call.name === name).map(({ input }) => input);
}
const moveTo = (at: { clientX: number; clientY: number }) =>
  fireEvent.pointerMove(window, { buttons: 1, ...at });

it('moves rows to the folder they are released over, without contacting the service', () => {
  const inputsOf = press();
  moveTo({ clientX: 203, clientY: 100 });
  expect(label()).toBeNull();
  under = screen.getByText('archive');
  moveTo({ clientX: 240, clientY: 120 });
  expect(label()).not.toBeNull();
  expect(useDropFolder.getState().folder).toBe('archive');
  fireEvent.pointerUp(window, { clientX: 240, clientY: 120 });
  // The release does not click the row.
  fireEvent.click(screen.getByRole('button'));
  expect(clicked).not.toHaveBeenCalled();
  expect(moved).toHaveBeenCalledExactlyOnceWith('archive', rows);
  expect(label()).toBeNull();
  expect(useDropFolder.getState().folder).toBeNull();
  expect(inputsOf('takeOut.prepare')).toEqual([]);
});

it('a press that hardly moves is a click', () => {
  press();
  moveTo({ clientX: 203, clientY: 100 });
  fireEvent.pointerUp(window, inside);
  fireEvent.click(screen.getByRole('button'));
  expect(clicked).toHaveBeenCalledOnce();
});

it('ends with Escape, with a missed release, and for rows that cannot be dragged', () => {
  press();
  moveTo({ clientX: 300, clientY: 100 });
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(label()).toBeNull();
  fireEvent.pointerDown(screen.getByRole('button'), mouse);
  moveTo({ clientX: 300, clientY: 100 });
  expect(label()).not.toBeNull();
  fireEvent.pointerMove(window, { buttons: 0, ...inside });
  expect(label()).toBeNull();
});

it('hands over to the system outside the window once the files are ready', async () => {
  const fetched = Promise.withResolvers<{ id: string }>();
  const inputsOf = press({
    'takeOut.prepare': () => fetched.promise,
    'takeOut.start': () => undefined,
  });
  moveTo({ clientX: 300, clientY: 100 });
  moveTo(outside);
  expect(await screen.findByText('Fetching… Keep holding.')).toBeTruthy();
  // Back inside the window, it can still be dropped on a folder.
  moveTo(inside);
  fetched.resolve({ id });
  await waitFor(() => expect(screen.queryByText('Fetching… Keep holding.')).toBeNull());
  expect(inputsOf('takeOut.start')).toEqual([]);
  moveTo(outside);
  await waitFor(() => expect(inputsOf('startDrag')).toHaveLength(1));
  expect(inputsOf('takeOut.start')).toEqual([{ id }]);
  expect(inputsOf('takeOut.prepare')).toEqual([{ selection: rows.selection, count: 1 }]);
  expect(label()).toBeNull();
  const { rows: taken, isHeld } = useTakenOut.getState();
  expect(isHeld).toBe(true);
  taken?.move?.('archive');
  expect(moved).toHaveBeenCalledExactlyOnceWith('archive', rows);
  // The next pointer event in the page means that the drag is over.
  fireEvent.pointerMove(window, { buttons: 0, ...inside });
  expect(useTakenOut.getState().isHeld).toBe(false);
});

it('starts no drag if the button is released before main has answered', async () => {
  const started = Promise.withResolvers<undefined>();
  const inputsOf = press({ 'takeOut.prepare': () => ({ id }), 'takeOut.start': () => started.promise });
  moveTo(outside);
  await waitFor(() => expect(inputsOf('takeOut.start')).toHaveLength(1));
  fireEvent.pointerUp(window, { buttons: 0, ...outside });
  await act(async () => started.resolve(undefined));
  expect(inputsOf('startDrag')).toEqual([]);
});

it.each([
  ['one object', [1], '0.64'],
  ['several objects, whose sizes are not known yet, without a figure', [1, 2], ''],
])('shows at the pointer how much is fetched of %s', async (_, ids, done) => {
  const dragged: DraggedRows = { ...rows, count: ids.length, selection: { kind: 'ids', ids } };
  const { main } = renderInApp(<Row dragged={dragged} />, {
    'takeOut.prepare': () => new Promise(() => undefined),
  });
  fireEvent.pointerDown(screen.getByRole('button'), mouse);
  moveTo(outside);
  await screen.findByText('Fetching… Keep holding.');
  const moving = { id: 7, objectId: 1, doneBytes: 640, totalBytes: 1000, bytesPerSecond: null, leftMs: null };
  act(() =>
    main.emit('transfers.progress', {
      entries: [moving],
      bytesPerSecond: null,
      leftMs: null,
      fraction: null,
    }),
  );
  const bar = document.querySelector<HTMLElement>('.row-drag .bar > i');
  expect(bar?.style.getPropertyValue('--done')).toBe(done);
});

it('says while fetching that the service is unreachable', async () => {
  const service = { ...testService, id: rows.serviceId, connection: 'unreachable' } as const;
  press({
    'services.list': () => ({ revision: 1, services: [service], activeId: service.id }),
    'takeOut.prepare': () => new Promise(() => undefined),
  });
  moveTo(outside);
  expect(await screen.findByText('Waiting for the service…')).toBeTruthy();
});

it('says that the files are ready if the button was released before', async () => {
  const fetched = Promise.withResolvers<{ id: string }>();
  const inputsOf = press({ 'takeOut.prepare': () => fetched.promise });
  moveTo(outside);
  await waitFor(() => expect(inputsOf('takeOut.prepare')).toHaveLength(1));
  fireEvent.pointerUp(window, outside);
  fetched.resolve({ id });
  expect(await screen.findByText('Fetched. Drag it out again.')).toBeTruthy();
  expect(inputsOf('takeOut.start')).toEqual([]);
});

it('says once why there are no files', async () => {
  const inputsOf = press({
    'takeOut.prepare': () => {
      throw new AppFailure({ code: 'notTakenOut', problem: 'largeToDrag' });
    },
  });
  moveTo(outside);
  expect(await screen.findByText(/Too large to drag out/)).toBeTruthy();
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  moveTo({ clientX: -9, clientY: 100 });
  act(() => void vi.advanceTimersByTime(1_000));
  expect(inputsOf('takeOut.prepare')).toHaveLength(1);
});

it('passing the edge of the window copies and fetches nothing', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const inputsOf = press({ 'takeOut.prepare': () => new Promise(() => undefined) });
  moveTo(outside);
  act(() => void vi.advanceTimersByTime(150));
  moveTo(inside);
  act(() => void vi.advanceTimersByTime(1_000));
  expect(inputsOf('takeOut.prepare')).toEqual([]);
  moveTo(outside);
  act(() => void vi.advanceTimersByTime(150));
  moveTo({ clientX: -40, clientY: 100 });
  act(() => void vi.advanceTimersByTime(150));
  expect(inputsOf('takeOut.prepare')).toHaveLength(1);
});

it('a window that is behind another is outside everywhere: no folder takes the rows', async () => {
  const inputsOf = press({ 'takeOut.prepare': () => ({ id }), 'takeOut.start': () => undefined });
  under = screen.getByText('archive');
  moveTo({ clientX: 240, clientY: 120 });
  fireEvent.blur(window);
  expect(useDropFolder.getState().folder).toBeNull();
  await waitFor(() => expect(inputsOf('takeOut.start')).toEqual([{ id }]));
  fireEvent.pointerUp(window, { clientX: 240, clientY: 120 });
  expect(moved).not.toHaveBeenCalled();
});

it('only a mouse drags', () => {
  press();
  fireEvent.pointerDown(screen.getByRole('button'), { ...mouse, pointerType: 'pen' });
  moveTo({ clientX: 300, clientY: 100 });
  expect(label()).toBeNull();
});

it('drags the pressed row, even if another has its index now', () => {
  onTestFinished(() => void (first = 'a'));
  press();
  first = 'b';
  moveTo({ clientX: 300, clientY: 100 });
  expect(taken).toHaveBeenCalledExactlyOnceWith('a');
});

it('opens no menu during a drag', () => {
  const opened = vi.fn<() => void>();
  press();
  const button = screen.getByRole('button');
  button.addEventListener('contextmenu', opened);
  moveTo({ clientX: 300, clientY: 100 });
  expect(fireEvent.contextMenu(button)).toBe(false);
  expect(opened).not.toHaveBeenCalled();
  fireEvent.pointerUp(window, { clientX: 300, clientY: 100 });
  expect(fireEvent.contextMenu(button)).toBe(true);
});

it('scrolls the list of folders with the pointer at its edge', () => {
  const frames: FrameRequestCallback[] = [];
  const spy = vi.spyOn(window, 'requestAnimationFrame').mockImplementation((run) => frames.push(run));
  onTestFinished(() => spy.mockRestore());
  let nowMs = performance.now() + 1_000;
  const run = (count: number) => {
    for (let each = 0; each < count; each += 1) act(() => frames.shift()?.((nowMs += 20)));
  };
  press();
  const folder = screen.getByText('archive');
  const list = folder.parentElement ?? document.body;
  list.style.overflowY = 'auto';
  Object.defineProperties(list, { scrollHeight: { value: 900 }, clientHeight: { value: 200 } });
  list.getBoundingClientRect = () => new DOMRect(0, 0, 240, 200);
  under = folder;
  moveTo({ clientX: 100, clientY: 100 });
  run(5);
  expect(list.scrollTop).toBe(0);
  moveTo({ clientX: 100, clientY: 196 });
  run(5);
  const down = list.scrollTop;
  expect(down).toBeGreaterThan(40);
  moveTo({ clientX: 100, clientY: 4 });
  run(3);
  expect(list.scrollTop).toBeLessThan(down);
  fireEvent.keyDown(document.body, { key: 'Escape' });
});
