import { useEffect, useRef, useState } from 'react';
import { checkFolderName, folderAbove } from '../../../shared/domain/folder.ts';
import type { Service } from '../../../shared/domain/service.ts';
import { fieldTexts } from '../../../shared/i18n/field-texts.ts';
import { errorLine } from '../../../shared/i18n/error-text.ts';
import { useClient } from '../../app/client.ts';
import { useCommand } from '../../app/commands.ts';
import { FormDialog } from '../../app/FormDialog.tsx';
import { focusGrid } from '../../app/grid.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { folderOf, placeTitle, showPlace, usePlace } from '../../app/place.ts';
import { useAct } from '../../app/use-act.ts';
import { folderTexts as texts } from '../../i18n/folder-texts.ts';
import { TextField } from '../../ui/Field.tsx';
import { focusHere } from '../../ui/focus.ts';
import { useFocusReturn } from '../../ui/use-focus-return.ts';
import { selectFolder } from './state/browser-store.ts';
import { askForFolder, useNewFolder } from './state/new-folder.ts';

const close = () => useNewFolder.setState({ into: null });

/** Opened by a command for the open place, or from the menu of a folder. */
export function NewFolder({ service }: { service: Service }) {
  const into = useNewFolder((state) => state.into);
  useCommand('newFolder', () => askForFolder(folderOf(usePlace.getState())));
  useEffect(() => close, [service.id]);
  return (
    into !== null && (
      <DialogPane onClose={close}>
        <NewFolderDialog service={service} into={into} />
      </DialogPane>
    )
  );
}

function NewFolderDialog({ service, into }: { service: Service; into: string }) {
  const { id: serviceId, name: serviceName, separator } = service;
  const client = useClient();
  const act = useAct();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string>(texts.new);
  const [taken, setTaken] = useState<{ name: string; by: keyof typeof texts.taken } | null>(null);
  const name = typed.trim();
  const verdict = checkFolderName(name, separator);
  const isTaken = taken?.name === name;

  useEffect(() => input.current?.select(), []);
  useFocusReturn(focusGrid);

  function problem(): string | undefined {
    if (isTaken) return texts.taken[taken.by];
    if (name === '' || verdict.ok) return undefined;
    return errorLine({ code: 'badIdentifier', problem: verdict.problem });
  }

  function make() {
    void act.run(async () => {
      const made = await client.call('objects.makeFolder', { serviceId, into, name });
      if (made.taken !== null) return setTaken({ name, by: made.taken });
      showPlace({ kind: 'folder', path: folderAbove(made.path, separator) });
      selectFolder(made.path);
      return close();
    });
  }

  const folder = placeTitle({ kind: 'folder', path: into }, separator);
  return (
    <FormDialog
      title={texts.new}
      place={serviceName}
      size="medium"
      say={texts.into({ folder })}
      act={act}
      button={{ label: texts.create, isReady: verdict.ok && !isTaken, onPress: make }}
      onClose={close}
    >
      <TextField
        {...focusHere}
        inputRef={input}
        label={fieldTexts.name}
        value={typed}
        onChange={setTyped}
        maxLength={1000}
        problem={problem()}
      />
    </FormDialog>
  );
}
