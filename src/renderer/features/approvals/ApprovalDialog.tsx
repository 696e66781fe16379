import { useState, type ReactNode } from 'react';
import { askMs, idleMs, type ApprovalAnswer, type Ask } from '../../../shared/domain/approval.ts';
import { legible } from '../../../shared/domain/legible.ts';
import { formatCount, formatDuration } from '../../../shared/i18n/format.ts';
import { ClassBadge } from '../../app/classification/ClassBadge.tsx';
import { useClient } from '../../app/client.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { sayFailure } from '../../app/say-failure.ts';
import { useFeatureStore, useRemoteStore, useServices } from '../../app/stores.ts';
import { createApprovals } from './use-approvals.ts';
import { useNow } from '../../app/use-now.ts';
import { approvalTexts as texts } from './approval-texts.ts';
import { fill } from '../../i18n/rich.tsx';
import { announce, useMessagesHeld } from '../../ui/announce.tsx';
import { AnswerButton } from '../../ui/AnswerButton.tsx';
import { usePressesIgnoredAfter } from '../../ui/answer-delay.ts';
import { Button } from '../../ui/Button.tsx';
import { ChoiceList } from '../../ui/Choice.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { focusHere } from '../../ui/focus.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { IconName } from '../../ui/icons.tsx';
import { splitIdentifier } from '../../ui/identifier-parts.ts';
import { Ring } from '../../ui/Progress.tsx';
import { commandLine, holderText, programName } from './approval-words.ts';
import './approvals.css';
import { ServicePlace } from '../../app/ServicePlace.tsx';

/**
 * A program asks for secrets: which program, which secrets, and for how long. Closing refuses; main refuses after a
 * minute.
 */
export function ApprovalDialog() {
  const client = useClient();
  const asks = useRemoteStore(useFeatureStore(createApprovals)).value?.asks ?? [];
  // Requests already answered, so that the next one appears at once.
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set());
  const [ask, ...others] = asks.filter(({ id }) => !answered.has(id));
  if (ask === undefined) return null;
  const { id } = ask;
  const ofSame = others.filter(({ asker }) => asker === ask.asker);
  const give = (answer: ApprovalAnswer) => {
    const also = answer === 'refuseAll' ? ofSame.map((other) => other.id) : [];
    setAnswered(new Set([...answered, id, ...also]));
    sayFailure(
      client.call('approvals.answer', { id, answer }).then(() => {
        if (answer === 'refuseAll') announce(texts.allRefused);
      }),
    );
  };
  return (
    <DialogPane onClose={() => give('refuse')}>
      <AskForm
        key={id}
        ask={ask}
        ofSame={ofSame.length}
        ofOthers={others.length - ofSame.length}
        onAnswer={give}
      />
    </DialogPane>
  );
}

/** How many more requests wait. */
type More = { ofSame: number; ofOthers: number };
type FormProps = More & { ask: Ask; onAnswer: (answer: ApprovalAnswer) => void };

function AskForm({ ask, ofSame, ofOthers, onAnswer }: FormProps) {
  useMessagesHeld('assertive');
  usePressesIgnoredAfter();
  const { services } = useServices();
  const [answer, setAnswer] = useState<'holder' | 'once'>('once');
  const service = services.find(({ id }) => id === ask.serviceId);
  const program = programName(ask.program);
  const count = ask.secrets.length;
  return (
    <Dialog
      isOpen
      role="alertdialog"
      size="medium"
      className="approval"
      onClose={() => onAnswer('refuse')}
      title={ask.isCopy ? texts.titleCopy({ program }) : texts.title({ program, count })}
      place={<ServicePlace name={service?.name} />}
      say={<TimeLeft refusedAtMs={ask.refusedAtMs} waiting={ofOthers} />}
      buttons={
        <>
          <Button {...focusHere} kind="line" size="large" onPress={() => onAnswer('refuse')}>
            {texts.refuse}
          </Button>
          <AnswerButton question={ask.id} kind="primary" size="large" onPress={() => onAnswer(answer)}>
            {answer === 'once' ? texts.allowOnce : holderLabel(ask)}
          </AnswerButton>
        </>
      }
    >
      <div className="approval__asked">
        <Who ask={ask} />
        <Secrets ask={ask} separator={service?.separator ?? '/'} />
      </div>
      {ask.isLasting && <HowLong ask={ask} program={program} answer={answer} onChange={setAnswer} />}
      {(ofSame > 0 || ask.isAgain) && (
        <Many ask={ask} ofSame={ofSame} onRefuse={() => onAnswer('refuseAll')} />
      )}
    </Dialog>
  );
}

