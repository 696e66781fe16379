import { useState } from 'react';
import type { Output } from '../../../shared/contract.ts';
import type { Service } from '../../../shared/domain/service.ts';
import { useClient } from '../../app/client.ts';
import { useDiscardQuestion } from '../../app/DiscardQuestion.tsx';
import { FormDialog } from '../../app/FormDialog.tsx';
import { useAct } from '../../app/use-act.ts';
import { teamTexts } from './team-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { accessOf, emptyForm, invitationOf, isComplete, needsOf, type AccessForm } from './access-form.ts';
import { AccessFields } from './AccessFields.tsx';
import { canJoin, JoinChoices, startChoices, type Choices } from './JoinChoices.tsx';
import { useInvitation } from './use-invitation.ts';

const { access, lists } = teamTexts;

type Props = {
  service: Service;
  /** The initial text of its field. */
  invitation?: string | undefined;
  onClose: () => void;
};

/** Asks for the team's server, then which list to join and what to share. Nothing is shared before Join. */
export function JoinDialog({ service, invitation: given = '', onClose }: Props) {
  const client = useClient();
  const act = useAct();
  const [form, setForm] = useState({ ...emptyForm, invitation: given });
  const [isTouched, setTouched] = useState(given !== '');
  const [found, setFound] = useState<Output<'team.inspect'> | null>(null);
  const [choices, setChoices] = useState<Choices | null>(null);
  const invitation = useInvitation(invitationOf(form));
  const discard = useDiscardQuestion(access.discard, isTouched, onClose);
  // Keeps the last error until the next try: the port changes on blur, and Continue must not move under the press that blurs it.
  const change = (part: Partial<AccessForm>) => {
    setTouched(true);
    setForm((before) => ({ ...before, ...part }));
  };

  const inspect = () =>
    void act.run(async () => {
      const answer = await client.call('team.inspect', { access: accessOf(form, invitation.says) });
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
    <FormDialog
      title={access.title}
      place={service.name}
      say={
        <>
          <Icon name="lock" />
          {access.nothingYet}
        </>
      }
      act={act}
      {...(found !== null && { back: { label: lists.back, onPress: goBack } })}
      button={
        found === null
          ? {
              key: 'look',
              label: access.next,
              isReady: isComplete(form, invitation.says),
              needs: needsOf(form, invitation.says),
              onPress: inspect,
            }
          : {
              key: 'join',
              label: lists.join,
              isReady: choices !== null && canJoin(found, choices, service.id),
              ...(found.lists.length > 0 && { needs: access.needs.sameService }),
              onPress: join,
            }
      }
      onClose={discard.close}
    >
      {found === null || choices === null ? (
        <AccessFields form={form} invitation={invitation} change={change} />
      ) : (
        <JoinChoices service={service} found={found} choices={choices} onChange={setChoices} />
      )}
      {discard.question}
    </FormDialog>
  );
}
