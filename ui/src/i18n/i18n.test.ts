import { expect, test } from 'vitest';
import type { Failure } from '../bridge/wire';
import { catalogues } from './catalogue';
import { resolveLanguage, wordsIn } from './index';

test('the system language decides when none is chosen', () => {
  expect(resolveLanguage('system', ['zh-CN', 'en'])).toBe('zh');
  expect(resolveLanguage('system', ['en-GB', 'zh-CN'])).toBe('en');
  expect(resolveLanguage('system', ['de'])).toBe('en');
  expect(resolveLanguage('en', ['zh-CN'])).toBe('en');
});

test("a failure's own action wins over the code's", () => {
  const words = wordsIn('en');
  expect(words.failure({ code: 'ENOENT', message: 'x', action: 'Make it.' }).action).toBe(
    'Make it.',
  );
  expect(words.failure({ code: 'LLM_AUTH_FAILED', message: 'x' }).action).toContain('settings');
});

test('a failure says its case in the language of the reader, and English as what it is where nothing else is known', () => {
  const path = { key: 'moves', values: { to: '@project/a.md' } };
  const failure: Failure = {
    code: 'ENOENT',
    message: 'set = moves it to @project/a.md',
    action: 'Moves.',
    said: { key: 'member_set', values: { name: 'set', to: path } },
    advice: path,
  };
  expect(wordsIn('zh').failure(failure)).toMatchObject({
    message: 'set 设为 移动到 @project/a.md',
    action: '移动到 @project/a.md',
  });
  expect(wordsIn('en').failure(failure)).toMatchObject({
    message: failure.message,
    action: 'Moves.',
  });
  const newer = {
    ...failure,
    said: { key: 'member_set', values: { to: { key: 'x', values: {} } } },
  };
  expect(wordsIn('zh').failure(newer).message).toBe(`原文：${failure.message}`);
  const unsaid: Failure = { code: 'ENOENT', message: 'x', action: 'Make it.' };
  expect(wordsIn('zh').failure(unsaid)).toMatchObject({
    message: '原文：x',
    action: catalogues.zh.codes.ENOENT.action,
  });
});

test('one thing is counted in the singular', () => {
  expect(wordsIn('en').count('packages.agents', 1)).toBe('1 agent');
  expect(wordsIn('en').count('packages.agents', 2)).toBe('2 agents');
});

const sources = import.meta.glob<string>('../**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const components = Object.entries(sources).filter(
  ([path]) => path.endsWith('.tsx') && !path.includes('.test.'),
);

test('components hold no words of their own', () => {
  expect(components.length).toBeGreaterThan(20);
  const found: string[] = [];
  for (const [path, text] of components) {
    if (/[\u4e00-\u9fff]/.test(text)) found.push(`${path}: Chinese text`);
    for (const match of text.matchAll(/>\s*([A-Z][a-z]+(?: [a-z]+)*[.…]?)\s*<\//g)) {
      found.push(`${path}: ${match[1]}`);
    }
    for (const match of text.matchAll(
      /(?:aria-label|placeholder|title|alt)="([^"]*[A-Za-z][^"]*)"/g,
    )) {
      found.push(`${path}: ${match[1]}`);
    }
  }
  expect(found).toEqual([]);
});

test('every key is used somewhere', () => {
  const everything = Object.entries(sources)
    // What only the gallery shows, no window does.
    .filter(([path]) => !path.includes('.test.') && !path.startsWith('../gallery/'))
    .map(([, text]) => text)
    .join('\n');
  // `broken.${part}.action` uses every key of that form.
  const forms = [...everything.matchAll(/`([a-z]+\.[^`\s]*\$\{[^`]*)`/g)].map(([, form = '']) => {
    const fixed = form.split(/\$\{[^}]*\}/).map((part) => part.replaceAll('.', '\\.'));
    return new RegExp(`^${fixed.join('[\\w-]+')}(\\.one)?$`);
  });
  const unused = Object.keys(catalogues.en.window).filter(
    (key) =>
      !everything.includes(`'${key.replace(/\.one$/, '')}'`) &&
      !forms.some((form) => form.test(key)),
  );
  expect(unused).toEqual([]);
});
