import { useStore } from 'zustand';
import { usesHash } from '../../../shared/domain/template.ts';
import type { UploadPlan } from '../../../shared/domain/upload-plan.ts';
import { formatSize } from '../../../shared/i18n/format.ts';
import { uploadTexts as texts } from '../../i18n/upload-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { uploadStore } from './upload-store.ts';
import { objectChangeTexts } from '../../i18n/object-change-texts.ts';

type ForecastProps = {
  plan: UploadPlan;
  isUploading: boolean;
  isTemplateBad: boolean;
  error: string | null;
  /** Stops reading files, by returning to a template without a hash. */
  onStop: () => void;
};

/** What will happen, in one line to the left of the buttons. */
export function Forecast({ plan, isUploading, isTemplateBad, error, onStop }: ForecastProps) {
  const { isTaking } = useStore(uploadStore);
  const { forecast } = texts;
  const { handedOver: count } = plan;
  if (error !== null)
    return <span className="sheet__bad">{count === 0 ? error : forecast.failed({ error, count })}</span>;
  if (isUploading) {
    const isWaiting = plan.reading || plan.naming;
    return <>{isWaiting ? forecast.waits({ naming: namingText(plan) }) : forecast.starting({ count })}</>;
  }
  const isNaming = plan.naming && usesHash(plan.template) && !isTaking;
  if ((plan.reading || isTaking) && !isNaming) return <>{forecast.reading({ count: plan.total })}</>;
  if (plan.naming) {
    return (
      <>
        {namingText(plan)}
        {usesHash(plan.template) && (
          <Button kind="link" onPress={onStop}>
            {objectChangeTexts.addKnown.stop}
          </Button>
        )}
      </>
    );
  }
  if (plan.total === 0) return null;
  if (isTemplateBad) return <>{forecast.badTemplate}</>;
  if (count > 0) return <>{forecast.left({ count })}</>;
  if (plan.problems === 0) return <>{plan.mayBeRefused > 0 && forecast.mayBeRefused}</>;
  if (plan.ready === 0) return <>{forecast.noneReady}</>;
  const { ready, total, readyBytes } = plan;
  return <>{forecast.someReady({ ready, total, size: formatSize(readyBytes) })}</>;
}

function namingText({ total, problems, ready }: UploadPlan): string {
  const done = problems + ready;
  return done === total ? texts.forecast.naming : texts.forecast.digests({ done, total });
}
