import type { Output } from '../../shared/contract.ts';
import { folderPrefix } from '../../shared/domain/folder.ts';
import { isWholeList } from '../../shared/domain/team.ts';
import type { TeamMay } from '../../shared/domain/team-choices.ts';
import type { Context, Run } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import { exitCodes } from '../errors/exit-code.ts';
import { teamTexts as texts } from './team-texts.ts';
import { requireStored } from './team.ts';

type Curation = Output<'team.curation'>;

/** `coffer team areas` */
export const areas: Run = async (context) => {
  const { curation, output } = await look(context);
  const nameOf = new Map(curation.people.map(({ id, shown }) => [id, shown]));
  for (const { id, prefix, classification, objects, access } of curation.areas) {
    const whole = classification === null ? texts.wholeList : texts.anyFolder;
    const values = { number: String(id), place: prefix === '' ? whole : prefix, count: objects };
    const people = access.map(({ personId, may }) => ({
      number: personId,
      name: nameOf.get(personId) ?? '',
      may,
    }));
    const title =
      classification === null ? texts.area(values) : texts.areaClassified({ ...values, classification });
    const lines = people.map(({ name, may }) => texts.areaAccess({ name, may: texts.mays[may] }));
    const json = { area: id, folder: prefix, classification, objects, access: people };
    output.result([title, ...lines].join('\n'), json);
  }
  const { unsettled } = curation;
  if (unsettled !== null) output.say(texts.unsettled({ count: unsettled }));
  return exitCodes.done;
};

/** `coffer team add-area [FOLDER] [--classification VALUE] [--keep-access]` */
export function addArea(
  folder = '',
  { classification = null, keepAccess = false }: { classification?: string | null; keepAccess?: boolean },
): Run {
  return async (context) => {
    if (folder === '' && classification === null) throw new Usage(texts.nothingToArea);
    const { curation, output, coffer, serviceId, separator } = await look(context);
    // Without a separator, `reports` would include `reports-2024`.
    const prefix = folderPrefix(folder, separator);
    const access = keepAccess ? (curation.areas.find(isWholeList)?.access ?? []) : [];
    const { areaId } = await coffer.call('team.makeArea', { serviceId, prefix, classification, access });
    output.result(texts.areaMade({ number: String(areaId) }), { area: areaId, change: 'made' });
    // Sync now, so that matching objects move into the new area.
    await coffer.call('team.sync', { serviceId });
    return exitCodes.done;
  };
}

/** `coffer team remove-area NUMBER` */
export function removeArea(areaId: number): Run {
  return async (context) => {
    const { output, coffer, serviceId } = await begin(context);
    await coffer.call('team.removeArea', { serviceId, areaId });
    output.result(texts.areaRemoved({ number: String(areaId) }), { area: areaId, change: 'removed' });
    await coffer.call('team.sync', { serviceId });
    return exitCodes.done;
  };
}

/** `coffer team grant PERSON none|read|contribute|curate [--area NUMBER]` */
export function grant(given: string, may: 'none' | TeamMay, { area }: { area?: number }): Run {
  return async (context) => {
    const { curation, output, coffer, serviceId } = await look(context);
    const { id: personId, shown: name } = findPerson(curation, given);
    const found = curation.areas.find(area === undefined ? isWholeList : ({ id }) => id === area);
    if (!found) throw new Usage(texts.noSuchArea({ number: String(area) }), exitCodes.notFound);
    await coffer.call('team.setAccess', { serviceId, areaId: found.id, personId, may });
    const text = texts.granted({ name, may: texts.mays[may], number: String(found.id) });
    output.result(text, { number: personId, name, area: found.id, may });
    return exitCodes.done;
  };
}

/** `coffer team end PERSON [--undo]` */
export function end(given: string, { undo = false }: { undo?: boolean }): Run {
  return async (context) => {
    const { curation, output, coffer, serviceId } = await look(context);
    const { id: personId, shown: name, role: roleName } = findPerson(curation, given);
    // A quoted SQL identifier, for any name.
    const role = `"${roleName.replaceAll('"', '""')}"`;
    const { left } = await coffer.call('team.setPerson', { serviceId, personId, isEnded: !undo });
    const text = (undo ? texts.takenBack : texts.ended)({ name });
    output.result(text, { number: personId, name, isEnded: !undo, left });
    if (left.includes('login')) output.error((undo ? texts.leftClosed : texts.leftLogin)({ role }));
    if (left.includes('connections')) output.error(texts.leftConnections);
    return exitCodes.done;
  };
}

/** `coffer team share secrets|notes|file-names [--stop]` */
export function share(what: 'secrets' | 'notes' | 'file-names', { stop = false }: { stop?: boolean }): Run {
  return async (context) => {
    const { curation, output, coffer, serviceId } = await look(context);
    const key = what === 'file-names' ? 'fileNames' : what;
    await coffer.call('team.setList', { serviceId, shares: { [key]: !stop } });
    const shares = { ...curation.list.shares, [key]: !stop };
    const shared = (['secrets', 'notes', 'fileNames'] as const).filter((each) => shares[each]);
    const names = shared.map((each) => texts.shared[each]).join(', ');
    output.result(shared.length === 0 ? texts.sharesNothing : texts.shares({ shared: names }), shares);
    if (stop) output.say(texts.deleted[key]({ count: curation.list.holds?.[key] ?? 0 }));
    return exitCodes.done;
  };
}

/** `coffer team compare` */
export const compare: Run = async (context) => {
  const { curation, output, coffer, serviceId } = await look(context);
  const { name: list } = curation.list;
  await coffer.call('team.compare', { serviceId });
  output.result(texts.compared({ list }), { list, change: 'compared' });
  await coffer.call('team.sync', { serviceId });
  return exitCodes.done;
};

async function begin(context: Context) {
  requireStored(context);
  const { coffer, output } = context;
  const { id: serviceId, separator } = await context.service();
  return { output, coffer, serviceId, separator };
}

async function look(context: Context) {
  const begun = await begin(context);
  const curation = await begun.coffer.call('team.curation', { serviceId: begun.serviceId });
  return { ...begun, curation };
}

/** @param given number, role or name @throws Usage */
function findPerson({ people }: Curation, given: string): Curation['people'][number] {
  const exact = people.find(({ id, role }) => String(id) === given || role === given);
  if (exact) return exact;
  const named = people.filter(({ shown }) => shown === given);
  const [found, ...others] = named;
  if (!found) throw new Usage(texts.noSuchPerson({ given }), exitCodes.notFound);
  if (others.length === 0) return found;
  const known = named.map(({ id, role }) => `${String(id)} (${role})`).join(', ');
  throw new Usage(texts.severalPeople({ given, known }));
}
