import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { objectChangeTexts } from '../../../i18n/object-change-texts.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import type { Output, SelectionMix } from '../../../../shared/contract.ts';
import type { Selection } from '../../../../shared/domain/object.ts';
import { formatCount, formatDuration, formatSize } from '../../../../shared/i18n/format.ts';
import { shownOf } from '../../../../shared/domain/shown-of.ts';
import { ClassBadge } from '../../../app/classification/ClassBadge.tsx';
import {
  ClassificationPicker,
  type ClassificationPickerHandle,
} from '../../../app/classification/ClassificationPicker.tsx';
import { focusGrid } from '../../../app/grid.ts';
import { turnDock } from '../../../app/dock.ts';
import { useClient } from '../../../app/client.ts';
import { useAct } from '../../../app/use-act.ts';
import { announce } from '../../../ui/announce.tsx';
import { Swatch } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { useFocusReturn } from '../../../ui/use-focus-return.ts';
import { DialogError, FailedDialog } from './FailedDialog.tsx';
import { freeze } from './freeze.ts';
import './reclassify-dialog.css';
import { ServicePlace } from '../../../app/ServicePlace.tsx';

const texts = objectChangeTexts.reclassify;
const namesShown = 3;

type Props = {
  selection: Selection;
  serviceId: string;
  separator: string;
  serviceName: string;
  onClose: () => void;
};

type Chosen = { selection: Selection; mix: SelectionMix; rows: Output<'objects.names'>['rows'] };

/** Asks for another classification of stored objects, and shows the cost of changing it. */
export function ReclassifyDialog({ selection, serviceId, separator, serviceName, onClose }: Props) {
  const client = useClient();
  const act = useAct();
  const picker = useRef<ClassificationPickerHandle>(null);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [classification, setClassification] = useState<string | null>(null);
  /** Whether the person has chosen: with mixed classifications there is no preselection. */
  const [isChosen, setIsChosen] = useState(false);

  const load = useEffectEvent(() =>
    act.run(async () => {
      const frozen = await freeze(client, selection);
      const [mix, { rows }] = await Promise.all([
        client.call('objects.mixOf', { selection: frozen }),
        client.call('objects.names', { selection: frozen, limit: namesShown + 1 }),
      ]);
      setChosen({ selection: frozen, mix, rows: rows.slice(0, shownOf(mix.count, namesShown)) });
    }),
  );
  useEffect(() => void load(), [selection]);
  useFocusReturn(focusGrid);

  if (chosen === null) {
    return (
      act.error && (
        <FailedDialog
          title={objectTexts.act.reclassify}
          serviceName={serviceName}
          error={act.error}
          onClose={onClose}
        />
      )
    );
  }
  const { mix, rows } = chosen;
  const [only, ...others] = mix.classifications;
  const isMixed = others.length > 0 || mix.moreClassifications > 0;
  // null may also mean that the classification is unknown, so it never counts as unchanged.
  const isSame = !isMixed && only?.value === classification && classification !== null;

  function change() {
    if (picker.current?.finish() !== true || chosen === null) return;
    void act.run(async () => {
      const { count, leftOut } = await client.call('objects.reclassify', {
        selection: chosen.selection,
        classification,
      });
      const started = texts.started({ count });
      const said = leftOut === 0 ? started : texts.leftOut({ started, count: leftOut });
      // The rows say what has begun, and a message what has not.
      announce(said, 'polite', { isOnScreen: count > 0 && leftOut === 0, hasBegun: true });
      if (count > 0) turnDock('transfers');
      onClose();
    });
  }

  return (
    <Dialog
      isOpen
      size="medium"
      onClose={onClose}
      title={texts.title({ count: mix.count })}
      place={<ServicePlace name={serviceName} />}
      say={!isChosen ? texts.choose : isSame && texts.isSame}
      buttons={
        <>
          <Button size="large" onPress={onClose}>
            {commonTexts.cancel}
          </Button>
          <Button
            kind="primary"
            size="large"
            isDisabled={mix.count === 0 || !isChosen || isSame}
            isPending={act.isRunning}
            onPress={change}
          >
            {texts.change({ count: mix.count })}
          </Button>
        </>
      }
    >
      <div className="reclassify__choice">
        <div>
          <span className="reclassify__label">{objectChangeTexts.move.now}</span>
          <ul className="reclassify__now figures">
            {mix.classifications.map(({ value, count }) => (
              <li key={value ?? ''}>
                {value === null ? (
                  <>
                    <Swatch step={0} />
                    {commonTexts.serviceDefault}
                  </>
                ) : (
                  <ClassBadge value={value} />
                )}
                {others.length > 0 && <span className="reclassify__dim">{formatCount(count)}</span>}
              </li>
            ))}
          </ul>
        </div>
        <Icon name="arrow" />
        <ClassificationPicker
          ref={picker}
          serviceId={serviceId}
          folder=""
          {...(isMixed ? { startsWith: 'nothing' } : { start: only?.value ?? null })}
          offersDefault={false}
          onChange={(value, by) => {
            setClassification(value);
            if (by === 'person') setIsChosen(true);
          }}
        />
      </div>
      <dl className="reclassify__facts">
        <dt>{texts.each}</dt>
        <dd>
          {texts.isStoredAgain}
          <p>{texts.howStoredAgain}</p>
        </dd>
        <dt>{texts.takes}</dt>
        <dd>
          {texts.atLeast({ duration: formatDuration(leastMs(mix)) })}
          <p className="figures">{texts.moves({ size: formatSize(mix.totalBytes) })}</p>
        </dd>
        <dt>{texts.stays}</dt>
        <dd>{texts.whatStays}</dd>
        <dt>{objectTexts.label}</dt>
        <dd>
          <ul className="reclassify__names">
            {rows.map(({ id, identifier }) => (
              <li key={id} title={identifier}>
                <bdi>{identifier.split(separator).at(-1)}</bdi>
              </li>
            ))}
            {mix.count > rows.length && (
              <li className="reclassify__dim">{commonTexts.andMore({ count: mix.count - rows.length })}</li>
            )}
          </ul>
        </dd>
      </dl>
      {act.error && <DialogError error={act.error} />}
    </Dialog>
  );
}

/** Each object is checked a last time a minute after it was stored again. */
const lastCheckMs = 60_000;
/** For a fast service nearby: time per object, and rate, allowing for five transfers of each byte. */
const objectMs = 250;
const bytesPerMs = 20_000;

/** Lower bound in ms. Most services and networks are slower. */
function leastMs({ count, totalBytes }: SelectionMix): number {
  return lastCheckMs + (count - 1) * objectMs + totalBytes / bytesPerMs;
}
