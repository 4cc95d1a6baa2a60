import { Monitor, Moon, Sun } from 'lucide-react';
import { useEffect } from 'react';
import type { Appearance, Contrast, Language, TextSize, Theme } from '../bridge/wire';
import { resolveLanguage, useWords } from '../i18n';
import { Segments } from '../kit/field';
import { configure } from '../state/actions';
import { fail, useApp, useView } from '../state/store';

/** Shows words as large, and as strong, as the person chose. */
export function useLegibility() {
  const { textSize = 'normal', contrast = 'system' } =
    useView((v) => v.settings?.settings.appearance) ?? {};
  useEffect(() => {
    const { dataset } = document.documentElement;
    dataset.textSize = textSize;
    const system = matchMedia('(prefers-contrast: more)');
    const show = () => {
      const high = contrast === 'high' || (contrast === 'system' && system.matches);
      dataset.contrast = high ? 'high' : 'normal';
    };
    show();
    system.addEventListener('change', show);
    return () => system.removeEventListener('change', show);
  }, [textSize, contrast]);
}

/**
 * Follows the chosen theme, or the system's while none is chosen. Until the settings are read, the
 * page stays as it began.
 */
export function useTheme() {
  const theme = useView((v) => v.settings?.settings.appearance.theme);
  useEffect(() => {
    if (theme === undefined) return;
    const system = matchMedia('(prefers-color-scheme: dark)');
    const show = () => {
      const dark = theme === 'dark' || (theme === 'system' && system.matches);
      document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    };
    show();
    system.addEventListener('change', show);
    return () => system.removeEventListener('change', show);
  }, [theme]);
}

function useSetAppearance() {
  const app = useApp();
  return async (part: Partial<Appearance>) => {
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

/** How large words are. */
export function TextSizeChoice() {
  const { t } = useWords();
  const choose = useSetAppearance();
  const size = useView((v) => v.settings?.settings.appearance.textSize ?? 'normal');
  return (
    <Segments<TextSize>
      label={t('settings.textSize')}
      value={size}
      onChange={(textSize) => void choose({ textSize })}
      choices={(['small', 'normal', 'large', 'larger'] as const).map((value) => ({
        value,
        label: t(`textsize.${value}`),
        testId: `text-size-${value}`,
      }))}
    />
  );
}

/** How much words and lines stand out. */
export function ContrastChoice() {
  const { t } = useWords();
  const choose = useSetAppearance();
  const contrast = useView((v) => v.settings?.settings.appearance.contrast ?? 'system');
  return (
    <Segments<Contrast>
      label={t('settings.contrast')}
      value={contrast}
      onChange={(value) => void choose({ contrast: value })}
      choices={(['system', 'normal', 'high'] as const).map((value) => ({
        value,
        label: t(`contrast.${value}`),
        testId: `contrast-${value}`,
      }))}
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
