import { useWords } from '../i18n';
import { costOf } from '../state/costs';
import { useView } from '../state/store';

/** What the conversation has cost; nothing where no price is known. */
function CostSoFar() {
  const { t, money } = useWords();
  const used = useView((v) => v.conversation.status?.usageByModel);
  const settings = useView((v) => v.settings?.settings);
  const cost = settings && used && costOf(settings.costs, used, settings.model.model);
  if (!cost) return null;
  const amount = `${cost.about ? '≈ ' : ''}${money(cost.amount)}`;
  return (
    <span data-testid="cost">
      {t('status.cost', { amount, currency: settings.costs.currency })}
    </span>
  );
}

/** What the run has taken of the model so far. */
export function Usage() {
  const { t, about } = useWords();
  const usage = useView((v) => v.conversation.status?.usage);
  const tokens = (usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0);
  if (tokens === 0) return null;
  return (
    <section className="usage">
      <h2>{t('usage.title')}</h2>
      <p className="hint">
        <span data-testid="tokens">
          {t('status.tokens', { count: about(tokens, usage?.estimated ?? false) })}
        </span>
        <CostSoFar />
      </p>
    </section>
  );
}
