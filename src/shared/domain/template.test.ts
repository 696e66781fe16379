import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillTemplate, usesHash, type TemplateFacts } from './template.ts';

const facts: TemplateFacts = {
  folder: 'site/04',
  fileName: 'report.final.docx',
  date: '2026-11-20',
  hash8: '0123abcd',
  separator: '/',
};
const name = fc.string({ minLength: 1 }).filter((text) => !text.includes('/'));

describe('fillTemplate', () => {
  it.each([
    ['{path}', 'site/04/report.final.docx'],
    ['{name}', 'report.final.docx'],
    ['{stem}-{date}.{ext}', 'report.final-2026-11-20.docx'],
    ['{hash8}', '0123abcd'],
    ['in/{Path}/{x}/{}/{{name}}', 'in/{Path}/{x}/{}/{report.final.docx}'],
  ])('%s', (template, identifier) => {
    expect(fillTemplate(template, facts)).toBe(identifier);
  });

  it.each([
    ['.service', '.service', ''],
    ['README', 'README', ''],
    ['a.', 'a', ''],
    ['a.tar.gz', 'a.tar', 'gz'],
  ])('splits %s', (fileName, stem, ext) => {
    expect(fillTemplate('{stem}|{ext}', { ...facts, fileName })).toBe(`${stem}|${ext}`);
  });

  it('joins a path with the separator, whatever the names contain', () => {
    fc.assert(
      fc.property(fc.array(name), name, fc.string({ minLength: 1 }), (folders, fileName, separator) => {
        expect(fillTemplate('{path}', { ...facts, folder: folders.join('/'), fileName, separator })).toBe(
          [...folders, fileName].join(separator),
        );
      }),
    );
  });

  it('never fills in what a name looks like', () => {
    fc.assert(
      fc.property(name, (fileName) => {
        expect(fillTemplate('{name}', { ...facts, fileName: `{hash8}${fileName}$&` })).toBe(
          `{hash8}${fileName}$&`,
        );
      }),
    );
  });

  it('leaves text without placeholders alone', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('{')),
        (template) => {
          expect(fillTemplate(template, facts)).toBe(template);
          expect(usesHash(template)).toBe(false);
        },
      ),
    );
  });
});
