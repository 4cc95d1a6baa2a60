// What a failure of the model means for the person: which field of the settings it is about, and
// whether asking again can help before something was changed there.
import type { Failure, SettingsView } from '../bridge/wire';
import type { Words } from '../i18n';
import type { ModelField } from './store';

const fields: Partial<Record<Failure['code'], ModelField>> = {
  LLM_NOT_CONFIGURED: 'model-base-url',
  LLM_AUTH_FAILED: 'api-key',
  LLM_MODEL_NOT_FOUND: 'model-name',
  LLM_UNREACHABLE: 'model-base-url',
  LLM_HTTP_ERROR: 'model-base-url',
  LLM_BAD_RESPONSE: 'model-base-url',
  LLM_TIMEOUT: 'model-base-url',
  LLM_RATE_LIMITED: 'api-key',
  LLM_CONTEXT_TOO_LONG: 'context-tokens',
  CONTEXT_STILL_TOO_LARGE: 'context-tokens',
};

/** The field of the settings a failure is about; null when it is not about the model. */
export const fieldOf = (failure: Failure): ModelField | null => fields[failure.code] ?? null;

/** True when the conversation is longer than the model reads. */
export const isTooLong = ({ code }: Failure): boolean =>
  code === 'CONTEXT_STILL_TOO_LARGE' || code === 'LLM_CONTEXT_TOO_LONG';

const hopeless: readonly Failure['code'][] = [
  'LLM_NOT_CONFIGURED',
  'LLM_AUTH_FAILED',
  'LLM_MODEL_NOT_FOUND',
];

/** True when the same request must fail again as long as the settings stay as they are. */
export const needsChange = (failure: Failure): boolean => hopeless.includes(failure.code);

/** What is known of the model that is set up, in one line; null when none is. */
export function modelLine(view: SettingsView | null, { t, number }: Words): string | null {
  const { baseUrl, model } = view?.settings.model ?? { baseUrl: '', model: '' };
  if (!view || !baseUrl || !model) return null;
  const { tested } = view;
  if (!tested) return t('start.model.untested', { model });
  if (!tested.answers) return t('start.model.silent', { model });
  if (!tested.callsTools) return t('start.model.noTools', { model });
  if (tested.contextTokens === null) return t('start.model.works', { model });
  const context = `${number(Math.round(tested.contextTokens / 1000))}k`;
  return t('start.model.works.context', { model, context });
}
