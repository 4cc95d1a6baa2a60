import { Plus, Trash2 } from 'lucide-react';
import { useContext, useState } from 'react';
import type { CostSettings, Failure, ModelPrice } from '../bridge/wire';
import { useWords } from '../i18n';
import { Button, IconButton } from '../kit/button';
import { Input } from '../kit/field';
import { Name } from '../kit/name';
import { FailureBox } from '../widgets/failure';
import { SavingContext, TextSetting } from './setting-fields';

/** A price as it is typed; null for what is none. */
function amountOf(text: string): number | null {
  const typed = text.trim().replace(',', '.');
  return /^\d+(\.\d+)?$/.test(typed) ? Number(typed) : null;
}

/** What a million tokens of each model cost: nobody but the person knows. */
export function ModelPrices({ costs, model }: { costs: CostSettings; model: string }) {
  const { t } = useWords();
  const { save } = useContext(SavingContext);
  const [draft, setDraft] = useState({ model: '', input: '', output: '' });
  const [failure, setFailure] = useState<Failure | null>(null);
  const [input, output] = [amountOf(draft.input), amountOf(draft.output)];
  const isWhole = draft.model.trim() !== '' && input !== null && output !== null;
  const put = async (prices: ModelPrice[]) => {
    const problem = await save({ costs: { prices } });
    setFailure(problem);
    return problem === null;
  };
  const add = async () => {
    const name = draft.model.trim();
    if (name === '' || input === null || output === null) return;
    const others = costs.prices.filter((price) => price.model !== name);
    if (await put([...others, { model: name, input, output }])) {
      setDraft({ model: '', input: '', output: '' });
    }
  };
  const cell = (field: 'model' | 'input' | 'output', placeholder: string) => (
    <Input
      aria-label={t(`settings.prices.${field}`)}
      placeholder={placeholder}
      inputMode={field === 'model' ? undefined : 'decimal'}
      value={draft[field]}
      data-testid={`price-${field}`}
      onChange={(event) => setDraft({ ...draft, [field]: event.target.value })}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void add();
      }}
    />
  );
  return (
    <fieldset className="prices" data-testid="model-prices">
      <legend className="field-label">{t('settings.prices')}</legend>
      <p className="hint">{t('settings.prices.hint')}</p>
      <TextSetting
        label={t('settings.prices.currency')}
        name="costs.currency"
        value={costs.currency}
        testId="currency"
        patch={(currency) => ({ costs: { currency } })}
      />
      <ul>
        <li className="hint" aria-hidden>
          <span>{t('settings.prices.model')}</span>
          <span>{t('settings.prices.input')}</span>
          <span>{t('settings.prices.output')}</span>
        </li>
        {costs.prices.map((price) => (
          <li key={price.model} data-testid="price-row">
            <Name className="mono clip" text={price.model} />
            <span>{price.input}</span>
            <span>{price.output}</span>
            <IconButton
              icon={Trash2}
              label={t('settings.prices.remove', { name: price.model })}
              onClick={() => void put(costs.prices.filter((other) => other !== price))}
            />
          </li>
        ))}
        <li>
          {cell('model', model)}
          {cell('input', '2.50')}
          {cell('output', '10')}
          <Button
            icon={Plus}
            disabled={!isWhole}
            data-testid="add-price"
            onClick={() => void add()}
          >
            {t('settings.prices.add')}
          </Button>
        </li>
      </ul>
      {failure && <FailureBox failure={failure} />}
    </fieldset>
  );
}
