import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { objectChangeTexts } from '../../../i18n/object-change-texts.ts';
import type { Input, Output } from '../../../../shared/contract.ts';
import { folderPrefix } from '../../../../shared/domain/folder.ts';
import type { Selection } from '../../../../shared/domain/object.ts';
import { errorLine } from '../../../../shared/i18n/error-text.ts';
import { formatSize } from '../../../../shared/i18n/format.ts';
import { useClient } from '../../../app/client.ts';
import { turnDock } from '../../../app/dock.ts';
import { fileIcon } from '../../../app/file-kind.ts';
import { focusGrid } from '../../../app/grid.ts';
import { useActiveService } from '../../../app/stores.ts';
import { followMove } from '../../../app/undo-move.ts';
import { useAct } from '../../../app/use-act.ts';
import { announce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Identifier } from '../../../ui/Identifier.tsx';
import { useFocusReturn } from '../../../ui/use-focus-return.ts';
import { select, selectInNextList } from '../state/browser-store.ts';
import { DialogError, FailedDialog } from './FailedDialog.tsx';
import { freeze } from './freeze.ts';
import { isFolder } from './is-folder.ts';
import { nothingSelected } from '../state/selection.ts';
import './move-dialog.css';
import { folderTexts } from '../../../i18n/folder-texts.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { fieldTexts } from '../../../../shared/i18n/field-texts.ts';
import { ServicePlace } from '../../../app/ServicePlace.tsx';

const texts = objectChangeTexts.move;
/** Delay in ms after the last keystroke before the text is looked up. */
const typedMs = 150;

type Chosen = {
  selection: Selection;
  count: number;
  /** Initial text of the field. */
  start: string;
};
type Plan = Output<'objects.planMove'>;
type To = Input<'objects.move'>['to'];
type Props = {
  selection: Selection;
  separator: string;
  serviceName: string;
  /** Path of the folder to rename, all of which is selected. */
  folder?: string;
  /** Initial folder, '' for the root; omitted: the one they are in. */
  into?: string;
  /** Initial text of the field, which is not where they are. */
  wanted?: string;
  onClose: () => void;
};