function Who({ ask }: { ask: Ask }) {
  const nowMs = useNow(null);
  return (
    <section className="approval__who">
      <dl className="approval__facts">
        <Fact name={texts.program} icon="program">
          <Code>{commandLine(ask.program)}</Code>
        </Fact>
        <Fact name={texts.folder} icon="folder">
          <Code>{legible(ask.folder)}</Code>
        </Fact>
        <Fact name={ask.terminal === null ? texts.startedBy : texts.terminal} icon="terminal">
          {holderText(ask, nowMs)}
        </Fact>
        <Fact name={texts.command} icon="right">
          <Code>{commandLine(ask.command)}</Code>
        </Fact>
      </dl>
      {!ask.isProven && <p className="approval__unproven">{texts.unproven}</p>}
    </section>
  );
}

function Fact({ name, icon, children }: { name: string; icon: IconName; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Icon name={icon} />
        <span>{children}</span>
      </dd>
    </>
  );
}

function Code({ children }: { children: string }) {
  return (
    <bdi dir="ltr" className="approval__code selectable">
      {children}
    </bdi>
  );
}

function Secrets({ ask, separator }: { ask: Ask; separator: string }) {
  return (
    <section className="approval__secrets">
      <h3 className="approval__line approval__head">
        <span>{texts.gets}</span>
        <span>{texts.from}</span>
      </h3>
      <ul>
        {ask.secrets.map(({ name, identifier, objectId, classification }, at) => (
          // A name may occur twice, in two templates.
          <li key={at} className="approval__line">
            <Icon name="key" />
            <span className="approval__name">
              {ask.isCopy ? texts.clipboard : <bdi dir="ltr">{legible(name)}</bdi>}
            </span>
            <WholeIdentifier identifier={legible(identifier)} separator={separator} />
            <span className="approval__class">
              {classification !== null && <ClassBadge value={classification} />}
              {objectId === null && texts.unlisted}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Never truncated: the answer depends on which secret it is. */
function WholeIdentifier({ identifier, separator }: { identifier: string; separator: string }) {
  const { folders, leaf } = splitIdentifier(identifier, separator);
  return (
    <bdi dir="ltr" className="approval__identifier">
      <span className="approval__path">{folders.join('')}</span>
      {leaf}
    </bdi>
  );
}

type HowLongProps = {
  ask: Ask;
  program: string;
  answer: 'holder' | 'once';
  onChange: (answer: 'holder' | 'once') => void;
};

function HowLong({ ask, program, answer, onChange }: HowLongProps) {
  const count = ask.secrets.length;
  const idle = <b>{formatDuration(idleMs)}</b>;
  const text =
    ask.terminal === null
      ? fill(texts.allowProgramText, { program: starter(ask), count, idle })
      : fill(texts.allowTerminalText, { count, idle });
  return (
    <ChoiceList
      label={texts.howLong}
      value={answer}
      onChange={onChange}
      choices={[
        {
          value: 'once',
          label: texts.once,
          text: ask.isCopy ? texts.onceCopyText : texts.onceText({ program }),
        },
        { value: 'holder', label: holderLabel(ask), text },
      ]}
    />
  );
}

/** A program that asks many times, or again. */
function Many({ ask, ofSame, onRefuse }: { ask: Ask; ofSame: number; onRefuse: () => void }) {
  return (
    <p className="approval__many">
      <span>
        {ofSame === 0
          ? texts.again
          : ask.terminal === null
            ? texts.moreOfProgram({ count: ofSame, program: starter(ask) })
            : texts.moreOfTerminal({ count: ofSame })}
      </span>
      <Button kind="line" onPress={onRefuse}>
        {texts.refuseAll}
      </Button>
    </p>
  );
}

function holderLabel(ask: Ask): string {
  return ask.terminal === null ? texts.allowProgram({ program: starter(ask) }) : texts.allowTerminal;
}

function starter({ startedBy }: Ask): string {
  return startedBy === null ? texts.unknownProgram : legible(startedBy);
}

function TimeLeft({ refusedAtMs, waiting }: { refusedAtMs: number; waiting: number }) {
  const nowMs = useNow(1000);
  const leftMs = Math.min(askMs, Math.max(0, refusedAtMs - nowMs));
  const seconds = Math.ceil(leftMs / 1000);
  return (
    <>
      <Ring left={leftMs / askMs} tone={seconds <= 10 ? 'bad' : 'moving'}>
        {formatCount(seconds)}
      </Ring>
      <span>
        {texts.refusedIn({ duration: formatDuration(seconds * 1000) })}
        {waiting > 0 && <span className="approval__more">{texts.more({ count: waiting })}</span>}
      </span>
    </>
  );
}
