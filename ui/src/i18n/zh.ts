import type { Key } from './index';
import { conversation } from './zh/conversation';
import { models } from './zh/models';
import { packages } from './zh/packages';
import { run } from './zh/run';
import { settings } from './zh/settings';
import { shell } from './zh/shell';
import { widgets } from './zh/widgets';

/** The same keys as the English catalogue; a missing one does not compile. */
export const zh: Record<Key, string> = {
  ...shell,
  ...conversation,
  ...widgets,
  ...run,
  ...models,
  ...packages,
  ...settings,
};
