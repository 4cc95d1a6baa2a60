import { Monitor, Moon, Sun } from 'lucide-react';
import type { Language, Theme } from '../bridge/wire';
import { resolveLanguage, useWords } from '../i18n';
import { Segments } from '../kit/field';
import { configure } from '../state/actions';
import { fail, useApp, useView } from '../state/store';

function useSetAppearance() {
  const app = useApp();
  return async (part: { theme?: Theme; language?: Language }) => {
    const failure = await configure(app, { appearance: part });
    if (failure) fail(app, failure);
  };
}

/** Light, dark, or the system's. */
export function ThemeChoice({ compact }: { compact?: boolean }) {
  const { t } = useWords();
  const choose = useSetAppearance();
  const theme = useView((v) => v.settings?.settings.appearance.theme ?? 'system');
  const icons = { system: Monitor, light: Sun, dark: Moon };
  return (
    <Segments<Theme>
      label={t('settings.theme')}
      value={theme}
      onChange={(value) => void choose({ theme: value })}
      choices={(['system', 'light', 'dark'] as const).map((value) => {
        const Icon = icons[value];
        return {
          value,
          label: t(`theme.${value}`),
          testId: `theme-${value}`,
          icon: compact ? undefined : <Icon size={14} aria-hidden />,
        };
      })}
    />
  );
}

/** Chinese or English; each is named in its own language. */
export function LanguageChoice({ withSystem }: { withSystem?: boolean }) {
  const { t } = useWords();
  const choose = useSetAppearance();
  const chosen = useView((v) => v.settings?.settings.appearance.language ?? 'system');
  const value = withSystem ? chosen : resolveLanguage(chosen, navigator.languages);
  const choices: Language[] = withSystem ? ['system', 'zh', 'en'] : ['zh', 'en'];
  return (
    <Segments<Language>
      label={t('settings.language')}
      value={value}
      onChange={(language) => void choose({ language })}
      choices={choices.map((language) => ({
        value: language,
        label: t(`lang.${language}`),
        testId: `lang-${language}`,
        lang: language === 'zh' ? 'zh-CN' : language === 'en' ? 'en' : undefined,
      }))}
    />
  );
}
