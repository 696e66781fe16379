import { useEffect, useEffectEvent, useState } from 'react';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { objectChangeTexts } from '../../../i18n/object-change-texts.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import type { Output, SelectionSummary } from '../../../../shared/contract.ts';
import type { Selection } from '../../../../shared/domain/object.ts';
import { focusGrid } from '../../../app/grid.ts';
import { useClient, type Client } from '../../../app/client.ts';
import { useAct } from '../../../app/use-act.ts';
import { errorLine } from '../../../../shared/i18n/error-text.ts';
import { formatBytes } from '../../../../shared/i18n/format.ts';
import { shownOf } from '../../../../shared/domain/shown-of.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Choice.tsx';
import { AlertDialog } from '../../../ui/Dialog.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { Identifier } from '../../../ui/Identifier.tsx';
import { scrollable } from '../../../ui/scrollable.ts';
import { Size } from '../../../ui/Size.tsx';
import { fileIcon } from '../../../app/file-kind.ts';
import { forgetObjects } from './forget-objects.ts';
import { freeze } from './freeze.ts';
import { deleteObjects, removeFolders, type DoomedFolders } from './use-deletion.ts';
import './delete-dialog.css';
import { focusHere } from '../../../ui/focus.ts';
import { useFocusReturn } from '../../../ui/use-focus-return.ts';
import { ServicePlace } from '../../../app/ServicePlace.tsx';

const texts = objectChangeTexts.delete;

const namesShown = 10;
const typeAbove = 20;

type Props = {
  selection: Selection;
  /** Without the ten seconds in which it can be undone. */
  isNow: boolean;
  /** Those without objects among what is deleted. */
  folders?: DoomedFolders;
  separator: string;
  serviceName: string;
  /** Called when the deletion has begun. */
  onDone: () => void;
  onClose: () => void;
};

type Chosen = {
  alone: Selection;
  withOlder: Selection;
  older: number;
};

type Doomed = {
  selection: Selection;
  summary: SelectionSummary;
  /** Number of objects that were never stored. */
  unstored: number;
  /** Number of objects whose presence is unverified. */
  unseen: number;
  rows: Output<'objects.names'>['rows'];
};

