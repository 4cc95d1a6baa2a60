import type { DialogTitles } from '../bridge/bridge';
import { wordsIn } from '.';

/** What the system's dialogs are called, in the language of the page. */
export function dialogTitles(): DialogTitles {
  const { t } = wordsIn(document.documentElement.lang.startsWith('zh') ? 'zh' : 'en');
  return {
    folder: t('pick.folder'),
    package: t('pick.package'),
    packageFolder: t('pick.packageFolder'),
    packages: t('pick.packages'),
    servers: t('pick.servers'),
    json: t('pick.json'),
    save: t('pick.save'),
  };
}
