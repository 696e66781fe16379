import { useEffect, useRef, useState } from 'react';
import type { Output } from '../../../shared/contract.ts';
import type { Service } from '../../../shared/domain/service.ts';
import { formatList } from '../../../shared/i18n/format.ts';
import { useClient } from '../../app/client.ts';
import { teamTexts } from './team-texts.ts';
import { Checkbox, ChoiceList } from '../../ui/Choice.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Select } from '../../ui/Select.tsx';
import { AreaList } from './AreaList.tsx';

const { access, lists: texts } = teamTexts;

type Found = Output<'team.inspect'>;
type List = Found['lists'][number];

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
  const earlier = useEarlier(service.id);
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
      <Sharing list={list} earlier={earlier} choices={choices} onChange={onChange} />
      <p className="team-join__owner">
        <Icon name="eye" />
        <span>{texts.owner({ host: server.host })}</span>
      </p>
    </div>
  );
}

function Sharing(props: Pick<Props, 'choices' | 'onChange'> & { list: List; earlier: number | null }) {
  const { list, earlier, choices, onChange } = props;
  const sees = seesText(list);
  if (earlier === 0) {
    return (
      <div className="team-join__share">
        <p>{texts.nothingEarlier}</p>
        <p>{sees}</p>
      </div>
    );
  }
  return (
    <ChoiceList
      label={texts.share}
      value={choices.sharesEarlier ? 'earlier' : 'fromNow'}
      choices={[
        { value: 'fromNow', label: texts.fromNow, text: texts.fromNowText },
        {
          value: 'earlier',
          label: earlier === null ? texts.earlierUnknown : texts.earlier({ count: earlier }),
          text: sees,
        },
      ]}
      onChange={(value) => onChange({ ...choices, sharesEarlier: value === 'earlier' })}
    />
  );
}

function seesText({ sharesNotes, sharesNames, sharesSecrets }: List): string {
  const { identifier, classification, size, digest, time, name, notes, files } = texts.fields;
  const always = [identifier, classification, size, digest, time, name];
  const what = formatList([...always, sharesNotes && notes, sharesNames && files]);
  const sees = texts.sees({ what });
  return sharesSecrets ? texts.seesSecrets({ sees }) : sees;
}

/** Number of objects stored from this computer so far; null: not known yet. */
function useEarlier(serviceId: string): number | null {
  const client = useClient();
  const [count, setCount] = useState<number | null>(null);
  useEffect(() => {
    let isCurrent = true;
    client.call('team.earlier', { serviceId }).then(
      (answer) => isCurrent && setCount(answer.count),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [client, serviceId]);
  return count;
}
