import { useState } from 'react';
import type { Input, Output } from '../../../shared/contract.ts';
import type { Service } from '../../../shared/domain/service.ts';
import { createText } from '../../../shared/i18n/team-text.ts';
import { useClient } from '../../app/client.ts';
import { useDiscardQuestion } from '../../app/DiscardQuestion.tsx';
import { FormDialog } from '../../app/FormDialog.tsx';
import { isDialogOpen } from '../../app/key-bindings.ts';
import { openTeamDialog } from './teams.ts';
import { asAppError } from '../../app/remote-store.ts';
import { useAct } from '../../app/use-act.ts';
import { curateTexts } from './curate-texts.ts';
import { teamTexts } from './team-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Choice.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { TextField } from '../../ui/Field.tsx';
import { keepFocus } from '../../ui/focus.ts';
import { Select } from '../../ui/Select.tsx';
import { useFocusReturn } from '../../ui/use-focus-return.ts';
import { accessOf, emptyForm, isComplete, needsOf, type AccessForm } from './access-form.ts';
import { AccessFields } from './AccessFields.tsx';
import { MadeInvitation } from './MadeInvitation.tsx';
import { PersonFields } from './PersonFields.tsx';

const texts = curateTexts.create;

type Found = Output<'team.inspectToCreate'>;

/** The list to create or to use, and its first curator. */
type Wish = { list: number | 'new'; name: string; role: string; shown: string; makesRoles: boolean };

/** For the owner of a database: signs in, shows its lists, creates one, and shows the first curator's invitation. */
export function CreateDialog({ service, onClose }: { service: Service; onClose: () => void }) {
  const client = useClient();
  const act = useAct();
  // After *Join*, the next dialog keeps the focus.
  useFocusReturn(keepFocus, isDialogOpen);
  const [form, setForm] = useState<AccessForm>({ ...emptyForm, kind: 'typed' });
  const [found, setFound] = useState<Found | null>(null);
  const [wish, setWish] = useState<Wish>({
    list: 'new',
    name: service.name.slice(0, 80),
    role: '',
    shown: '',
    makesRoles: true,
  });
  const [made, setMade] = useState<Output<'team.create'> | null>(null);
  const isTouched = [form.host, form.database, form.role, form.password].some((text) => text !== '');
  const discard = useDiscardQuestion(texts.discard, isTouched && made === null, onClose);

  const inspect = () =>
    void act.run(async () => {
      const answer = await client.call('team.inspectToCreate', { access: accessOf(form, null) });
      // List ids of another database do not apply here.
      const there = answer.lists.find(({ address }) => address === service.baseAddress);
      setWish((before) => ({
        ...before,
        list: there?.id ?? 'new',
        makesRoles: answer.rolesReach === 'own',
      }));
      setFound(answer);
    });
  const create = () =>
    void act.run(async () => {
      const { list, name, role, shown, makesRoles } = wish;
      const wanted: Input<'team.create'> = {
        access: accessOf(form, null),
        list:
          list === 'new'
            ? { kind: 'new', name: name.trim(), serviceId: service.id }
            : { kind: 'there', listId: list },
        curator: {
          role: role.trim(),
          shown: shown.trim(),
          makesRoles: makesRoles && found?.mayMakeRoles ? found.rolesReach : 'no',
        },
      };
      try {
        setMade(await client.call('team.create', wanted));
      } catch (cause) {
        // The list may have been created although the answer was lost: look again before another try.
        if (asAppError(cause).code === 'teamServer') setFound(null);
        throw cause;
      }
    });

  const frame = { title: texts.title, place: service.name, act, onClose: discard.close };
  if (made !== null) {
    return (
      <MadeInvitation
        service={service}
        name={wish.shown.trim()}
        {...made}
        say={
          <Button kind="link" onPress={() => openTeamDialog('join', service.id, made.invitation)}>
            {texts.joinNow}
          </Button>
        }
        onClose={onClose}
      />
    );
  }
  if (found === null) {
    return (
      <FormDialog
        {...frame}
        say={texts.say}
        button={{
          key: 'look',
          label: teamTexts.access.next,
          isReady: isComplete(form, null),
          needs: needsOf(form, null),
          onPress: inspect,
        }}
      >
        <p>{texts.intro}</p>
        <AccessFields
          isOwner
          form={form}
          invitation={{ says: null, error: null }}
          change={(part) => setForm((before) => ({ ...before, ...part }))}
        />
        {discard.question}
      </FormDialog>
    );
  }
  return (
    <FormDialog
      {...frame}
      isHeld
      say={texts.say}
      back={{
        label: teamTexts.lists.back,
        onPress: () => {
          setFound(null);
          act.clear();
        },
      }}
      button={{
        key: 'create',
        label: texts.button,
        isReady: found.problem === null && isWhole(wish),
        ...(found.problem === null && {
          needs: wish.list === 'new' ? texts.needsAll : curateTexts.invite.needsBoth,
        }),
        onPress: create,
      }}
    >
      <WishFields
        service={service}
        found={found}
        wish={wish}
        change={(part) => setWish({ ...wish, ...part })}
      />
      {discard.question}
    </FormDialog>
  );
}

const isWhole = ({ list, name, role, shown }: Wish): boolean =>
  [list === 'new' ? name : '-', role, shown].every((text) => text.trim() !== '');

function WishFields(props: {
  service: Service;
  found: Found;
  wish: Wish;
  change: (part: Partial<Wish>) => void;
}) {
  const { service, found, wish, change } = props;
  const { server, version, isEncrypted, problem, mayMakeRoles, rolesReach, lists } = found;
  const { access, lists: listTexts } = teamTexts;
  return (
    <>
      <dl className="team-facts team-facts--wide">
        <dt>{texts.server}</dt>
        <dd>
          <bdi>{access.place({ host: server.host, port: String(server.port) })}</bdi>
        </dd>
        <dt>{texts.database}</dt>
        <dd>
          <bdi>{server.database}</bdi>
          {' · '}
          {texts.facts({ version, encryption: isEncrypted ? listTexts.encrypted : listTexts.plain })}
        </dd>
      </dl>
      {problem === null ? (
        <div className="form">
          {lists.length > 0 && (
            <Select
              label={texts.list}
              labelPlace="beside"
              value={wish.list}
              options={[
                { value: 'new', label: texts.newList },
                ...lists.map(({ id, name, address }) => ({
                  value: id,
                  label: texts.listThere({ name, address }),
                })),
              ]}
              onChange={(list) => change({ list })}
            />
          )}
          {wish.list === 'new' && (
            <TextField
              label={texts.listName}
              labelPlace="beside"
              hint={texts.about({ address: service.baseAddress })}
              maxLength={80}
              value={wish.name}
              onChange={(name) => change({ name })}
            />
          )}
          <PersonFields
            label={texts.curator}
            labelPlace="beside"
            roleHint={texts.curatorText}
            person={wish}
            change={change}
          />
          {mayMakeRoles ? (
            <Checkbox isSelected={wish.makesRoles} onChange={(makesRoles) => change({ makesRoles })}>
              {rolesReach === 'own' ? texts.makesRoles : texts.takesOver}
            </Checkbox>
          ) : (
            <p>{texts.noRoles}</p>
          )}
        </div>
      ) : (
        <ProblemNote problem={problem} role={server.role} database={server.database} />
      )}
    </>
  );
}

function ProblemNote(props: Parameters<typeof createText>[0]) {
  const { what, next } = createText(props);
  return (
    <div role="alert">
      <ErrorNote title={what} next={next} />
    </div>
  );
}
