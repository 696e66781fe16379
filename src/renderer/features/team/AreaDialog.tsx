import { useEffect, useState } from 'react';
import {
  areaPrefixMaxBytes,
  type CuratedArea,
  type CuratedPerson,
  isWholeList,
  type TeamArea,
} from '../../../shared/domain/team.ts';
import { teamMays } from '../../../shared/domain/team-choices.ts';
import { folderPrefix } from '../../../shared/domain/folder.ts';
import { ClassificationPicker } from '../../app/classification/ClassificationPicker.tsx';
import { useClient } from '../../app/client.ts';
import { FormDialog } from '../../app/FormDialog.tsx';
import { useAct } from '../../app/use-act.ts';
import { curateTexts } from './curate-texts.ts';
import { Checkbox } from '../../ui/Choice.tsx';
import { TextField } from '../../ui/Field.tsx';
import { focusHere } from '../../ui/focus.ts';
import { Select } from '../../ui/Select.tsx';
import { areaOptions, type May } from './may-options.ts';
import { areaText } from './area-text.ts';
import type { PartProps } from './use-curation.ts';

type Place = Omit<TeamArea, 'may'>;

/** The least access that each person has to the objects of a new area, so that creating it grants nobody more. */
export function accessOfNew(areas: readonly CuratedArea[], place: Place): ReadonlyMap<number, May> {
  const [first, ...others] = sourcesOf(areas, place);
  return new Map(
    first?.access.map(({ personId, may }) => [
      personId,
      others.map((area) => mayIn(area, personId)).reduce(lesser, may),
    ]),
  );
}

/** The areas that these objects belong to now. By the server's rule, a classification's own area takes precedence, then the longest folder. */
function sourcesOf(areas: readonly CuratedArea[], { prefix, classification }: Place): CuratedArea[] {
  const around = (of: string | null) =>
    areas
      .filter((area) => area.classification === of && prefix.startsWith(area.prefix))
      .toSorted((a, b) => b.prefix.length - a.prefix.length)
      .slice(0, 1);
  if (classification === null) return around(null);
  const ofClass = around(classification);
  if (ofClass.length > 0) return ofClass;
  const within = areas.filter(
    (area) =>
      area.classification === null && area.prefix.length > prefix.length && area.prefix.startsWith(prefix),
  );
  return [...around(null), ...within];
}

const mayIn = ({ access }: CuratedArea, person: number): May =>
  access.find(({ personId }) => personId === person)?.may ?? 'none';

const rankOf = (may: May): number => (may === 'none' ? -1 : teamMays.indexOf(may));

const lesser = (a: May, b: May): May => (rankOf(a) < rankOf(b) ? a : b);

const texts = curateTexts.area;

type Props = PartProps & {
  /** Omitted: a new one. Never the whole list, whose access is edited in `People`. */
  area?: CuratedArea;
  onClose: () => void;
};

/** Who may do what in an area and, for a new one, what belongs to it. */
export function AreaDialog({ service, curation, refresh, area, onClose }: Props) {
  const client = useClient();
  const act = useAct();
  const { id: serviceId, separator } = service;
  const [folder, setFolder] = useState('');
  const [isOfClass, setOfClass] = useState(false);
  const [classification, setClassification] = useState<string | null>(null);
  const [chosen, setChosen] = useState<ReadonlyMap<number, May>>(new Map());
  const whole = curation.areas.find(isWholeList);
  const prefix = folderPrefix(folder.trim(), separator);
  const only = isOfClass ? classification : null;
  const isReady = area !== undefined || (isOfClass ? classification !== null : prefix !== '');
  const people = curation.people.filter(({ isEnded }) => !isEnded);
  const before: ReadonlyMap<number, May> =
    area === undefined
      ? accessOfNew(curation.areas, { prefix, classification: only })
      : new Map(area.access.map(({ personId, may }) => [personId, may]));
  const mayOf = ({ id }: CuratedPerson): May => chosen.get(id) ?? before.get(id) ?? 'none';
  // Curators of the whole list, except those who became one after the area was made: they may see nothing of it.
  const curatesAll = ({ id }: CuratedPerson) =>
    (area === undefined || before.get(id) === 'curate') &&
    whole?.access.some(({ personId, may }) => personId === id && may === 'curate') === true;

  async function save(): Promise<void> {
    if (area === undefined) {
      const access = people
        .filter((person) => !curatesAll(person))
        .flatMap((person) => {
          const may = mayOf(person);
          return may === 'none' ? [] : [{ personId: person.id, may }];
        });
      await client.call('team.makeArea', { serviceId, prefix, classification: only, access });
      return;
    }
    for (const person of people) {
      const may = mayOf(person);
      if (may !== (before.get(person.id) ?? 'none'))
        await client.call('team.setAccess', { serviceId, areaId: area.id, personId: person.id, may });
    }
  }

  return (
    <FormDialog
      title={area === undefined ? texts.addTitle : texts.changeTitle({ area: areaText(area) })}
      place={service.name}
      size="medium"
      act={act}
      button={{
        label: area === undefined ? texts.make : texts.save,
        isReady,
        needs: isOfClass ? texts.needsClass : texts.needsOne,
        onPress: () =>
          void act.run(async () => {
            try {
              await save();
            } finally {
              await refresh();
            }
            onClose();
          }),
      }}
      onClose={onClose}
    >
      {area === undefined && (
        <>
          <TextField
            {...focusHere}
            isCode
            label={texts.folder}
            hint={texts.folderHint}
            spellCheck="false"
            maxLength={areaPrefixMaxBytes}
            value={folder}
            onChange={setFolder}
          />
          <Checkbox isSelected={isOfClass} onChange={setOfClass}>
            {texts.only}
          </Checkbox>
          {isOfClass && (
            <ClassificationPicker
              serviceId={serviceId}
              folder=""
              startsWith="nothing"
              offersDefault={false}
              onChange={setClassification}
            />
          )}
          {isReady && (
            <Count serviceId={serviceId} path={prefix.slice(0, -separator.length)} classification={only} />
          )}
        </>
      )}
      <table className="team-access">
        <caption>{texts.who}</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{texts.person}</th>
            <th scope="col">{texts.access}</th>
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <tr key={person.id}>
              <th scope="row">
                <bdi>{person.shown}</bdi>
              </th>
              <td>
                {curatesAll(person) ? (
                  <span className="dim">{texts.curatesAll}</span>
                ) : (
                  <Select
                    label={texts.accessOf({ name: person.shown })}
                    labelPlace="hidden"
                    size="regular"
                    value={mayOf(person)}
                    options={areaOptions()}
                    onChange={(may) => setChosen(new Map(chosen).set(person.id, may))}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </FormDialog>
  );
}

/** Number of objects in the local list that would belong to the area. */
function Count({
  serviceId,
  path,
  classification,
}: {
  serviceId: string;
  path: string;
  classification: string | null;
}) {
  const client = useClient();
  const [count, setCount] = useState<number | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const place =
      path !== ''
        ? ({ kind: 'folder', path } as const)
        : ({ kind: 'classification', value: classification } as const);
    const search = path !== '' && classification !== null ? `class:"${classification}"` : '';
    const sort = { column: 'identifier', direction: 'ascending' } as const;
    const query = { serviceId, kind: 'data', place, search, allVersions: true, sort } as const;
    const timer = setTimeout(() => {
      client.call('objects.page', { query, offset: 0, limit: 1 }).then(
        ({ total }) => isCurrent && setCount(total),
        () => isCurrent && setCount(null),
      );
    }, 150);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [client, serviceId, path, classification]);
  return count !== null && <output>{texts.count({ count })}</output>;
}
