import type { KeyboardEvent, ReactNode } from 'react';
import type { Cause, CauseKey } from '../../../shared/domain/transfer-summary.ts';
import type { Transfer } from '../../../shared/domain/transfer.ts';
import { causeFacts, causeHint, causeText, needsToken } from '../../i18n/cause-text.ts';
import { fill, stress } from '../../i18n/rich.tsx';
import { inlineKey } from '../key-bindings.ts';
import { dockTexts } from '../../i18n/dock-texts.ts';
import { formatCount } from '../../../shared/i18n/format.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { OutOfTabOrder } from '../../ui/focus.ts';
import type { IconName } from '../../ui/icons.tsx';
import { useClient } from '../client.ts';
import { createRemoteStore, useOwnRemoteStore } from '../remote-store.ts';
import { sayFailure } from '../say-failure.ts';
import { useServices } from '../stores.ts';
import { useNow } from '../use-now.ts';
import { keyOf, type PlacedCause, showMore, toggleFold } from './list-layout.ts';
import type { EntryPlace } from './Entry.tsx';
import { showFailure, type Failure } from './failure-store.ts';
import { remediesOfCause } from './remedies.ts';
import { useFailureActs } from './use-remedies.ts';
import { useHeld } from './entry-keys.ts';
import { EntryItem, FoldButton } from './EntryItem.tsx';
import './causes.css';
import { commonTexts } from '../../i18n/common-texts.ts';

const texts = dockTexts.cause;

/** How a list fetches and renders the transfers behind one cause. */
export type CauseRows = {
  ask: (cause: CauseKey, limit: number) => Promise<readonly Transfer[]>;
  subscribe: (changed: () => void) => () => void;
  entry: (row: Transfer, place: EntryPlace) => ReactNode;
};

/**
 * One expandable entry with a count for all transfers held up by one cause, or failed for one reason. Only its chevron
 * expands it.
 */
export function CauseEntry({ placed, top, rows }: { placed: PlacedCause; top: number; rows: CauseRows }) {
  const client = useClient();
  const { services } = useServices();
  const { cause, name, height, isUnfolded, wanted } = placed;
  const nowMs = useNow(cause.retryAtMs === null ? null : 500);
  const { count, serviceId, group, code } = cause;
  const service = services.find(({ id }) => id === serviceId)?.name ?? '';
  const shownService = <bdi className="cause__service">{service}</bdi>;
  // Nothing is tried while it is paused.
  const isHeld = useHeld()(serviceId);
  const words = causeText(cause, isHeld);
  const facts = isHeld ? null : causeFacts(cause, nowMs);
  const which = keyOf(cause);
  // Retrying does not help a refused token: its banner asks for a new one.
  const canTryNow = group === 'waiting' && !needsToken(cause) && !isHeld;
  const failure = failureOf(cause, words, () => {
    if (!isUnfolded) toggleFold(name);
  });
  const { remedy } = useFailureActs(failure);

  function takeKey(event: KeyboardEvent<HTMLElement>) {
    if (event.target !== event.currentTarget) return;
    const way = inlineKey(event.key);
    if (event.key === 'Enter' && failure !== null) showFailure(failure);
    else if (way === null) return;
    else if ((way === 'end') !== isUnfolded) toggleFold(name);
    event.preventDefault();
  }

  return (
    <EntryItem
      className="transfer cause"
      style={{ top, height: isUnfolded ? undefined : height }}
      aria-label={words}
      name={name}
      takeKey={takeKey}
    >
      <FoldButton
        isOpen={isUnfolded}
        label={(isUnfolded ? texts.fold : texts.unfold)({ cause: words })}
        onPress={() => toggleFold(name)}
      />
      <span className={`transfer__icon transfer__icon--${group === 'waiting' ? 'wait' : 'bad'}`}>
        <Icon name={isHeld && group === 'waiting' ? 'pause' : iconOf(group, code)} />
      </span>
      <p className="transfer__line" title={causeHint(cause)}>
        <span className="transfer__say">{stress(words, formatCount(count))}</span>
        {failure !== null && (
          <span className="transfer__actions">
            <IconButton
              icon="text"
              size="small"
              label={dockTexts.failure.whole}
              onPress={() => showFailure(failure)}
            />
          </span>
        )}
        {group === 'waiting' && (
          <span className="transfer__actions">
            <IconButton
              icon="x"
              size="small"
              label={texts.cancel({ count })}
              onPress={() => sayFailure(client.call('transfers.cancel', { which }))}
            />
          </span>
        )}
      </p>
      <p className="transfer__meta figures">
        <span className="cause__facts" title={facts === null ? service : texts.facts({ service, facts })}>
          {facts === null ? shownService : fill(texts.facts, { service: shownService, facts })}
        </span>
        {canTryNow && (
          <Button kind="link" onPress={() => sayFailure(client.call('transfers.retry', { which }))}>
            {commonTexts.tryNow}
          </Button>
        )}
        {remedy !== null && (
          <Button kind="link" onPress={remedy.run}>
            {remedy.label}
          </Button>
        )}
      </p>
      {isUnfolded && <Each key={wanted} placed={placed} rows={rows} words={words} />}
    </EntryItem>
  );
}

/** The shared failure of several transfers; null: they are only waiting. */
function failureOf(cause: Cause, name: string, showEach: () => void): Failure | null {
  const { serviceId, group, error } = cause;
  if (group !== 'needsYou' || error === null) return null;
  return {
    list: 'transfers',
    serviceId,
    name,
    direction: null,
    which: keyOf(cause),
    // The space that one transfer needs says nothing about the others.
    error: error.code === 'diskFull' ? { code: error.code, folderName: error.folderName } : error,
    facts: '',
    remedies: remediesOfCause(error.code),
    showEach,
  };
}

function Each({ placed, rows, words }: { placed: PlacedCause; rows: CauseRows; words: string }) {
  const { cause, name, wanted, shown, entryHeight, isMeasured } = placed;
  const { value } = useOwnRemoteStore(() =>
    createRemoteStore({ subscribe: rows.subscribe, load: () => rows.ask(keyOf(cause), wanted) }),
  );
  return (
    <>
      <ul
        className="cause__each"
        aria-label={texts.list({ cause: words })}
        // Keeps the entries below in place while the rows load.
        style={value === null ? { minHeight: shown * entryHeight } : {}}
      >
        {value?.slice(0, shown).map((row, index) =>
          rows.entry(row, {
            position: index + 1,
            of: cause.count,
            top: 0,
            height: isMeasured ? null : entryHeight,
            order: null,
          }),
        )}
      </ul>
      {cause.count > shown && (
        <span className="cause__more">
          <OutOfTabOrder value={false}>
            <Button kind="link" onPress={() => showMore(name)}>
              {texts.rest({ count: cause.count - shown })}
            </Button>
          </OutOfTabOrder>
        </span>
      )}
    </>
  );
}

function iconOf(group: CauseKey['group'], code: string): IconName {
  switch (code) {
    case 'unreachable':
    case 'connectionLost':
    case 'answerTimeout':
    case 'serverError':
      return group === 'waiting' ? 'away' : 'fail';
    case 'tokenRefused':
    case 'tokenMissing':
      return 'key';
    case 'clientCertificateRefused':
    case 'badClientCertificate':
      return 'cert';
    case 'proxyFailed':
      return group === 'waiting' ? 'away' : 'fail';
    case 'missing':
      return 'missing';
    default:
      return group === 'waiting' ? 'clock' : 'fail';
  }
}
