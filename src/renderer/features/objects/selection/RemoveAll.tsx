import { useRef, useState } from 'react';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { objectChangeTexts } from '../../../i18n/object-change-texts.ts';
import { removalMax, type FrozenSelection, type ObjectQuery } from '../../../../shared/domain/object.ts';
import { useClient } from '../../../app/client.ts';
import { DialogPane } from '../../../app/Pane.tsx';
import { useSharedWith } from '../../../app/slots.tsx';
import { useAct } from '../../../app/use-act.ts';
import { errorLine } from '../../../../shared/i18n/error-text.ts';
import { Button } from '../../../ui/Button.tsx';
import { AlertDialog } from '../../../ui/Dialog.tsx';
import { focusHere } from '../../../ui/focus.ts';
import { useFocusReturn } from '../../../ui/use-focus-return.ts';
import { forgetObjects } from '../actions/forget-objects.ts';
import { select } from '../state/browser-store.ts';
import { nothingSelected } from '../state/selection.ts';
import { ServicePlace } from '../../../app/ServicePlace.tsx';

const texts = objectChangeTexts.removeAll;

type Asked = { selection: FrozenSelection; count: number };

type Props = {
  query: ObjectQuery;
  serviceName: string;
  /** Called when the list is empty and this button disappears, to move the focus. */
  onEmptied: () => void;
};

/** Removes all gone objects that the list shows. Does not contact the service. */
export function RemoveAll({ query, serviceName, onEmptied }: Props) {
  const client = useClient();
  const [asked, setAsked] = useState<Asked | null>(null);
  const act = useAct();

  function ask() {
    void act.run(async () => {
      // Frozen: objects deleted while the dialog is open stay in the list.
      const frozen = { kind: 'query' as const, query, exceptIds: [] };
      const { selection } = await client.call('objects.freeze', { selection: frozen });
      const { count } = await client.call('objects.summarize', { selection });
      setAsked({ selection, count });
    });
  }
  const close = () => setAsked(null);
  return (
    <>
      <Button kind="line" icon="x" isPending={act.isRunning} onPress={ask}>
        {texts.button}
      </Button>
      {asked !== null && (
        <DialogPane onClose={close}>
          <Question
            asked={asked}
            query={query}
            serviceName={serviceName}
            onClose={close}
            onEmptied={onEmptied}
          />
        </DialogPane>
      )}
    </>
  );
}

type QuestionProps = Pick<Props, 'query' | 'serviceName' | 'onEmptied'> & {
  asked: Asked;
  onClose: () => void;
};

function Question({ asked, query, serviceName, onClose, onEmptied }: QuestionProps) {
  const { selection, count } = asked;
  const client = useClient();
  const act = useAct();
  const isEmptied = useRef(false);
  const isFinal = useSharedWith(query.serviceId) !== null || count > removalMax;
  useFocusReturn(onEmptied, () => isEmptied.current);

  function remove() {
    void act.run(async () => {
      await forgetObjects(client, selection);
      isEmptied.current = true;
      select(nothingSelected);
      onClose();
    });
  }
  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title={texts.title({ count })}
      place={<ServicePlace name={serviceName} />}
      buttons={
        <>
          <Button {...focusHere} size="large" onPress={onClose}>
            {commonTexts.cancel}
          </Button>
          <Button
            kind="fatal"
            size="large"
            isDisabled={count === 0}
            isPending={act.isRunning}
            onPress={remove}
          >
            {commonTexts.remove}
          </Button>
        </>
      }
    >
      <p>
        {texts.text} {isFinal ? <b>{objectChangeTexts.delete.forever}</b> : texts.undoable}
      </p>
      {act.error !== null && <p className="doomed__error">{errorLine(act.error)}</p>}
    </AlertDialog>
  );
}
