import { useState } from 'react';
import type { Output } from '../../../shared/contract.ts';
import type { Service } from '../../../shared/domain/service.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { useClient } from '../../app/client.ts';
import { useDiscardQuestion } from '../../app/DiscardQuestion.tsx';
import { useAct } from '../../app/use-act.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { teamTexts } from '../../i18n/team-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { accessOf, emptyForm, invitationOf, isComplete, type AccessForm } from './access-form.ts';
import { AccessFields } from './AccessFields.tsx';
import { canJoin, JoinChoices, startChoices, type Choices } from './JoinChoices.tsx';
import { useInvitation } from './use-invitation.ts';

const { access, lists } = teamTexts;

/** First how to reach the team's server, then which of its lists, and what of the own one is shared. Nothing is shared before the end. */
export function JoinDialog({ service, onClose }: { service: Service; onClose: () => void }) {
  const client = useClient();
  const act = useAct();
  const [form, setForm] = useState(emptyForm);
  const [found, setFound] = useState<Output<'team.look'> | null>(null);
  const [choices, setChoices] = useState<Choices | null>(null);
  const invitation = useInvitation(invitationOf(form));
  const discard = useDiscardQuestion(access.discard, form !== emptyForm, onClose);
  const change = (part: Partial<AccessForm>) => {
    setForm((before) => ({ ...before, ...part }));
    act.clear();
  };

  const look = () =>
    void act.run(async () => {
      const answer = await client.call('team.look', { access: accessOf(form, invitation.says) });
      setChoices(startChoices(answer, service.id));
      setFound(answer);
    });

  function join() {
    const list = found?.lists.find(({ id }) => id === choices?.list);
    if (list === undefined || choices === null) return;
    const { sharesEarlier, anyAddress } = choices;
    void act.run(async () => {
      await client.call('team.join', {
        serviceId: service.id,
        access: accessOf(form, invitation.says),
        list: list.id,
        sharesEarlier,
        anyAddress,
      });
      announce(lists.joined({ list: list.name }), 'polite');
      onClose();
    });
  }

  function goBack() {
    setFound(null);
    act.clear();
  }

  return (
    <Dialog
      isOpen
      size="wide"
      onClose={discard.close}
      title={access.title}
      place={service.name}
      say={
        <>
          <Icon name="lock" />
          {access.nothingYet}
        </>
      }
      buttons={
        <>
          <Button size="large" onPress={found === null ? discard.close : goBack}>
            {found === null ? commonTexts.cancel : lists.back}
          </Button>
          {found === null ? (
            <Button
              key="look"
              kind="primary"
              size="large"
              isDisabled={!isComplete(form, invitation.says)}
              isPending={act.isRunning}
              onPress={look}
            >
              {access.next}
            </Button>
          ) : (
            <Button
              key="join"
              kind="primary"
              size="large"
              isDisabled={choices === null || !canJoin(found, choices, service.id)}
              isPending={act.isRunning}
              onPress={join}
            >
              {lists.join}
            </Button>
          )}
        </>
      }
    >
      {found === null || choices === null ? (
        <AccessFields form={form} invitation={invitation} change={change} />
      ) : (
        <JoinChoices service={service} found={found} choices={choices} onChange={setChoices} />
      )}
      {act.error !== null && <ErrorNote {...errorText(act.error)} />}
      {discard.question}
    </Dialog>
  );
}
