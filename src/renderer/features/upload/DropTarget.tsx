import { useCallback, useEffect, useState, type ReactElement, type ReactNode, useEffectEvent } from 'react';
import { commonTexts } from '../../i18n/common-texts.ts';
import { fill } from '../../i18n/rich.tsx';
import { objectTexts } from '../../i18n/object-texts.ts';
import { uploadTexts } from '../../i18n/upload-texts.ts';
import { useClient } from '../../app/client.ts';
import { useCommand } from '../../app/commands.ts';
import { dropTaker, folderUnder, takeHeldDrops, useDropFolder } from '../../app/drops.ts';
import { isDialogOpen } from '../../app/key-bindings.ts';
import { folderOf, usePlace } from '../../app/place.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useActiveService } from '../../app/stores.ts';
import { heldRows, useTakenOut } from '../../app/taken-out.ts';
import { announce } from '../../ui/announce.tsx';
import { CofferRelief } from '../../ui/Relief.tsx';
import { useRootClass } from '../../ui/root-class.ts';
import { uploadStore, useIsSheetOpen } from './upload-store.ts';
import { useUploadStarter } from './use-upload.ts';
import './drop-target.css';

const texts = uploadTexts.drop;

/** Takes files dropped in the window or on Coffer's icon, pasted, or chosen by command. Only opens the sheet: nothing is sent. */
export function DropTarget() {
  const client = useClient();
  const { offerFiles, offerGrants, chooseFiles, chooseFolders } = useUploadStarter();
  const service = useActiveService();
  const isSheetOpen = useIsSheetOpen();
  const over = useDropFolder((drop) => drop.folder);
  const open = usePlace(folderOf);
  const folder = over ?? open;
  const takeDropped = useOwnDrops(offerFiles, service?.id ?? null);
  const dragged = useFilesOver(offerFiles, takeDropped, service?.id ?? null);
  const offerHeld = useEffectEvent(() => {
    const held = takeHeldDrops();
    if (held.length > 0) offerFiles(held);
  });
  const takeFromIcon = useEffectEvent(async () => {
    const { grants, refused } = await client.call('files.takeDropped', { isWanted: mayTake() });
    if (grants.length > 0) offerGrants(grants);
    if (refused > 0) announce(commonTexts.openDialogFirst, 'assertive');
  });
  const isReady = service !== null;
  useEffect(() => {
    if (!isReady) return undefined;
    offerHeld();
    const take = () => sayFailure(takeFromIcon());
    take();
    return client.on('files.dropped', take);
  }, [client, isReady]);
  useCommand('upload', chooseFiles);
  useCommand('uploadFolder', chooseFolders);

  useRootClass('has-drop', dragged !== null && !isSheetOpen);

  if (dragged === null || service === null) return null;
  const { name, separator } = service;
  const target = folder.split(separator).findLast((part) => part !== '') ?? name;
  return (
    <div className={isSheetOpen ? 'drop drop--sheet' : 'drop'} aria-hidden="true">
      <div className="drop__card">
        <CofferRelief tone="mark" size={88} />
        <div className="drop__words">
          <p className="drop__title">
            {isSheetOpen ? sheetTitle(dragged) : placeTitle(dragged, <bdi dir="ltr">{target}</bdi>)}
          </p>
          {folder !== '' && !isSheetOpen && (
            <p className="drop__place">
              <bdi dir="ltr">{folder + separator}</bdi>
            </p>
          )}
          <p className="drop__text">{isSheetOpen ? texts.sheetText : objectTexts.empty.dropText}</p>
        </div>
      </div>
    </div>
  );
}

/** Moves rows that were dragged out and dropped back on this window: their files are copies of stored objects. */
function useOwnDrops(offer: TakeFiles, serviceId: string | null): TakeFiles {
  const client = useClient();
  return useCallback(
    (files, folder) => {
      const { rows } = useTakenOut.getState();
      if (files.length !== rows?.count || rows.serviceId !== serviceId) return offer(files, folder);
      const inspect = async () => {
        const { grants } = await client.grantFiles(files);
        const { isOwn } =
          grants.length === files.length ? await client.call('takeOut.owns', { grants }) : { isOwn: false };
        if (!isOwn) offer(files, folder);
        else if (folder !== undefined) rows.move?.(folder);
      };
      return sayFailure(inspect());
    },
    [client, offer, serviceId],
  );
}

