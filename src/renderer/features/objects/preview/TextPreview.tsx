import { lazy, Suspense } from 'react';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { extensionOf } from '../../../../shared/domain/file-kind.ts';
import { detailTexts as texts } from '../../../i18n/detail-texts.ts';
import { scrollable } from '../../../ui/scrollable.ts';
import './text-preview.css';

const Markdown = lazy(async () => ({ default: (await import('./Markdown.tsx')).Markdown }));
const CsvTable = lazy(async () => ({ default: (await import('./CsvTable.tsx')).CsvTable }));

/** Longer text would take seconds to lay out. */
const maxLetters = 500_000;
/** Longer text would take seconds to read as Markdown. */
const maxMarkdownLetters = 100_000;

type Props = { text: string; object: ObjectRow };

/** A table as such, Markdown without its HTML, and other text in a monospaced face. */
export function TextPreview({ text, object }: Props) {
  const shown = text.slice(0, maxLetters);
  const label = texts.preview(object);
  const plain = (
    <pre {...scrollable} dir="auto" className="preview__scroll selectable" aria-label={label}>
      {shown}
    </pre>
  );
  return (
    <figure className="preview preview--text">
      <Suspense fallback={<p className="preview--wait" />}>{content()}</Suspense>
      {text.length > maxLetters && <figcaption>{texts.onlyBeginning}</figcaption>}
    </figure>
  );

  function content() {
    switch (extensionOf(object.identifier)) {
      case 'md':
      case 'markdown':
        return text.length > maxMarkdownLetters ? (
          plain
        ) : (
          <Markdown text={shown} label={label} unread={plain} />
        );
      case 'csv':
        return <CsvTable text={shown} label={label} unread={plain} />;
      case 'tsv':
        return <CsvTable text={shown} separator={'\t'} label={label} unread={plain} />;
      default:
        return plain;
    }
  }
}
