import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { fill } from '../../i18n/rich.tsx';
import { transferTexts } from '../../i18n/transfer-texts.ts';
import type { ConflictPrompt } from '../../../shared/domain/transfer-summary.ts';
import { useClient } from '../../app/client.ts';
import { sayFailure } from '../../app/say-failure.ts';
import type { Answer } from '../../../shared/domain/service.ts';
import { useActiveService, useStores, useTransferSummary } from '../../app/stores.ts';
import { textOf } from '../../app/classification/options.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { AnswerButton } from '../../ui/AnswerButton.tsx';
import { Checkbox, ChoiceList } from '../../ui/Choice.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useOpenDialogs } from '../../ui/open-dialogs.ts';
import { splitIdentifier } from '../../ui/identifier-parts.ts';
import { Comparison } from './Comparison.tsx';
import { closeConflictPrompt, lowerQuiet, conflictPromptStore } from '../../app/conflict-prompt-store.ts';
import './conflict-prompt.css';
import { ServicePlace } from '../../app/ServicePlace.tsx';

const texts = transferTexts.conflictPrompt;

/**
 * The conflict prompt of an upload. It compares both objects and explains each answer; closing it answers nothing. It waits
 * until no other dialog is open.
 */
export function ConflictPromptDialog() {
  const client = useClient();
  const { transfers } = useStores();
  const toOpen = useTransferSummary()?.transfers.promptsToOpen ?? 0;
  const { transferId, quietUpTo } = useStore(conflictPromptStore);
  const [prompt, setPrompt] = useState<ConflictPrompt | null>(null);
  const [isAnswering, setAnswering] = useState(false);
  const isOtherOpen = useOpenDialogs(({ count }) => count > 0) && prompt === null;
  const isWanted = !isOtherOpen && (transferId !== null || toOpen > quietUpTo);

  useEffect(() => lowerQuiet(toOpen), [toOpen, quietUpTo]);

  useEffect(() => {
    // Until main has processed an answer, it would show the same prompt.
    if (!isWanted || isAnswering) return undefined;
    let live = true;
    const asked = client.call('transfers.conflictPrompt', { transferId }).then(
      (reply) => {
        if (live) setPrompt(reply.prompt);
      },
      (cause: unknown) => {
        if (live) conflictPromptStore.setState({ transferId: null });
        throw cause;
      },
    );
    sayFailure(asked);
    return () => {
      live = false;
    };
  }, [client, transferId, isWanted, toOpen, isAnswering]);

  if (!isWanted || prompt === null) return null;
  const later = () => {
    setPrompt(null);
    void closeConflictPrompt(transfers);
  };
  return (
    <DialogPane onClose={later}>
      <ConflictPromptForm
        key={prompt.transferId}
        prompt={prompt}
        isUnasked={transferId === null}
        onLater={later}
        onAnswer={(answer, applyToAll) => {
          setPrompt(null);
          conflictPromptStore.setState({ transferId: null });
          setAnswering(true);
          const { transferId: answeredId } = prompt;
          const answered = client.call('transfers.answer', { transferId: answeredId, answer, applyToAll });
          sayFailure(answered.finally(() => setAnswering(false)));
        }}
      />
    </DialogPane>
  );
}

type FormProps = {
  prompt: ConflictPrompt;
  isUnasked: boolean;
  onLater: () => void;
  onAnswer: (answer: Answer, applyToAll: boolean) => void;
};

function ConflictPromptForm({ prompt, isUnasked, onLater, onAnswer }: FormProps) {
  const service = useActiveService();
  const [answer, setAnswer] = useState<Answer | 'later'>('newVersion');
  const [applyToAll, setApplyToAll] = useState(false);
  const { identifier, waiting, keepBothIdentifier, newVersionIdentifier, sameBytes } = prompt;
  const count = applyToAll ? waiting : 1;
  const { folders, leaf } = splitIdentifier(identifier, service?.separator ?? '/');
  const place = folders.join('');
  /** Relative to the object's folder, which the title contains. */
  const strong = (name: string) => (
    <b>
      <bdi dir="ltr">{name.startsWith(place) ? name.slice(place.length) : name}</bdi>
    </b>
  );
  const classText = (as: 'replace' | 'newVersion') => {
    const from = prompt.changes[as];
    if (from !== undefined) {
      const to = <ClassName value={prompt.yours.classification} />;
      return fill(texts.changesClass, { from: <ClassName value={from} />, to });
    }
    const kept = prompt.keeps?.[as];
    return kept == null ? null : fill(texts.keepsClass, { classification: <ClassName value={kept} /> });
  };
  /** Without a count: uploads that have not asked yet get this answer, too. */
  const othersText = (as: 'replace' | 'newVersion') => applyToAll && answer === as && texts.othersClass;
  return (
    <Dialog
      isOpen
      onClose={onLater}
      size="wide"
      name={texts.title({ identifier })}
      title={
        <span className="conflict-prompt__title" title={identifier}>
          {fill(texts.title, {
            identifier: (
              <bdi dir="ltr">
                <span className="conflict-prompt__folder">{folders.join('')}</span>
                {leaf}
              </bdi>
            ),
          })}
        </span>
      }
      facts={waiting > 1 ? texts.facts({ count: waiting }) : undefined}
      place={<ServicePlace name={service?.name} />}
      say={
        waiting > 1 &&
        answer !== 'later' && (
          <Checkbox isSelected={applyToAll} onChange={setApplyToAll}>
            {texts.all({ count: waiting })}
          </Checkbox>
        )
      }
      buttons={
        <AnswerButton
          question={isUnasked ? String(prompt.transferId) : null}
          kind="primary"
          size="large"
          onPress={() => (answer === 'later' ? onLater() : onAnswer(answer, applyToAll))}
        >
          {answer === 'later' ? texts.later : texts.doAnswer[answer]({ count })}
        </AnswerButton>
      }
    >
      <Comparison prompt={prompt} />
      <ChoiceList
        label={texts.label}
        value={answer}
        onChange={setAnswer}
        choices={[
          {
            value: 'newVersion',
            label: texts.newVersion,
            text: (
              <>
                {fill(texts.newVersionText, { identifier: strong(newVersionIdentifier) })}{' '}
                {classText('newVersion')} {othersText('newVersion')}
              </>
            ),
          },
          {
            value: 'replace',
            label: texts.replace,
            text: (
              <>
                {texts.replaceText} {classText('replace')} {othersText('replace')}
              </>
            ),
          },
          {
            value: 'keepBoth',
            label: texts.keepBoth,
            text: fill(texts.keepBothText, { identifier: strong(keepBothIdentifier) }),
          },
          { value: 'skip', label: texts.skip, text: texts.skipText },
          { value: 'later', label: texts.later, text: texts.laterText },
        ]}
      />
      {sameBytes > 0 && (
        <p className="conflict-prompt__same">
          <Icon name="check" />
          <span>
            <b>{texts.sameTitle}</b> {texts.sameText({ count: sameBytes })}
          </span>
        </p>
      )}
    </Dialog>
  );
}

function ClassName({ value }: { value: string | null }) {
  return (
    <b>
      <bdi>{textOf(value)}</bdi>
    </b>
  );
}
