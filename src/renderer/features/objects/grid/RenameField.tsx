import {
  createContext,
  type KeyboardEvent,
  type MouseEvent,
  use,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { FolderRow, Selection } from '../../../../shared/domain/object.ts';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { checkObjectId } from '../../../../shared/domain/object-id.ts';
import { versionOf } from '../../../../shared/domain/versions.ts';
import { errorLine } from '../../../../shared/i18n/error-text.ts';
import { type Client, useClient } from '../../../app/client.ts';
import { focusGrid } from '../../../app/grid.ts';
import { asAppError } from '../../../app/remote-store.ts';
import { useActiveService } from '../../../app/stores.ts';
import { followMove } from '../../../app/undo-move.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { announce } from '../../../ui/announce.tsx';
import { isFolder } from '../actions/is-folder.ts';
import type { Moved } from '../actions/use-object-actions.ts';
import { returnToFolder, selectInNextList, useBrowser } from '../state/browser-store.ts';
import './rename-field.css';

/** Opens the dialog for a name that is taken. */
export const AskToMove = createContext<(moved: Moved) => void>(() => undefined);

/** What a field renames: everything before the name stays. */
type Named = {
  before: string;
  name: string;
  separator: string;
  /** @returns false: the new name is taken */
  rename: (client: Client, identifier: string) => Promise<boolean>;
  /** For the dialog. */
  moved: Moved;
};

export function RenameObject({ row }: { row: ObjectRow }) {
  const service = useActiveService();
  if (service === null) return null;
  const { separator, versionMark } = service;
  const { base } = versionOf(row.identifier, separator, versionMark);
  const at = base.lastIndexOf(separator);
  const before = at < 0 ? '' : base.slice(0, at + separator.length);
  const selection = { kind: 'ids' as const, ids: [row.id] };
  async function rename(client: Client, identifier: string) {
    const to = { kind: 'name' as const, identifier };
    const { count, renamedId } = await client.call('objects.move', { selection, to, ifFree: true });
    if (renamedId !== null) selectInNextList(renamedId);
    return count > 0;
  }
  const name = base.slice(before.length);
  return <RenameField {...{ before, name, separator, rename, moved: { selection } }} isFile />;
}

export function RenameFolder({ folder: { path, name } }: { folder: FolderRow }) {
  const service = useActiveService();
  if (service === null) return null;
  const { id: serviceId, separator } = service;
  const at = { id: serviceId, separator };
  const selection: Selection = { kind: 'folders', serviceId, paths: [path], and: null };
  async function rename(client: Client, folder: string) {
    if (await isFolder(client, at, folder)) return false;
    const to = { kind: 'beginning' as const, from: path + separator, to: folder + separator };
    const started = await client.call('objects.move', { selection, to, ifFree: true });
    followMove(client, at, 'rename', started);
    const isRenaming = started.count > 0 || started.folders !== undefined;
    if (isRenaming) returnToFolder(folder);
    return isRenaming;
  }
  const before = path.slice(0, path.length - name.length);
  return <RenameField {...{ before, name, separator, rename, moved: { selection, folder: path } }} />;
}

/** A field in place of a name in the list: Enter and leaving it rename, Escape does not. */
function RenameField({ before, name, separator, rename, moved, isFile }: Named & { isFile?: boolean }) {
  const client = useClient();
  const askToMove = use(AskToMove);
  const problemId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(name);
  const [problem, setProblem] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  /** Also between two renders, as when Enter and the loss of focus come together. */
  const isOver = useRef(false);

  // As in file managers, without the extension.
  useEffect(() => {
    const dot = name.lastIndexOf('.');
    input.current?.focus();
    input.current?.setSelectionRange(0, isFile === true && dot > 0 ? dot : name.length);
  }, [name, isFile]);

  function close(returnsFocus: boolean) {
    isOver.current = true;
    useBrowser.setState({ renaming: null });
    if (returnsFocus) focusGrid();
  }

  async function finish(returnsFocus: boolean) {
    if (isOver.current) return;
    if (typed === name) return close(returnsFocus);
    const wrong = problemOf(typed, before, separator);
    setProblem(wrong);
    if (wrong !== null) return;
    isOver.current = true;
    setAsking(true);
    try {
      const isRenaming = await rename(client, before + typed);
      if (isRenaming) announce(objectTexts.rename.started({ name: typed }), 'polite', { isOnScreen: true });
      else askToMove({ ...moved, wanted: before + typed });
      close(returnsFocus && isRenaming);
    } catch (cause) {
      isOver.current = false;
      setProblem(errorLine(asAppError(cause)));
    } finally {
      setAsking(false);
    }
  }

  function takeKey(event: KeyboardEvent) {
    event.stopPropagation();
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    // Enter that ends the composition of a character.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') close(true);
    else void finish(true);
  }

  return (
    <span className="rename" {...ofItsOwn}>
      <input
        ref={input}
        className="rename__input"
        dir="ltr"
        aria-label={objectTexts.column.identifier}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : problemId}
        spellCheck={false}
        maxLength={8192}
        readOnly={isAsking}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setProblem(null);
        }}
        onKeyDown={takeKey}
        // The window itself may lose the focus.
        onBlur={() => document.hasFocus() && void finish(false)}
      />
      {problem !== null && <Problem id={problemId} text={problem} />}
    </span>
  );
}

/** Over the rows, which have no room for it. */
function Problem({ id, text }: { id: string; text: string }) {
  const ref = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => ref.current?.showPopover?.(), []);
  return (
    <span ref={ref} id={id} role="alert" popover="manual" className="rename__problem">
      {text}
    </span>
  );
}

const stop = (event: MouseEvent) => event.stopPropagation();
/** Presses in the field are none on its row. */
const ofItsOwn = {
  onClick: stop,
  onDoubleClick: stop,
  onContextMenu: stop,
  onPointerDown: stop,
} as const;

function problemOf(name: string, before: string, separator: string): string | null {
  if (name === '') return errorLine({ code: 'badIdentifier', problem: 'empty' });
  if (name.includes(separator)) return objectTexts.rename.hasSeparator({ separator });
  const verdict = checkObjectId(before + name);
  return verdict.ok ? null : errorLine({ code: 'badIdentifier', problem: verdict.problem });
}

/** Time in ms after which a second press on a name is no double click. */
const slowMs = 700;

/** Renames by a slow second press on the name of what alone is selected. */
export function useSlowPress(begin: () => void) {
  const pressed = useRef({ isOnName: false, timer: 0 });
  useEffect(() => () => clearTimeout(pressed.current.timer), []);
  const forget = () => clearTimeout(pressed.current.timer);
  return {
    forget,
    /** @param isOnly it was the only selected one before this press, in a list that has the focus */
    press(event: MouseEvent, isOnly: boolean) {
      forget();
      const isOnName =
        event.target instanceof Element &&
        event.target.closest('.id__leaf, .folder-row__name > bdi') !== null;
      pressed.current.isOnName = isOnName && isOnly && event.button === 0 && !hasModifier(event);
    },
    release(event: MouseEvent) {
      if (pressed.current.isOnName && event.detail === 1)
        pressed.current.timer = window.setTimeout(begin, slowMs);
    },
  };
}

function hasModifier({ altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return altKey || ctrlKey || metaKey || shiftKey;
}
