import { commonTexts } from '../i18n/common-texts.ts';
import type { AppError } from '../../shared/errors.ts';
import { errorText } from '../../shared/i18n/error-text.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';

/** Shown in place of a list that could not be loaded. */
export function FailedList({ error, onRetry }: { error: AppError; onRetry: () => void }) {
  const { title, what, next } = errorText(error);
  return (
    <EmptyState
      icon="fail"
      title={title}
      text={next === undefined ? what : `${what} ${next}`}
      buttons={
        <Button kind="line" onPress={onRetry}>
          {commonTexts.tryAgain}
        </Button>
      }
    />
  );
}
