import { useEffect, useState } from 'react';
import type { Folder } from '../../../shared/domain/object.ts';
import type { UploadPlan } from '../../../shared/domain/upload-plan.ts';
import { useClient } from '../../app/client.ts';
import { objectTexts } from '../../i18n/object-texts.ts';
import { uploadTexts as texts } from '../../i18n/upload-texts.ts';
import { ComboBox } from '../../ui/ComboBox.tsx';
import { Icon } from '../../ui/Icon.tsx';

type Props = {
  plan: UploadPlan;
  separator: string;
  /** @param folder `''`: the top */
  onChange: (folder: string) => void;
};

/** The folder for all files: one of the list, level by level, or a new one. Empty is the top. */
export function IntoField({ plan, separator, onChange }: Props) {
  const { intoFolder, serviceId } = plan;
  const [state, setState] = useState({ of: intoFolder, typed: intoFolder });
  if (state.of !== intoFolder) setState({ of: intoFolder, typed: intoFolder });
  const { typed } = state;
  const setTyped = (next: string) => setState({ of: intoFolder, typed: next });
  const isTyping = typed !== intoFolder;
  const parent = typed.slice(0, Math.max(0, typed.lastIndexOf(separator)));
  const folders = useFolders(serviceId, parent);
  const begun = typed.toLowerCase();
  const found = isTyping ? folders.filter(({ path }) => path.toLowerCase().startsWith(begun)) : folders;
  const top = isTyping ? [] : [{ path: '', label: objectTexts.place.files }];
  const options = [...top, ...found.map(({ path }) => ({ path, label: path }))];

  function commit(text: string): void {
    let folder = text.trim();
    while (folder.endsWith(separator)) folder = folder.slice(0, -separator.length);
    setTyped(folder);
    if (folder !== intoFolder) onChange(folder);
  }
  return (
    <ComboBox
      label={texts.into}
      sections={[
        {
          id: 'folders',
          title: null,
          options: options.map(({ path, label }) => ({
            id: idOf(path),
            label,
            mark: <Icon name="folder" />,
          })),
        },
      ]}
      inputValue={typed}
      maxLength={8192}
      placeholder={objectTexts.place.files}
      onInputChange={setTyped}
      selectedId={isTyping ? null : idOf(intoFolder)}
      onSelect={(id) => {
        const chosen = options.find(({ path }) => idOf(path) === id);
        if (chosen !== undefined) commit(chosen.path);
      }}
      onBlur={() => commit(typed)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isTyping) {
          event.stopPropagation();
          setTyped(intoFolder);
        } else if (event.key === 'Enter' && !event.currentTarget.hasAttribute('aria-activedescendant')) {
          commit(typed);
        }
      }}
      none={texts.newFolder}
    />
  );
}

/** A key must not be empty. */
const idOf = (path: string) => `folder ${path}`;

/** The folders at the top or in another folder; none while they load, or if that fails. */
function useFolders(serviceId: string, parent: string): readonly Folder[] {
  const client = useClient();
  const of = `${serviceId} ${parent}`;
  const [known, setKnown] = useState<{ of: string; folders: readonly Folder[] }>({ of: '', folders: [] });
  useEffect(() => {
    let live = true;
    client.call('objects.folders', { serviceId, parent }).then(
      ({ folders }) => live && setKnown({ of, folders }),
      () => undefined,
    );
    return () => {
      live = false;
    };
  }, [client, of, serviceId, parent]);
  return known.of === of ? known.folders : [];
}
