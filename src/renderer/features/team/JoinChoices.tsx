import { useEffect, useRef } from 'react';
import type { Output } from '../../../shared/contract.ts';
import type { Service } from '../../../shared/domain/service.ts';
import { formatList } from '../../../shared/i18n/format.ts';
import { useClient } from '../../app/client.ts';
import { createRemoteStore, useOwnRemoteStore } from '../../app/remote-store.ts';
import { fileIcon } from '../../app/file-kind.ts';
import { teamTexts } from './team-texts.ts';
import { Checkbox, ChoiceList } from '../../ui/Choice.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Identifier } from '../../ui/Identifier.tsx';
import { scrollable } from '../../ui/scrollable.ts';
import { Select } from '../../ui/Select.tsx';
import { AreaList } from './AreaList.tsx';

const { access, lists: texts } = teamTexts;

type Found = Output<'team.inspect'>;
type List = Found['lists'][number];
type Earlier = Output<'team.earlier'>;

const areasShown = 6;

export type Choices = {
  /** Id of the list; null: no list is open to this person. */
  list: number | null;
  sharesEarlier: boolean;
  /** The person confirmed that the list is about this service, although the address differs. */
  anyAddress: boolean;
};

/** Prefers a list about this service, and shares nothing of the past: only the person can take that decision. */
export function startChoices({ lists }: Found, serviceId: string): Choices {
  const list = lists.find(({ serviceIds }) => serviceIds.includes(serviceId)) ?? lists[0];
  return { list: list?.id ?? null, sharesEarlier: false, anyAddress: false };
}

export function canJoin({ lists }: Found, { list: id, anyAddress }: Choices, serviceId: string): boolean {
  const list = lists.find((each) => each.id === id);
  return list !== undefined && (anyAddress || list.serviceIds.includes(serviceId));
}

type Props = { service: Service; found: Found; choices: Choices; onChange: (choices: Choices) => void };

/** Which list to join, what of the own list is shared, and who can read it. */
export function JoinChoices({ service, found, choices, onChange }: Props) {
  const { server, isEncrypted, shown, lists } = found;
  const list = lists.find(({ id }) => id === choices.list);
  // Do not focus Join, which replaces Continue: pressing Enter twice must not share anything unread.
  const all = useRef<HTMLDivElement>(null);
  useEffect(() => all.current?.focus(), []);
  if (list === undefined) return <ErrorNote title={texts.none} what={texts.noneText} />;
  const isAbout = list.serviceIds.includes(service.id);
  return (
    <div ref={all} className="team-join" tabIndex={-1}>
      <dl className="team-facts team-facts--wide">
        <dt>{access.host}</dt>
        <dd>
          {texts.facts({
            place: access.place({ host: server.host, port: String(server.port) }),
            encryption: isEncrypted ? texts.encrypted : texts.plain,
          })}
        </dd>
        <dt>{texts.you}</dt>
        <dd>{texts.youAs({ name: shown, role: server.role })}</dd>
        <dt>{texts.list}</dt>
        <dd>
          {lists.length === 1 ? (
            <bdi>{list.name}</bdi>
          ) : (
            <Select
              label={texts.list}
              labelPlace="hidden"
              size="regular"
              value={list.id}
              options={lists.map(({ id, name, address }) => ({
                value: id,
                label: name,
                text: texts.about({ address }),
              }))}
              onChange={(id) => onChange({ ...choices, list: id, anyAddress: false })}
            />
          )}
        </dd>
        <dt>{texts.areas}</dt>
        <dd>
          <AreaList areas={list.areas} most={areasShown} />
        </dd>
      </dl>
      {!isAbout && (
        <div className="team-join__warn">
          <ErrorNote
            title={texts.otherAddress}
            what={texts.otherAddressText({
              list: list.address,
              name: service.name,
              service: service.baseAddress,
            })}
          />
          <Checkbox
            isSelected={choices.anyAddress}
            onChange={(anyAddress) => onChange({ ...choices, anyAddress })}
          >
            {texts.sameService}
          </Checkbox>
        </div>
      )}
      <Sharing key={list.id} service={service} list={list} choices={choices} onChange={onChange} />
      <p className="team-join__owner">
        <Icon name="eye" />
        <span>{texts.owner({ host: server.host })}</span>
      </p>
    </div>
  );
}

function Sharing(props: Pick<Props, 'service' | 'choices' | 'onChange'> & { list: List }) {
  const { service, list, choices, onChange } = props;
  const earlier = useEarlier(service.id, list.sharesSecrets);
  const sees = seesText(list);
  if (earlier?.count === 0) {
    return (
      <div className="team-join__share">
        <p>{texts.nothingEarlier}</p>
        <p>{sees}</p>
      </div>
    );
  }
  return (
    <div>
      <ChoiceList
        label={texts.share}
        value={choices.sharesEarlier ? 'earlier' : 'fromNow'}
        choices={[
          { value: 'fromNow', label: texts.fromNow, text: texts.fromNowText },
          {
            value: 'earlier',
            label: earlier === null ? texts.earlierUnknown : texts.earlier({ count: earlier.count }),
            text: sees,
          },
        ]}
        onChange={(value) => onChange({ ...choices, sharesEarlier: value === 'earlier' })}
      />
      {choices.sharesEarlier && earlier !== null && (
        <EarlierObjects {...earlier} separator={service.separator} />
      )}
    </div>
  );
}

/** What would be shared, by name. */
function EarlierObjects({ count, first, separator }: Earlier & { separator: string }) {
  const more = count - first.length;
  return (
    <div {...scrollable} className="team-join__earlier" aria-label={texts.earlierList}>
      <ul>
        {first.map(({ id, kind, identifier }) => (
          <li key={id}>
            <Identifier identifier={identifier} separator={separator} icon={fileIcon({ kind, identifier })} />
          </li>
        ))}
        {more > 0 && <li>{texts.more({ count: more })}</li>}
      </ul>
    </div>
  );
}

function seesText({ sharesNotes, sharesNames, sharesSecrets }: List): string {
  const { identifier, classification, size, digest, time, name, notes, files } = texts.fields;
  const always = [identifier, classification, size, digest, time, name];
  const what = formatList([...always, sharesNotes && notes, sharesNames && files]);
  const sees = texts.sees({ what });
  return sharesSecrets ? texts.seesSecrets({ sees }) : sees;
}

/** What has been stored from this computer so far, as it is now; null: not known yet. */
function useEarlier(serviceId: string, withSecrets: boolean): Earlier | null {
  const client = useClient();
  return useOwnRemoteStore(() =>
    createRemoteStore({
      subscribe: (changed) =>
        client.on('objects.changed', (told) => told.serviceId === serviceId && changed()),
      load: () => client.call('team.earlier', { serviceId, withSecrets }),
    }),
  ).value;
}
