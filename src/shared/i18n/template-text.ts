import { templateParts, unknownParts } from '../domain/template.ts';
import { formatList } from './format.ts';
import { messages } from './messages.ts';

/** The parts of identifiers in templates. */
export const templateTexts = messages('template', {
  unknown:
    '{count, plural, one {Unknown part {parts}.} other {Unknown parts {parts}.}} You can use {allowed}.',
  insert: 'Insert into the template',
  example: '{part}, for example {example}',
  part: {
    path: 'Path',
    name: 'File name',
    stem: 'Base name',
    ext: 'Extension',
    date: 'Date',
    hash8: 'Digest',
  },
});

/** The problem of a template, listing what is allowed by the labels of the insert buttons. */
export function templateProblem(template: string): string | undefined {
  const unknown = unknownParts(template);
  if (unknown.length === 0) return undefined;
  const allowed = formatList(templateParts.map((name) => `${templateTexts.part[name]} {${name}}`));
  return templateTexts.unknown({ count: unknown.length, parts: inBraces(unknown), allowed });
}

/** As `templateProblem`, where those buttons are not shown. */
export function unknownPartsText(unknown: readonly string[]): string {
  return templateTexts.unknown({
    count: unknown.length,
    parts: inBraces(unknown),
    allowed: inBraces(templateParts),
  });
}

function inBraces(names: readonly string[]): string {
  return formatList(names.map((name) => `{${name}}`));
}