/** Asks before a deletion. The focus is on Cancel; above twenty objects the count must be typed. */
export function DeleteDialog({ selection, isNow, folders, separator, serviceName, onDone, onClose }: Props) {
  const client = useClient();
  /** The selection, and the selection with its older versions, which the person may include. */
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [isWithOlder, setWithOlder] = useState(false);
  const [doomed, setDoomed] = useState<Doomed | null>(null);
  const [typed, setTyped] = useState('');
  const act = useAct();

  const load = useEffectEvent(() =>
    act.run(async () => {
      const alone = await freeze(client, selection);
      const found = await client.call('objects.freezeVersions', { selection: alone });
      setDoomed(await describe(client, alone));
      setChosen({ alone, withOlder: found.selection, older: found.older });
    }),
  );
  useEffect(() => void load(), [selection]);
  useFocusReturn(focusGrid);

  if (doomed === null && act.error === null) return null;
  const { unstored = 0, unseen = 0 } = doomed ?? {};
  /** Number of objects deleted at the service. */
  const count = (doomed?.summary.count ?? 0) - unstored;
  const isRemoval = unstored > 0 && count === 0;
  const rowCount = (doomed?.summary.count ?? 0) - (isWithOlder ? (chosen?.older ?? 0) : 0);
  const mustType = count > typeAbove;
  const isTyped = !mustType || typed.replace(/\D/g, '') === String(count);

  function takeOlder(isTaken: boolean) {
    if (chosen === null) return;
    setWithOlder(isTaken);
    setTyped('');
    void act.run(async () => setDoomed(await describe(client, isTaken ? chosen.withOlder : chosen.alone)));
  }

  function remove() {
    void act.run(async () => {
      if (doomed === null) return;
      const { selection: going } = doomed;
      if (unstored > 0) await forgetObjects(client, going, { unstoredOnly: true });
      if (!isRemoval) await deleteObjects(client, going, isNow, folders);
      else if (folders) await removeFolders(client, folders);
      onDone();
    });
  }

  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title={titleOf(doomed, count)}
      place={<ServicePlace name={serviceName} />}
      buttons={
        <>
          <Button {...focusHere} className="doomed-cancel" size="large" onPress={onClose}>
            {commonTexts.cancel}
          </Button>
          <Button
            kind={isRemoval ? 'primary' : 'fatal'}
            size="large"
            isDisabled={count + unstored === 0 || !isTyped}
            isPending={act.isRunning}
            onPress={remove}
          >
            {isRemoval ? commonTexts.removeFromList : objectTexts.act.delete}
          </Button>
        </>
      }
    >
      <p>
        {isRemoval ? (
          texts.neverStored({ count: unstored })
        ) : (
          <>
            <b>{isNow ? texts.forever : texts.undoable}</b> {texts.nobody({ count })}
          </>
        )}
        <br />
        {!isRemoval && unstored > 0 && (
          <>
            {texts.othersUnstored({ count: unstored })}
            <br />
          </>
        )}
        {folders && folders.paths.length > 0 && (
          <>
            {texts.emptyFolders({ count: folders.paths.length })}
            <br />
          </>
        )}
        {texts.files}
        {!isRemoval && unseen > 0 && (
          <>
            <br />
            {doomed?.summary.count === 1 ? texts.unseenOne : texts.unseen({ count: unseen })}
          </>
        )}
      </p>
      {doomed && <DoomedList doomed={doomed} separator={separator} />}
      {chosen !== null && chosen.older > 0 && (
        <div className="doomed__older">
          <Checkbox isSelected={isWithOlder} onChange={takeOlder} isDisabled={act.isRunning}>
            {olderText(rowCount, chosen.older)}
          </Checkbox>
        </div>
      )}
      {mustType && (
        <TextField
          className="doomed__type"
          label={texts.confirm({ count })}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
        />
      )}
      {act.error && <p className="doomed__error">{errorLine(act.error)}</p>}
    </AlertDialog>
  );
}

async function describe(client: Client, selection: Selection): Promise<Doomed> {
  const [summary, { states, unseen }, { rows }] = await Promise.all([
    client.call('objects.summarize', { selection }),
    client.call('objects.mixOf', { selection }),
    client.call('objects.names', { selection, limit: namesShown + 1 }),
  ]);
  const unstored = states.find(({ state }) => state === 'failed')?.count ?? 0;
  const shown = rows.slice(0, shownOf(summary.count, namesShown));
  return { selection, summary, unstored, unseen, rows: shown };
}

function olderText(rows: number, older: number): string {
  return rows === 1 ? texts.olderOfOne({ count: older }) : texts.olderOfMany({ count: older });
}

function titleOf(doomed: Doomed | null, count: number): string {
  if (doomed === null) return objectTexts.act.delete;
  return count === 0 && doomed.unstored > 0
    ? objectChangeTexts.removeAll.title({ count: doomed.unstored })
    : texts.title({ count });
}

function DoomedList({ doomed: { summary, rows }, separator }: { doomed: Doomed; separator: string }) {
  const more = summary.count - rows.length;
  return (
    <div {...scrollable} className="doomed" aria-label={commonTexts.objects({ count: summary.count })}>
      <ul>
        {rows.map(({ id, identifier, lengthBytes }) => (
          <li key={id} title={identifier}>
            <Identifier identifier={identifier} separator={separator} icon={fileIcon({ identifier })} />
            {lengthBytes === null ? <span className="none">–</span> : <Size {...formatBytes(lengthBytes)} />}
          </li>
        ))}
        {more > 0 && <li className="doomed__more">{commonTexts.andMore({ count: more })}</li>}
        <li className="doomed__sum">
          <span>
            {commonTexts.objects({ count: summary.count })}
            {summary.unknownLengths > 0 && (
              <span className="doomed__more"> {texts.unknownSize({ count: summary.unknownLengths })}</span>
            )}
          </span>
          <Size {...formatBytes(summary.totalBytes)} />
        </li>
      </ul>
    </div>
  );
}
