import { useEffect, useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { Question } from '../../../shared/domain/transfer.ts';
import { useClient } from '../../app/client.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useActiveProfile, useTransferSummary } from '../../app/stores.ts';
import { formatCount, formatCounted, formatExactBytes, formatSize, formatTime } from '../../i18n/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox, ChoiceList } from '../../ui/Choice.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { splitIdentifier } from '../../ui/identifier-parts.ts';
import { ClassBadge } from '../objects/ClassBadge.tsx';
import { useListedClasses } from '../objects/use-listed-classes.ts';
import { uploadStore } from '../upload/upload-store.ts';
import { closeQuestion, questionStore } from './question-store.ts';
import './question.css';

type Answer = 'skip' | 'keepBoth';

/** The one question of an upload. It compares, tells what each answer does, and never decides by being closed. */
export function QuestionDialog() {
  const client = useClient();
  const unanswered = useTransferSummary()?.unanswered ?? 0;
  const { transferId, quietUpTo } = useStore(questionStore);
  const isSheetOpen = useStore(uploadStore, ({ draft }) => draft !== null);
  const [question, setQuestion] = useState<Question | null>(null);
  const [answered, setAnswered] = useState(0);
  // Who prepares an upload is not interrupted.
  const isWanted = !isSheetOpen && (transferId !== null || unanswered > quietUpTo);

  useEffect(() => {
    if (unanswered < quietUpTo) questionStore.setState({ quietUpTo: unanswered });
  }, [unanswered, quietUpTo]);

  useEffect(() => {
    if (!isWanted) return undefined;
    let live = true;
    const asked = client.call('transfers.question', { transferId }).then(
      (reply) => {
        if (live) setQuestion(reply.question);
      },
      (cause: unknown) => {
        if (live) questionStore.setState({ transferId: null });
        throw cause;
      },
    );
    sayFailure(asked);
    return () => {
      live = false;
    };
  }, [client, transferId, isWanted, unanswered, answered]);

  if (!isWanted || question === null) return null;
  return (
    <QuestionForm
      key={question.transferId}
      question={question}
      onLater={() => {
        setQuestion(null);
        closeQuestion(unanswered);
      }}
      onAnswer={(answer, applyToAll) => {
        setQuestion(null);
        questionStore.setState({ transferId: null });
        const done = client.call('transfers.answer', {
          transferId: question.transferId,
          answer,
          applyToAll,
        });
        sayFailure(done.finally(() => setAnswered((count) => count + 1)));
      }}
    />
  );
}

type FormProps = {
  question: Question;
  onLater: () => void;
  onAnswer: (answer: Answer, applyToAll: boolean) => void;
};

function QuestionForm({ question, onLater, onAnswer }: FormProps) {
  const profile = useActiveProfile();
  const [answer, setAnswer] = useState<Answer>('skip');
  const [applyToAll, setApplyToAll] = useState(false);
  const { identifier, waiting, keepBothIdentifier } = question;
  const count = applyToAll ? waiting : 1;
  const { folders, leaf } = splitIdentifier(identifier, profile?.separator ?? '/');
  const verb = answer === 'skip' ? 'Skip' : 'Keep both of';
  return (
    <Dialog
      isOpen
      onClose={onLater}
      size="wide"
      name={`${identifier} exists already`}
      title={
        <span className="question__title" title={identifier}>
          <bdi className="question__folder">{folders.join('')}</bdi>
          <bdi>{leaf}</bdi> exists already
        </span>
      }
      facts={waiting > 1 ? `1 of ${formatCount(waiting)}` : undefined}
      place={profile?.name}
      say={
        waiting > 1 && (
          <Checkbox isSelected={applyToAll} onChange={setApplyToAll}>
            Do this for all {formatCount(waiting)}
          </Checkbox>
        )
      }
      buttons={
        <>
          <Button size="large" onPress={onLater}>
            Answer later
          </Button>
          <Button kind="primary" size="large" onPress={() => onAnswer(answer, applyToAll)}>
            {verb} {formatCounted(count, 'object', 'objects')}
          </Button>
        </>
      }
    >
      <Comparison question={question} />
      <ChoiceList
        label="Answer"
        value={answer}
        onChange={setAnswer}
        choices={[
          { value: 'skip', label: 'Skip', text: 'The stored object stays as it is. Yours is not sent.' },
          {
            value: 'keepBoth',
            label: 'Keep both',
            text: (
              <>
                Yours is stored as <b>{keepBothIdentifier}</b>
              </>
            ),
          },
        ]}
      />
    </Dialog>
  );
}

/** Yours beside the stored one, the verdict last; only what differs is strong. */
function Comparison({ question: { yours, stored } }: { question: Question }) {
  const listed = useListedClasses(useActiveProfile()?.id ?? null);
  return (
    <table className="compare figures">
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Fact</span>
          </th>
          <th scope="col">
            <Icon name="laptop" />
            Yours
          </th>
          <th scope="col">
            <Icon name="server" />
            Stored
          </th>
          <th scope="col">
            <span className="visually-hidden">Difference</span>
          </th>
        </tr>
      </thead>
      <tbody>
        <Line
          label="Size"
          verdict={compareNumbers(yours.lengthBytes, stored.lengthBytes, 'larger', 'smaller')}
        >
          {[
            <Length key="yours" bytes={yours.lengthBytes} />,
            <Length key="stored" bytes={stored.lengthBytes} />,
          ]}
        </Line>
        <Line label="Date" verdict={compareNumbers(yours.modifiedAtMs, stored.storedAtMs, 'newer', 'older')}>
          {[
            `Changed ${formatTime(yours.modifiedAtMs)}`,
            stored.storedAtMs === null ? '–' : `Stored ${formatTime(stored.storedAtMs)}`,
          ]}
        </Line>
        <Line label="SHA-256" verdict={compareDigests(yours.sha256, stored.sha256)}>
          {[<Digest key="yours" sha256={yours.sha256} />, <Digest key="stored" sha256={stored.sha256} />]}
        </Line>
        <Line
          label="Class"
          verdict={
            !stored.known ? null : yours.classification === stored.classification ? 'Same' : 'Different'
          }
        >
          {[
            <Classification key="yours" value={yours.classification} listed={listed} />,
            stored.known ? (
              <Classification key="stored" value={stored.classification} listed={listed} />
            ) : (
              '–'
            ),
          ]}
        </Line>
      </tbody>
      <caption>
        {stored.known
          ? 'The service confirmed the stored size just now. The rest is what Coffer noted when it was stored.'
          : 'Coffer did not put it there, so the service tells no more than its size.'}
      </caption>
    </table>
  );
}

function Line({
  label,
  verdict,
  children,
}: {
  label: string;
  verdict: string | null;
  children: ReactNode[];
}) {
  const [yours, stored] = children;
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>{yours}</td>
      <td>{stored}</td>
      <td className={verdict === null || verdict === 'Same' ? 'compare__same' : 'compare__differs'}>
        {verdict ?? '–'}
      </td>
    </tr>
  );
}

function Length({ bytes }: { bytes: number | null }) {
  if (bytes === null) return <>–</>;
  return (
    <>
      {formatSize(bytes)} <span className="compare__dim">({formatExactBytes(bytes)})</span>
    </>
  );
}

function Classification({ value, listed }: { value: string | null; listed: readonly string[] }) {
  return value === null ? 'Service default' : <ClassBadge value={value} listed={listed} />;
}

function Digest({ sha256 }: { sha256: string | null }) {
  if (sha256 === null) return <span className="compare__dim">Not known</span>;
  return <code title={sha256}>{`${sha256.slice(0, 8)} ${sha256.slice(8, 12)}…${sha256.slice(-8)}`}</code>;
}

function compareNumbers(yours: number, stored: number | null, more: string, less: string): string | null {
  if (stored === null) return null;
  if (yours === stored) return 'Same';
  return `Yours is ${yours > stored ? more : less}`;
}

function compareDigests(yours: string | null, stored: string | null): string | null {
  if (yours === null || stored === null) return null;
  return yours === stored ? 'Same' : 'Different';
}
