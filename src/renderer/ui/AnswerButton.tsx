import { useRef, type ComponentProps, type RefObject } from 'react';
import { answerDelayMs, useAnswerDelay } from './answer-delay.ts';
import { Button } from './Button.tsx';
import { KeyHint } from './KeyHint.tsx';
import './answer-button.css';

type Props = Omit<ComponentProps<typeof Button>, 'ref'> & {
  ref?: RefObject<HTMLButtonElement | null>;
  /** Identifies what an answer would be for; null: the person asked. */
  question: string | null;
};

/**
 * A button that gives away or changes something, in a question that came unasked. It fills up, and takes neither click nor key
 * before it is full.
 */
export function AnswerButton({ ref, question, isPending = false, className = '', children, ...rest }: Props) {
  const own = useRef<HTMLButtonElement>(null);
  const button = ref ?? own;
  const { phase, turn } = useAnswerDelay(question, button);
  const isReady = phase === 'ready';
  return (
    <Button
      {...rest}
      ref={button}
      isPending={isPending || !isReady}
      className={isReady ? className : `${className} btn--filling`}
    >
      {children}
      {phase === 'counting' && (
        <span
          key={turn}
          className="btn__fill"
          style={{ animationDuration: `${String(answerDelayMs)}ms` }}
          aria-hidden="true"
        >
          {children}
          {rest.keys !== undefined && <KeyHint keys={rest.keys.shown} />}
        </span>
      )}
    </Button>
  );
}