/** Asks for a new identifier of an object, a new folder for several, or a new path of a folder, and shows the result for each object. */
export function MoveDialog({ selection, separator, serviceName, folder, into, wanted, onClose }: Props) {
  const client = useClient();
  const service = { id: useActiveService()?.id ?? '', separator };
  const act = useAct();
  const input = useRef<HTMLInputElement>(null);
  /** Guards against Enter pressed twice before the next render. */
  const isMoving = useRef(false);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [typed, setTyped] = useState('');
  const [plan, setPlan] = useState<{ plan: Plan; for: string; isJoined: boolean } | null>(null);

  const begin = useEffectEvent(() =>
    act.run(async () => {
      // Folders move with what is in them by then.
      const frozen = selection.kind === 'folders' ? selection : await freeze(client, selection);
      const { base, chosen: count } = await client.call('objects.planMove', {
        selection: frozen,
        to: { kind: 'folder', folder: '' },
      });
      const nameAt =
        count === 1 && selection.kind !== 'folders' ? base.lastIndexOf(separator) + 1 : base.length;
      const above = into === undefined ? base.slice(0, nameAt) : into && into + separator;
      const start = folder ?? above + base.slice(nameAt);
      setTyped(wanted ?? start);
      setChosen({ selection: frozen, count, start });
    }),
  );
  useEffect(() => void begin(), [selection]);
  useFocusReturn(focusGrid);

  const isOne = chosen?.count === 1 && folder === undefined && chosen.selection.kind !== 'folders';
  const to = toOf(typed, isOne, folder, separator);
  const load = useEffectEvent((isCurrent: () => boolean) =>
    act.run(async () => {
      if (chosen === null) return;
      const path = to.kind === 'beginning' ? to.to.slice(0, -separator.length) : '';
      const [found, isJoined] = await Promise.all([
        client.call('objects.planMove', { selection: chosen.selection, to }),
        path !== '' && path !== folder && isFolder(client, service, path),
      ]);
      if (isCurrent()) setPlan({ plan: found, for: typed, isJoined });
    }),
  );
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => void load(() => isCurrent), typedMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [chosen, typed]);

  // The name is selected without its folder and its extension, as file managers do.
  useEffect(() => {
    if (chosen === null) return;
    const value = input.current?.value ?? '';
    const start = value.lastIndexOf(separator) + 1;
    const dot = value.lastIndexOf('.');
    input.current?.focus();
    input.current?.setSelectionRange(start, isOne && dot > start ? dot : value.length);
  }, [chosen, isOne, separator]);

  if (chosen === null) {
    return (
      act.error && (
        <FailedDialog title={texts.rename} serviceName={serviceName} error={act.error} onClose={onClose} />
      )
    );
  }
  const current = plan?.for === typed ? plan.plan : null;
  const count = current?.count ?? 0;
  const { folders = 0 } = current ?? {};
  // After a drop on a folder, the initial text is a valid destination.
  const isUnchanged = into === undefined && typed === chosen.start;
  const isReady = current !== null && problemOf(current, isOne) === undefined && count + folders > 0;

  function move() {
    if (!isReady || chosen === null || isMoving.current) return;
    isMoving.current = true;
    void act
      .run(async () => {
        const moved = await client.call('objects.move', { selection: chosen.selection, to });
        if (moved.count > 0 || !moved.folders)
          announce(texts.started({ count: moved.count }), 'polite', { isOnScreen: moved.count > 0 });
        followMove(client, service, folder === undefined ? 'move' : 'rename', moved);
        // The selected rows are about to disappear.
        if (moved.count > 0 || moved.folders) select(nothingSelected);
        if (moved.renamedId !== null) selectInNextList(moved.renamedId);
        else if (moved.count > 0) turnDock('transfers');
        onClose();
      })
      .then(() => {
        isMoving.current = false;
      });
  }

  const titleOf = (objects: number) =>
    chosen.count === 0 && chosen.selection.kind === 'folders'
      ? folderTexts.move({ count: chosen.selection.paths.length })
      : texts.title({ count: objects });

  return (
    <Dialog
      isOpen
      size={isOne ? 'medium' : 'wide'}
      onClose={onClose}
      title={isOne ? texts.rename : titleOf(chosen.count)}
      facts={isReady && count > 0 && formatSize(current.totalBytes)}
      place={<ServicePlace name={serviceName} />}
      say={current && (isReady || !isUnchanged) && !problemOf(current, isOne) && <Say plan={current} />}
      buttons={
        <>
          <Button size="large" onPress={onClose}>
            {commonTexts.cancel}
          </Button>
          <Button kind="primary" size="large" isDisabled={!isReady} isPending={act.isRunning} onPress={move}>
            {isOne ? texts.renameNow : titleOf(count > 0 ? count : chosen.count)}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // Unchanged text would still move objects out of subfolders: that takes a press on the button.
          if (!isUnchanged) move();
        }}
      >
        <TextField
          isCode
          inputRef={input}
          label={folder === undefined ? (isOne ? fieldTexts.identifier : texts.into) : fieldTexts.folder}
          value={typed}
          onChange={setTyped}
          maxLength={8192}
          problem={current === null ? undefined : problemOf(current, isOne)}
          {...(current !== null && plan?.isJoined === true && { hint: folderTexts.joined })}
          {...(!isOne && { placeholder: objectTexts.place.files })}
        />
      </form>
      {!isOne && isReady && count > 0 && <Names plan={current} separator={separator} />}
      {chosen.count > 0 && (
        <div className="move__how">
          <Icon name="check" />
          <p>
            {texts.how({ count: chosen.count })}
            <span className="move__dim">{texts.stays({ count: chosen.count })}</span>
          </p>
        </div>
      )}
      {act.error && <DialogError error={act.error} />}
    </Dialog>
  );
}

function toOf(typed: string, isOne: boolean, folder: string | undefined, separator: string): To {
  if (isOne) return { kind: 'name', identifier: typed };
  const path = typed.trim();
  if (folder === undefined) return { kind: 'folder', folder: path };
  return { kind: 'beginning', from: folder + separator, to: folderPrefix(path, separator) };
}

function problemOf({ error, taken }: Plan, isOne: boolean): string | undefined {
  if (error) return errorLine(error);
  return isOne && taken > 0 ? texts.isTaken : undefined;
}

function Say({ plan: { count, taken, leftOut, isUnchecked } }: { plan: Plan }) {
  if (taken > 0) return texts.taken({ count: taken });
  if (leftOut > 0) return texts.leftOut({ count: leftOut });
  if (isUnchecked) return texts.unchecked;
  return count > 0 ? texts.free({ count }) : null;
}

function Names({ plan: { rows, count }, separator }: { plan: Plan; separator: string }) {
  return (
    <table className="move__names">
      <thead>
        <tr>
          <th>{texts.now}</th>
          <th>{texts.afterwards}</th>
          <th className="move__size">{objectTexts.column.size}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, identifier, to, lengthBytes }) => (
          <tr key={id}>
            <td>
              <Identifier
                keepsFolder
                identifier={identifier}
                separator={separator}
                icon={fileIcon({ identifier })}
              />
            </td>
            <td>
              <span className="move__then">
                <Icon name="arrow" />
                <Identifier keepsFolder identifier={to} separator={separator} />
              </span>
            </td>
            <td className="move__size">{lengthBytes !== null && formatSize(lengthBytes)}</td>
          </tr>
        ))}
        {count > rows.length && (
          <tr>
            <td className="move__more" colSpan={3}>
              {texts.more({ count: count - rows.length })}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
