import { maxObjectBytes } from '../../../shared/domain/limits.ts';
import type { Skipped, WatchedFolder } from '../../../shared/domain/watch.ts';
import { formatList, formatSize, formatTime } from '../../../shared/i18n/format.ts';
import { uploadTexts } from '../../i18n/upload-texts.ts';
import { Button as AriaButton, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { ClassBadge } from '../../app/classification/ClassBadge.tsx';
import { useClient } from '../../app/client.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { objectTexts } from '../../i18n/object-texts.ts';
import { watchTexts as texts } from './watch-texts.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Switch } from '../../ui/Choice.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Identifier } from '../../ui/Identifier.tsx';
import type { IconName } from '../../ui/icons.tsx';
import { MenuButton } from '../../ui/Menu.tsx';
import { State } from '../../ui/State.tsx';
import { openWatchDialog } from './watch-store.ts';
import { settingsTexts } from '../../i18n/settings-texts.ts';
import { fieldTexts } from '../../../shared/i18n/field-texts.ts';

const problemTexts = uploadTexts.problem;

/** Why a file of a watched folder is not uploaded. */
function skippedText(problem: Skipped['problem']): string {
  switch (problem.code) {
    case 'tooLarge': {
      const isUsual = problem.limitBytes === maxObjectBytes.possible;
      return problemTexts.tooLarge({
        size: isUsual ? problemTexts.fiftyMegabytes : formatSize(problem.limitBytes),
      });
    }
    case 'badIdentifier':
      return problemTexts[problem.problem];
    case 'unreadableFolder':
      return texts.unreadableFolder;
    case 'unreadable':
    case 'unreadableName':
    case 'unsized':
    case 'gone':
    case 'special':
    case 'symbolicLink':
      return problemTexts[problem.code];
  }
}

type Tone = 'stored' | 'bad' | 'wait' | 'idle';

const icons: Record<WatchedFolder['state'], readonly [IconName, Tone]> = {
  starting: ['refresh', 'idle'],
  watching: ['check', 'stored'],
  away: ['warn', 'wait'],
  unreadable: ['warn', 'wait'],
  another: ['warn', 'wait'],
  moved: ['warn', 'wait'],
  off: ['pause', 'idle'],
};

/** One watched folder: its status, destination and skipped files. */
export function WatchedItem({ folder, separator }: { folder: WatchedFolder; separator: string }) {
  const client = useClient();
  const { id, name, label, choices, state } = folder;
  const isOn = state !== 'off' && state !== 'moved' && state !== 'another';
  const [icon, tone] = icons[state];
  const note = state === 'starting' || state === 'watching' || state === 'off' ? null : texts.notes[state];

  async function locate(): Promise<void> {
    const chosen = await client.call('files.chooseOne', { purpose: 'watchedFolder' });
    if (chosen !== null) await client.call('watch.locate', { id, grant: chosen.grant });
  }

  return (
    <li className={`watch ${isOn ? '' : 'watch--off'}`} aria-label={name}>
      <span className="watch__icon">
        <Icon name="folder" />
      </span>
      <div className="watch__head">
        <h2 className="watch__name" title={label}>
          <bdi>{name}</bdi>
          <bdi dir="ltr" className="watch__path">
            {label.slice(0, -name.length)}
          </bdi>
        </h2>
        <div className="watch__state figures">
          <State icon={icon} tone={tone}>
            {texts.state[state]}
          </State>
          <span>{factsOf(folder)}</span>
        </div>
      </div>
      <div className="watch__do">
        <Switch
          label={texts.label({ name })}
          isSelected={isOn}
          onChange={(on) => sayFailure(client.call('watch.setOn', { id, isOn: on }))}
        />
        {(state === 'away' || state === 'another') && (
          <Button kind="line" aria-label={texts.locateOf({ name })} onPress={() => sayFailure(locate())}>
            {texts.locate}
          </Button>
        )}
        <Button
          kind="line"
          aria-label={commonTexts.editName({ name })}
          onPress={() => openWatchDialog({ kind: 'edit', folder })}
        >
          {settingsTexts.edit}
        </Button>
        <MenuButton
          label={texts.moreOf({ name })}
          placement="bottom end"
          trigger={<IconButton icon="more" label={texts.moreOf({ name })} />}
          entries={[
            {
              id: 'show',
              label: commonTexts.showInFolder,
              icon: 'folder',
              onAction: () => sayFailure(client.call('watch.show', { id })),
            },
            'line',
            {
              id: 'stop',
              label: texts.stop,
              icon: 'x',
              onAction: () => openWatchDialog({ kind: 'remove', folder }),
            },
          ]}
        />
      </div>
      <dl className="watch__facts">
        <dt>{fieldTexts.into}</dt>
        <dd>
          {choices.into === '' ? (
            objectTexts.place.files
          ) : (
            <Identifier identifier={choices.into} separator={separator} icon="folder" />
          )}
        </dd>
        <dt>{fieldTexts.classification}</dt>
        <dd>
          {choices.classification === null ? (
            commonTexts.serviceDefault
          ) : (
            <ClassBadge value={choices.classification} />
          )}
        </dd>
        <dt>{texts.named}</dt>
        <dd>
          <bdi dir="ltr" className="watch__code" title={choices.template}>
            {choices.template}
          </bdi>
        </dd>
        <dt>{uploadTexts.ifExists}</dt>
        <dd>{uploadTexts.exists[choices.ifExists]}</dd>
      </dl>
      {note !== null && <p className="watch__note">{note}</p>}
      {folder.error !== null && (
        <div className="watch__note">
          <ErrorNote {...errorText(folder.error)} />
          <p>{texts.notes.failed}</p>
        </div>
      )}
      {folder.skippedCount > 0 && <SkippedFiles folder={folder} />}
    </li>
  );
}

function factsOf({ uploads, lastUploadAtMs, settling }: WatchedFolder): string {
  return formatList([
    texts.uploads({ count: uploads, when: lastUploadAtMs === null ? '' : formatTime(lastUploadAtMs) }),
    settling > 0 && texts.settling({ count: settling }),
  ]);
}

function SkippedFiles({ folder: { skipped, skippedCount } }: { folder: WatchedFolder }) {
  return (
    <Disclosure className="watch__skipped">
      {({ isExpanded }) => (
        <>
          <Heading level={3}>
            <AriaButton slot="trigger" className="watch__fold">
              <Icon name={isExpanded ? 'down' : 'right'} size={12} />
              <Icon name="warn" />
              {texts.skipped({ count: skippedCount })}
            </AriaButton>
          </Heading>
          <DisclosurePanel>
            <ul className="watch__files">
              {skipped.map(({ path, problem }) => (
                <li key={path}>
                  <Identifier identifier={path} />
                  <span>{skippedText(problem)}</span>
                </li>
              ))}
              {skippedCount > skipped.length && (
                <li>{texts.skippedMore({ count: skippedCount - skipped.length })}</li>
              )}
            </ul>
          </DisclosurePanel>
        </>
      )}
    </Disclosure>
  );
}
