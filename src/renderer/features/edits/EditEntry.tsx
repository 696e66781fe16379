import { needsAnswer, type Edit, type EditAnswer } from '../../../shared/domain/edit.ts';
import { formatDuration, formatProgress, formatSize, formatTime } from '../../../shared/i18n/format.ts';
import { useClient } from '../../app/client.ts';
import { openConflictPrompt } from '../../app/conflict-prompt-store.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useTransferProgress } from '../../app/use-progress.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { editLine } from './edit-line.ts';
import { transferTexts } from '../../i18n/transfer-texts.ts';
import { editTexts as texts } from './edit-texts.ts';
import { errorLine } from '../../../shared/i18n/error-text.ts';
import { AnswerButton } from '../../ui/AnswerButton.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { focusHere } from '../../ui/focus.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Identifier } from '../../ui/Identifier.tsx';
import { Bar } from '../../ui/Progress.tsx';
import { showEdits } from './open-edits.ts';

/** `isFirst`: focuses the answer that loses no data. `question`: changes whenever an answer takes the place of another. */
type Props = { edit: Edit; separator: string; isFirst: boolean; question: string };

export function EditEntry({ edit, separator, isFirst, question }: Props) {
  const isNeed = needsAnswer(edit);
  return (
    <li className={`edit ${isNeed ? 'edit--need' : ''}`}>
      <Icon name={isNeed ? 'warn' : 'pencil'} />
      <div className="edit__body">
        <Identifier identifier={edit.identifier} separator={separator} />
        {isNeed ? <Need edit={edit} isFirst={isFirst} question={question} /> : <Going edit={edit} />}
      </div>
      {!isNeed && <Ends edit={edit} question={question} />}
    </li>
  );
}

function Going({ edit }: { edit: Edit }) {
  const progress = useTransferProgress(edit.transferId);
  const line = editLine(edit);
  const isMoving = progress !== undefined && (edit.state === 'uploading' || edit.state === 'opening');
  return (
    <>
      <p className="edit__line figures">{line}</p>
      {edit.error !== null && (
        <p className="edit__line edit__line--wait">
          {edit.error.code === 'fileNotOpened' || edit.error.code === 'editNotFinished'
            ? null
            : `${texts.notKept} `}
          {errorLine(edit.error)}
        </p>
      )}
      {isMoving && (
        <>
          <Bar fraction={progress.totalBytes ? progress.doneBytes / progress.totalBytes : null} />
          <p className="edit__meta figures">
            <span>
              {progress.totalBytes === null
                ? formatSize(progress.doneBytes)
                : formatProgress(progress.doneBytes, progress.totalBytes)}
            </span>
            {progress.leftMs !== null && (
              <span>{commonTexts.timeLeft({ duration: formatDuration(progress.leftMs) })}</span>
            )}
          </p>
        </>
      )}
    </>
  );
}

function Ends({ edit, question }: Pick<Props, 'edit' | 'question'>) {
  const { id, state, identifier, isFinishing, error } = edit;
  const client = useClient();
  const { act, actOn } = texts;
  const end = state === 'opening' ? commonTexts.cancel : act.finish;
  return (
    <div className="edit__ends">
      {state !== 'opening' && !isFinishing && (
        <IconButton
          icon="file"
          label={act.openAgain}
          onPress={() => sayFailure(client.call('edits.show', { id }))}
        />
      )}
      {!isFinishing && error?.code === 'editNotFinished' && error.problem === 'filesBeside' && (
        <AnswerButton
          question={question}
          aria-label={actOn({ act: act.deleteBeside, identifier })}
          onPress={() => sayFailure(client.call('edits.answer', { id, answer: 'deleteBeside' }))}
        >
          {act.deleteBeside}
        </AnswerButton>
      )}
      {!isFinishing && (
        <Button
          kind="line"
          aria-label={actOn({ act: end, identifier })}
          onPress={() => sayFailure(client.call('edits.finish', { id }))}
        >
          {end}
        </Button>
      )}
    </div>
  );
}

function Need({ edit, isFirst, question }: Omit<Props, 'separator'>) {
  const client = useClient();
  const { id, state, mine, theirs, error, transferId } = edit;
  const { act } = texts;
  const focus = isFirst ? focusHere : {};
  const answer = (said: EditAnswer) => () => sayFailure(client.call('edits.answer', { id, answer: said }));
  const opening = state === 'failed' && mine === null;
  const why =
    state === 'changed'
      ? texts.changed
      : state === 'deleted'
        ? texts.deleted
        : state === 'asking'
          ? texts.asking
          : opening
            ? texts.failedOpening
            : texts.failed;
  const more =
    state === 'asking'
      ? texts.askingText
      : state === 'failed' && error !== null
        ? errorLine(error)
        : texts.kept;
  return (
    <>
      <p className="edit__line">
        <b>{why}</b> {more}
      </p>
      {mine !== null && theirs !== null && <Facts mine={mine} theirs={theirs} />}
      <div className="edit__answers">
        {state === 'changed' && (
          <>
            <AnswerButton question={question} kind="line" {...focus} onPress={answer('keepMine')}>
              {act.keepMine}
            </AnswerButton>
            <AnswerButton question={question} kind="line" onPress={answer('takeTheirs')}>
              {act.takeTheirs}
            </AnswerButton>
            <Button icon="columns" onPress={() => sayFailure(client.call('edits.compare', { id }))}>
              {act.compare}
            </Button>
          </>
        )}
        {state === 'deleted' && (
          <>
            <AnswerButton question={question} kind="line" {...focus} onPress={answer('storeAgain')}>
              {act.storeAgain}
            </AnswerButton>
            <AnswerButton question={question} onPress={answer('discard')}>
              {act.discard}
            </AnswerButton>
          </>
        )}
        {state === 'failed' && (
          <>
            <AnswerButton question={question} kind="line" {...focus} onPress={answer('tryAgain')}>
              {commonTexts.tryAgain}
            </AnswerButton>
            <AnswerButton question={question} onPress={answer('discard')}>
              {opening ? act.remove : act.discard}
            </AnswerButton>
          </>
        )}
        {state === 'asking' && transferId !== null && (
          <Button
            kind="line"
            {...focus}
            onPress={() => {
              showEdits(false);
              openConflictPrompt(transferId);
            }}
          >
            {transferTexts.answer}
          </Button>
        )}
      </div>
    </>
  );
}

function Facts({ mine, theirs }: { mine: NonNullable<Edit['mine']>; theirs: NonNullable<Edit['theirs']> }) {
  const { lengthBytes } = theirs;
  const verdict =
    lengthBytes === null
      ? ''
      : mine.lengthBytes === lengthBytes
        ? texts.sameSize
        : mine.lengthBytes > lengthBytes
          ? texts.larger
          : texts.smaller;
  return (
    <table className="edit__facts figures">
      <tbody>
        <tr>
          <th scope="row">
            <Icon name="laptop" />
            {texts.mine}
          </th>
          <td>{texts.savedAt({ time: formatTime(mine.savedAtMs) })}</td>
          <td>{formatSize(mine.lengthBytes)}</td>
          <td rowSpan={2} className="edit__verdict">
            {verdict}
          </td>
        </tr>
        <tr>
          <th scope="row">
            <Icon name="server" />
            {texts.theirs}
          </th>
          <td>{texts.seenAt({ time: formatTime(theirs.seenAtMs) })}</td>
          <td>{lengthBytes === null ? commonTexts.notKnown : formatSize(lengthBytes)}</td>
        </tr>
      </tbody>
    </table>
  );
}
