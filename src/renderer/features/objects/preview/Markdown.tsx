import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { createElement, type ReactNode, useMemo } from 'react';
import { scrollable } from '../../../ui/scrollable.ts';

/** Deeper nesting is shown as it is written: Chromium lays out elements recursively. */
const maxDepth = 20;

type Props = {
  text: string;
  label: string;
  /** Shown in its place if it cannot be read. */
  unread: ReactNode;
};

/**
 * Markdown as elements of the page. Its HTML is left out, of pictures only the description is shown, and links are text: nothing of it
 * causes a request or leaves the page.
 */
export function Markdown({ text, label, unread }: Props) {
  const content = useMemo(() => read(text), [text]);
  if (content === null) return unread;
  return (
    <div {...scrollable} className="preview__scroll selectable" aria-label={label}>
      <div className="markdown" dir="auto">
        {content}
      </div>
    </div>
  );
}

/** null: nested too deeply for the parser. */
function read(text: string): ReactNode {
  try {
    return elements(lexer(text), 0);
  } catch {
    return null;
  }
}

function elements(tokens: readonly Token[] | undefined, depth: number): ReactNode[] {
  return (tokens ?? []).map((token, at) => element(token as MarkedToken, at, depth));
}

const plainElements = {
  strong: 'strong',
  em: 'em',
  del: 'del',
  paragraph: 'p',
  blockquote: 'blockquote',
} as const;

function element(token: MarkedToken, key: number, depth: number): ReactNode {
  if (depth > maxDepth) return token.raw;
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
    case 'paragraph':
    case 'blockquote':
      return createElement(
        plainElements[token.type],
        { key, dir: 'auto' },
        elements(token.tokens, depth + 1),
      );
    case 'heading':
      // Below the title of the dialog.
      return createElement(
        `h${Math.min(6, token.depth + 2)}`,
        { key, dir: 'auto' },
        elements(token.tokens, depth + 1),
      );
    case 'text':
      return 'tokens' in token && token.tokens !== undefined
        ? elements(token.tokens, depth + 1)
        : withoutEntities(token.text);
    case 'escape':
      return token.text;
    case 'link':
      return (
        <span key={key} className="markdown__link" title={token.href}>
          {elements(token.tokens, depth + 1)}
        </span>
      );
    case 'image':
      return (
        <span key={key} className="markdown__picture">
          {withoutEntities(token.text)}
        </span>
      );
    case 'code':
      return (
        <pre key={key} dir="ltr">
          <code>{token.text}</code>
        </pre>
      );
    case 'codespan':
      return (
        <code key={key} dir="ltr">
          {token.text}
        </code>
      );
    case 'br':
      return <br key={key} />;
    case 'hr':
      return <hr key={key} />;
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    case 'list':
      return createElement(
        token.ordered ? 'ol' : 'ul',
        { key, ...(typeof token.start === 'number' && { start: token.start }) },
        token.items.map((item, at) => (
          <li key={at} className={item.task ? 'is-task' : ''}>
            {elements(item.tokens, depth + 1)}
          </li>
        )),
      );
    case 'table':
      return (
        <table key={key}>
          <thead>
            <tr>{token.header.map((cell, at) => tableCell('th', cell, at, depth))}</tr>
          </thead>
          <tbody>
            {token.rows.map((cells, row) => (
              <tr key={row}>{cells.map((cell, at) => tableCell('td', cell, at, depth))}</tr>
            ))}
          </tbody>
        </table>
      );
    case 'list_item':
    case 'space':
    case 'def':
    case 'html':
      return null;
  }
}

const alignments = { left: 'start', center: 'center', right: 'end' } as const;

function tableCell(name: 'th' | 'td', cell: Tokens.TableCell, key: number, depth: number): ReactNode {
  const style = { textAlign: cell.align === null ? undefined : alignments[cell.align] };
  return createElement(name, { key, style }, elements(cell.tokens, depth + 1));
}

/** `&amp;` as `&`. A parsed document loads and runs nothing. */
function withoutEntities(text: string): string {
  return text.replace(
    /&(#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi,
    (entity) => new DOMParser().parseFromString(entity, 'text/html').body.textContent ?? entity,
  );
}
