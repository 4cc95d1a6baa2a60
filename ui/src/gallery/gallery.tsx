import { type ReactNode, useEffect } from 'react';
import { resolveLanguage, useWords, WordsProvider } from '../i18n';
import { useView } from '../state/store';
import {
  ContrastChoice,
  LanguageChoice,
  TextSizeChoice,
  ThemeChoice,
  useLegibility,
  useTheme,
} from '../views/appearance';
import { groups } from './all';
import '../views/inspector.css';
import '../views/sidebar.css';
import './gallery.css';
import type { Entry, Place, Section } from './sections';

/** Puts what is shown where the window has it. */
const places: Record<Place, (node: ReactNode) => ReactNode> = {
  plain: (node) => <div className="gallery-plain">{node}</div>,
  list: (node) => <div className="gallery-list">{node}</div>,
  dock: (node) => <div className="composer-slot">{node}</div>,
  inspector: (node) => (
    <div className="inspector">
      <div className="tab-panel">{node}</div>
    </div>
  ),
  sidebar: (node) => (
    <div className="sidebar">
      <div className="panel-body">{node}</div>
    </div>
  ),
};

function Case({ name, place, entry }: { name: string; place: Place; entry: Entry }) {
  return (
    <figure className="gallery-case" data-entry={`${name} ${entry.state}`}>
      <figcaption>
        <code>{entry.state}</code>
      </figcaption>
      {places[place](entry.node)}
    </figure>
  );
}

/** A component in its states. */
export const Cases = ({ name, place = 'plain', entries }: Section) => (
  <section id={name} className="gallery-section" data-place={place}>
    <h2>
      <a href={`#${name}`}>
        <code>{name}</code>
      </a>
    </h2>
    <div className="gallery-cases">
      {entries.map((entry) => (
        <Case key={entry.state} name={name} place={place} entry={entry} />
      ))}
    </div>
  </section>
);

/** Which of them is looked for, and how all of them look. */
function Side() {
  return (
    <nav className="gallery-side">
      <ThemeChoice />
      <LanguageChoice />
      <ContrastChoice />
      <TextSizeChoice />
      <ul>
        {Object.values(groups)
          .flat()
          .map(({ name }) => (
            <li key={name}>
              <a href={`#${name}`}>
                <code>{name}</code>
              </a>
            </li>
          ))}
      </ul>
    </nav>
  );
}

/** A field that asks for the focus when it is drawn does not move the page. */
function useTop() {
  const { lang } = useWords();
  // biome-ignore lint/correctness/useExhaustiveDependencies: everything is drawn anew in another language
  useEffect(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    if (location.hash) document.querySelector(location.hash)?.scrollIntoView();
    else scrollTo(0, 0);
  }, [lang]);
}

function Page() {
  useTop();
  return (
    <div className="gallery">
      <Side />
      <main>
        {Object.entries(groups).map(([group, sections]) => (
          <div key={group} className="gallery-group" data-group={group}>
            {sections.map((section) => (
              <Cases key={section.name} {...section} />
            ))}
          </div>
        ))}
      </main>
    </div>
  );
}

/** Every component in every state, in the look and the language that are chosen at its side. */
export function Gallery() {
  const language = useView((v) => v.settings?.settings.appearance.language ?? 'system');
  const lang = resolveLanguage(language, navigator.languages);
  useTheme();
  useLegibility();
  useEffect(() => {
    document.documentElement.lang = lang === 'zh' ? 'zh-CN' : 'en';
  }, [lang]);
  return (
    <WordsProvider lang={lang}>
      <Page />
    </WordsProvider>
  );
}
