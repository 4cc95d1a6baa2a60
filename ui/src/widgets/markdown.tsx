// Markdown is untrusted: no raw HTML, no images, nothing unseen, and a link shows where it leads
// before it opens. What is too much to be parsed, or cannot be shown, stays plain text.
import { Check, Copy, ExternalLink, ImageOff } from 'lucide-react';
import { createContext, memo, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { harden } from 'rehype-harden';
import {
  type Components,
  defaultRehypePlugins,
  type ExtraProps,
  Streamdown,
  type StreamdownProps,
} from 'streamdown';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Boundary } from '../kit/boundary';
import { useCopy } from '../kit/use-copy';
import type { CodePart } from './code-parts';
import { InlineCode } from './file-link';
import { LongText } from './long-text';
import { isTooMuch } from './weight';

/** What a click on a link does. */
export const LinkContext = createContext<(url: string) => void>(() => undefined);

type Node = NonNullable<ExtraProps['node']>;

/** The text of a node and everything below it. */
function textOf(node: Node | undefined): string {
  return (node?.children ?? [])
    .map((child) => {
      if (child.type === 'text') return child.value;
      return child.type === 'element' ? textOf(child) : '';
    })
    .join('');
}

const SAFE = /^(https?|mailto):/i;

/** Turns images into a marked span, links that lead nowhere safe into text, and what cannot be seen
 * into signs, before anything is rendered: a remote image would tell its server that, and what, the
 * person is reading. Here, because an entity names a character that the source does not hold. */
function defuse() {
  const visit = (node: Node | { type: 'root'; children: Node['children'] }) => {
    for (const child of node.children) {
      if (child.type === 'text') child.value = visible(child.value);
      if (child.type !== 'element') continue;
      const { properties } = child;
      if (child.tagName === 'img') {
        child.tagName = 'picture';
        child.properties = { title: visible(String(properties.alt ?? '')) };
      } else if (child.tagName === 'a' && !SAFE.test(String(properties.href ?? ''))) {
        child.tagName = 'del';
        child.properties = { dataBlocked: 'true' };
      }
      visit(child);
    }
  };
  return visit;
}

const REHYPE = [
  defaultRehypePlugins.sanitize,
  defuse,
  [harden, { allowedImagePrefixes: [], allowedLinkPrefixes: ['*'], allowDataImages: false }],
] as NonNullable<StreamdownProps['rehypePlugins']>;

function Link({ href, children }: { href?: string; children?: React.ReactNode }) {
  const open = useContext(LinkContext);
  return (
    <button
      type="button"
      className="link"
      title={visible(href ?? '')}
      onClick={() => href && open(href)}
    >
      {children}
      <ExternalLink size={11} aria-hidden />
    </button>
  );
}

function BlockedImage({ title }: { title?: string }) {
  const { t } = useWords();
  return (
    <span className="blocked">
      <ImageOff size={13} aria-hidden />
      {t('image.blocked', { alt: title || t('image.unnamed') })}
    </span>
  );
}

function Struck({ node, children }: { node?: Node; children?: React.ReactNode }) {
  const { t } = useWords();
  if (node?.properties.dataBlocked !== 'true') return <del>{children}</del>;
  return (
    <span className="blocked" title={t('link.blocked')}>
      {children}
    </span>
  );
}

/** Whether the text is still being written. */
const Writing = createContext(false);

/** Longer blocks of code stay without colours, in characters. */
const COLOURED = 20_000;

/** The text of a block of code, in the colours of its language once that is loaded. */
function Coloured({ text, language }: { text: string; language: string }) {
  const [parts, setParts] = useState<CodePart[] | null>(null);
  const isPlain = useContext(Writing) || language === '' || text.length > COLOURED;
  useEffect(() => {
    if (isPlain) return;
    let isNeeded = true;
    const show = (known: CodePart[] | null) => isNeeded && setParts(known);
    // A text without its colours can be read as well.
    import('./code-parts')
      .then(({ codePartsOf }) => codePartsOf(text, language))
      .then(show, () => show(null));
    return () => {
      isNeeded = false;
      setParts(null);
    };
  }, [text, language, isPlain]);
  if (!parts) return text;
  return parts.map(({ text: piece, classes }, at) => (
    <span key={at} className={classes || undefined}>
      {piece}
    </span>
  ));
}