function sheetTitle({ count, areFiles }: Dragged): string {
  if (count === 0) return texts.intoSheet;
  return areFiles ? texts.countIntoSheet({ count }) : texts.itemsIntoSheet({ count });
}

function placeTitle({ count, areFiles }: Dragged, target: ReactElement): ReactNode {
  if (count === 0) return fill(texts.into, { target });
  return fill(areFiles ? texts.countInto : texts.itemsInto, { count, target });
}

/** Another component that takes files; an open sheet takes them itself. */
function otherTaker() {
  return uploadStore.getState().plan === null ? dropTaker() : null;
}

/** Whether files are accepted now: into the open sheet, or when no dialog is open. */
function mayTake(): boolean {
  return uploadStore.getState().plan !== null || !isDialogOpen();
}

/**
 * Above this number, count all items: inspecting ten thousand would take seconds, and an item that is not a
 * file would go unnoticed.
 */
const maxItemsRead = 100;

/** `areFiles`: none can be a folder, which has no type, as files of unknown kinds have none. `count`: 0 if the system does not say. */
type Dragged = { count: number; areFiles: boolean };

function draggedIn({ items }: DataTransfer): Dragged {
  if (items.length > maxItemsRead) return { count: items.length, areFiles: false };
  const files = [...items].filter(({ kind }) => kind === 'file');
  return { count: files.length, areFiles: files.every(({ type }) => type !== '') };
}

type TakeFiles = (files: File[], folder?: string) => void;

/** What is dragged over the window; null: nothing, or nothing that is accepted. */
function useFilesOver(take: TakeFiles, takeDropped: TakeFiles, serviceId: string | null): Dragged | null {
  const [dragged, setDragged] = useState<Dragged | null>(null);
  useEffect(() => {
    let depth = 0;
    const end = () => {
      depth = 0;
      setDragged(null);
      useDropFolder.setState({ folder: null });
    };
    /** The dragged files, if any; prevents the browser's own handling. */
    function filesOf(event: DragEvent): DataTransfer | null {
      const { dataTransfer } = event;
      if (dataTransfer === null || !dataTransfer.types.includes('Files')) return null;
      event.preventDefault();
      return dataTransfer;
    }
    function enter(event: DragEvent) {
      const files = filesOf(event);
      if (files === null) return;
      depth += 1;
      const found = draggedIn(files);
      const isOwn = heldRows(found.count, serviceId) !== null;
      if (mayTake() && otherTaker() === null && !isOwn) setDragged(found);
    }
    function over(event: DragEvent) {
      const files = filesOf(event);
      if (files === null) return;
      files.dropEffect = mayTake() || otherTaker() !== null ? 'copy' : 'none';
      const isIntoSheet = uploadStore.getState().plan !== null;
      const cannotMove = heldRows(draggedIn(files).count, serviceId)?.move === null;
      useDropFolder.setState({ folder: isIntoSheet || cannotMove ? null : (folderUnder(event) ?? null) });
    }
    function leave(event: DragEvent) {
      if (filesOf(event) === null) return;
      depth -= 1;
      if (depth <= 0) end();
    }
    function drop(event: DragEvent) {
      const files = filesOf(event);
      end();
      if (files !== null) offer(files, folderUnder(event), takeDropped);
    }
    function paste(event: ClipboardEvent) {
      const { clipboardData } = event;
      // Text is pasted into its field, even if the clipboard also has an image of it.
      if (clipboardData === null || clipboardData.files.length === 0) return;
      if (clipboardData.types.includes('text/plain')) return;
      event.preventDefault();
      offer(clipboardData, undefined, take);
    }
    function offer({ files }: DataTransfer, folder: string | undefined, to: TakeFiles) {
      const taker = otherTaker();
      if (taker !== null) taker([...files]);
      else if (mayTake()) to([...files], folder);
      else announce(commonTexts.openDialogFirst, 'assertive');
    }
    const stop = new AbortController();
    const { signal } = stop;
    window.addEventListener('dragenter', enter, { signal });
    window.addEventListener('dragover', over, { signal });
    window.addEventListener('dragleave', leave, { signal });
    window.addEventListener('drop', drop, { signal });
    window.addEventListener('paste', paste, { signal });
    return () => stop.abort();
  }, [take, takeDropped, serviceId]);
  return dragged;
}
