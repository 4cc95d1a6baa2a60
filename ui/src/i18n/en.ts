import { conversation } from './en/conversation';
import { models } from './en/models';
import { packages } from './en/packages';
import { run } from './en/run';
import { settings } from './en/settings';
import { shell } from './en/shell';
import { widgets } from './en/widgets';

/** Every text of the interface. `{name}` is filled in; the Chinese catalogue has the same keys. */
export const en = {
  ...shell,
  ...conversation,
  ...widgets,
  ...run,
  ...models,
  ...packages,
  ...settings,
} as const;