function CodeBlock({ node }: { node?: Node }) {
  const { t } = useWords();
  const { copied, copy, forget } = useCopy();
  const isWriting = useContext(Writing);
  const code = node?.children.find((c) => c.type === 'element');
  const classes = code?.type === 'element' ? code.properties.className : undefined;
  const named = String(Array.isArray(classes) ? classes[0] : '');
  const language = visible(named.replace('language-', ''));
  const text = textOf(node).replace(/\n$/, '');
  // Only while it is being written: whole, it is a question of its own.
  if (isWriting && language === 'widget') return <p className="hint">{t('widget.coming')}</p>;
  return (
    <figure className="code">
      <figcaption>
        <span className="mono">{language}</span>
        <button
          type="button"
          onClick={() => void copy(text)}
          onBlur={forget}
          aria-label={t('code.copy')}
        >
          {copied ? <Check size={13} aria-hidden /> : <Copy size={13} aria-hidden />}
          {t(copied ? 'action.copied' : 'action.copy')}
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys */}
      <pre tabIndex={0}>
        <code>
          <Coloured text={text} language={language} />
        </code>
      </pre>
    </figure>
  );
}

/** A thing to do, as its list has it: nobody ticks it here. */
function Ticked({ checked = false }: { checked?: boolean }) {
  const { t } = useWords();
  const label = t(checked ? 'step.completed' : 'step.pending');
  return <input type="checkbox" checked={checked} disabled aria-label={label} />;
}

type Box = { children?: React.ReactNode };
// Headings of a message stand below the headings of the window.
const parts = {
  a: Link,
  picture: BlockedImage,
  del: Struck,
  input: Ticked,
  pre: CodeBlock,
  code: InlineCode,
  strong: ({ children }: Box) => <strong>{children}</strong>,
  h1: ({ children }: Box) => <h3 data-level="1">{children}</h3>,
  h2: ({ children }: Box) => <h3 data-level="2">{children}</h3>,
  h3: ({ children }: Box) => <h3>{children}</h3>,
  h4: ({ children }: Box) => <h4>{children}</h4>,
  h5: ({ children }: Box) => <h4>{children}</h4>,
  h6: ({ children }: Box) => <h4>{children}</h4>,
  table: ({ children }: Box) => (
    <div className="table">
      <table>{children}</table>
    </div>
  ),
} as unknown as Components;

/** Whether a very long text is shown part by part. What is to be agreed to never is. */
export const InParts = createContext(false);

/** A text as it is written. */
export function Plain({ text, grows }: { text: string; grows?: boolean }) {
  if (!useContext(InParts)) return <pre className="md plain">{visible(text)}</pre>;
  return (
    <LongText text={text} grows={grows}>
      {(shown) => <pre className="md plain">{shown}</pre>}
    </LongText>
  );
}

/** A text that does not grow is parsed at once, and not block by block. */
const whole = (text: string) => [text];

/** Markdown of a model or a package, shown safely; `streaming` closes what is half written. */
export const Markdown = memo(
  ({ text, streaming = false }: { text: string; streaming?: boolean }) => {
    const className = useMemo(() => (streaming ? 'md streaming' : 'md'), [streaming]);
    const inParts = useContext(InParts);
    // What was drawn while it was written stays as it is read.
    const written = useRef(streaming);
    const short = inParts && !written.current;
    const isPlain = useMemo(() => isTooMuch(text, short), [text, short]);
    if (isPlain) return <Plain text={text} grows={streaming} />;
    return (
      <Boundary of={text} instead={() => <Plain text={text} grows={streaming} />}>
        <Writing value={streaming}>
          <Streamdown
            className={className}
            rehypePlugins={REHYPE}
            components={parts}
            controls={false}
            parseIncompleteMarkdown={streaming}
            {...(!written.current && { mode: 'static', parseMarkdownIntoBlocksFn: whole })}
          >
            {text}
          </Streamdown>
        </Writing>
      </Boundary>
    );
  },
);
