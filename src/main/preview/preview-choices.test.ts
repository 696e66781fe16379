import { expect, it } from 'vitest';
import { AppFailure } from '../../shared/app-failure.ts';
import { openTestDatabase } from '../../../test-support/main/test-ports.ts';
import { createPreviewChoices } from './preview-choices.ts';

async function open() {
  const { documents } = await openTestDatabase();
  const known = new Set(['p', 'q']);
  const repository = {
    get(serviceId: string): never {
      if (!known.has(serviceId)) throw new AppFailure({ code: 'notFound', what: 'service' });
      return undefined as never;
    },
  };
  const choices = await createPreviewChoices({ repository, documents });
  const automatic = async (serviceId = 'p') =>
    (await choices.handlers['objects.previewChoices']({ serviceId })).automatic;
  const choose = async (classification: string | null, isAutomatic: boolean, serviceId = 'p') =>
    choices.handlers['objects.choosePreview']({ serviceId, classification, isAutomatic });
  return { choices, documents, known, automatic, choose };
}

it('fetches nothing automatically until a person chooses a classification', async () => {
  const { automatic, choose } = await open();
  expect(await automatic()).toEqual([]);
  await Promise.all([choose('Internal', true), choose(null, true), choose('Internal', true)]);
  expect(await automatic()).toEqual([null, 'Internal']);
  expect(await automatic('q')).toEqual([]);
  await choose(null, false);
  expect(await automatic()).toEqual(['Internal']);
});

it('keeps for which classifications a person was asked, whatever the answer', async () => {
  const { choices, choose } = await open();
  await choose('Internal', false);
  await choose(null, true);
  const known = await choices.handlers['objects.previewChoices']({ serviceId: 'p' });
  expect(known).toEqual({ automatic: [null], asked: ['Internal', null] });
});

it('removes choices with their service', async () => {
  const { choices, known, automatic, choose } = await open();
  await choose('Internal', true);
  known.delete('p');
  await choices.forgetService('p');
  await expect(choose('Internal', true)).rejects.toMatchObject({ error: { code: 'notFound' } });
  expect(await automatic()).toEqual([]);
});

it('treats an unreadable value as no choice', async () => {
  const { documents, automatic } = await open();
  await documents.put('previews', 'p', { automatic: 'all' });
  expect(await automatic()).toEqual([]);
});

it('says at once that previews are refused', async () => {
  const { choices, choose } = await open();
  let refused = 0;
  choices.onRefused(() => (refused += 1));
  await choose('Internal', true);
  expect(choices.isAutomatic('p', 'Internal')).toBe(true);
  await choose('Public', false); // as before
  expect(refused).toBe(0);
  await choose('Internal', false);
  expect(choices.isAutomatic('p', 'Internal')).toBe(false);
  expect(refused).toBe(1);
});
