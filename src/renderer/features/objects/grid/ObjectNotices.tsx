import type { ObjectQuery, Place } from '../../../../shared/domain/object.ts';
import type { Service } from '../../../../shared/domain/service.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { errorLine } from '../../../../shared/i18n/error-text.ts';
import { folderTexts } from '../../../i18n/folder-texts.ts';
import { uploadTexts } from '../../../i18n/upload-texts.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { runCommand } from '../../../app/commands.ts';
import { isMac, keysOf } from '../../../app/key-bindings.ts';
import { isTop, setSearch } from '../../../app/place.ts';
import { Slot, useSharedWith } from '../../../app/slots.tsx';
import { useActiveService } from '../../../app/stores.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { KeyHint } from '../../../ui/KeyHint.tsx';
import { Way } from '../../../ui/Way.tsx';
import { problemAdvice } from '../search/search-problem.ts';

/** Why the place is empty. */
function emptyPlaceText(place: Place): string {
  switch (place.kind) {
    case 'all':
    case 'unfiled':
    case 'folder':
      return objectTexts.empty.folder;
    case 'classification':
      return objectTexts.empty.classification;
    case 'gone':
      return objectTexts.empty.gone;
    case 'attention':
      return objectTexts.empty.attention;
    case 'recent':
      return objectTexts.empty.recent;
  }
}

const texts = objectTexts.empty;

const placeIcons = {
  all: 'all',
  unfiled: 'folder',
  folder: 'folder',
  classification: 'all',
  gone: 'gone',
  attention: 'okay',
  recent: 'clock',
} as const;

type EmptyListProps = Pick<ObjectQuery, 'place' | 'search'> & {
  /** It is a folder that is kept without objects. */
  isKept: boolean;
  service: Pick<Service, 'id' | 'name' | 'isLocal'>;
};

/** Shown instead of rows when there are none, with what to do. */
export function EmptyList({ place, search, isKept, service }: EmptyListProps) {
  if (search !== '') return <NothingFound search={search} text={texts.noMatch} />;
  if (isKept) return <EmptyFolder />;
  if (place.kind !== 'all' && !isTop(place)) {
    return <EmptyState icon={placeIcons[place.kind]} title={texts.here} text={emptyPlaceText(place)} />;
  }
  return service.isLocal ? <EmptyLocal /> : <EmptyService service={service} />;
}

function EmptyFolder() {
  return (
    <EmptyState
      icon="folder"
      title={folderTexts.empty}
      text={folderTexts.emptyText}
      buttons={
        <Button kind="line" icon="upload" onPress={() => runCommand('upload')}>
          {uploadTexts.title}
        </Button>
      }
    />
  );
}

/** The service on this computer: it contains only what was added here. */
function EmptyLocal() {
  return (
    <EmptyState
      title={texts.drop}
      text={texts.dropText}
      buttons={
        <>
          <Button kind="line" onPress={() => runCommand('upload')}>
            {texts.chooseFiles}
          </Button>
          <Button kind="line" onPress={() => runCommand('uploadFolder')}>
            {texts.chooseFolder}
          </Button>
        </>
      }
      keys={
        <>
          <span>
            <KeyHint keys={isMac ? '⌘+V' : 'Ctrl+V'} />
            {texts.paste}
          </span>
          <span>
            <KeyHint keys={keysOf('palette') ?? ''} />
            {texts.commands}
          </span>
        </>
      }
    />
  );
}

/** A service may hold objects that Coffer cannot know of (the interface lists nothing). */
function EmptyService({ service: { id, name } }: Pick<EmptyListProps, 'service'>) {
  return (
    <EmptyState
      title={texts.noList}
      text={texts.noListText({ service: name })}
      buttons={
        <div className="ways empty__ways">
          <Way icon="up" name={texts.upload} text={texts.uploadText} onPress={() => runCommand('upload')} />
          <Way
            icon="dn"
            name={texts.import}
            text={texts.importText}
            onPress={() => runCommand('importList')}
          />
          <Way
            icon="plus"
            name={objectTexts.act.addKnown}
            text={texts.addKnownText}
            onPress={() => runCommand('addKnown')}
          />
          <Slot name="emptyList" serviceId={id} />
        </div>
      }
    />
  );
}

/** Says that nothing was found, and why if the search is invalid, with a way back. */
export function NothingFound({ search, text }: { search: string; text: string }) {
  const hasTeam = useSharedWith(useActiveService()?.id ?? null) !== null;
  const wrong = problemAdvice(search, hasTeam);
  return (
    <EmptyState
      icon="search"
      title={commonTexts.nothingFound}
      text={
        wrong === null ? (
          text
        ) : (
          <>
            {wrong.problem}
            <br />
            {wrong.advice}
          </>
        )
      }
      buttons={
        <Button kind="line" onPress={() => setSearch('')}>
          {commonTexts.clearSearch}
        </Button>
      }
    />
  );
}

/** A line above the selection bar: what failed, while the list stays. */
export function Notice({ error, button, onPress }: { error: AppError; button: string; onPress: () => void }) {
  return (
    <div className="objects-notice">
      <Icon name="fail" />
      <span>{errorLine(error)}</span>
      <Button kind="line" size="small" onPress={onPress}>
        {button}
      </Button>
    </div>
  );
}
