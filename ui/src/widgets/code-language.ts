import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { yamlFrontmatter } from '@codemirror/lang-yaml';
import { LanguageDescription } from '@codemirror/language';
import { languages } from '@codemirror/language-data';
import type { Extension } from '@codemirror/state';
import { isMarkdown } from './file-kind';

/** Markdown with the settings at its top, and with the languages of its blocks of code. */
const markdownFile = yamlFrontmatter({
  content: markdown({ base: markdownLanguage, codeLanguages: languages }),
});

/** Loads what knows the language of a file with this name; null where nobody does. */
export async function languageOf(name: string): Promise<Extension | null> {
  if (isMarkdown(name)) return markdownFile;
  const named = (it: string) => LanguageDescription.matchFilename(languages, it);
  const found = named(name) ?? named(name.toLowerCase());
  return found && (await found.load());
}
