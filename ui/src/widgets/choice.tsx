import { useId } from 'react';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { DecisionBody } from './decision-body';
import type { WidgetProps } from './props';

interface Option {
  value: string;
  label: string;
  description?: string;
}

interface ListProps {
  name: string;
  label: string;
  options: Option[];
  chosen: readonly string[];
  multi: boolean;
  locked: boolean;
  onChange: (chosen: string[]) => void;
}

function Options({ name, label, options, chosen, multi, locked, onChange }: ListProps) {
  const toggle = (value: string, on: boolean) => {
    if (!multi) onChange([value]);
    // The order of the list, not of the clicks.
    else
      onChange(options.map((o) => o.value).filter((v) => (v === value ? on : chosen.includes(v))));
  };
  return (
    <fieldset className="options" disabled={locked}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="option"
          data-testid={`widget-option-${option.value}`}
          data-checked={chosen.includes(option.value)}
        >
          <input
            type={multi ? 'checkbox' : 'radio'}
            name={name}
            value={option.value}
            checked={chosen.includes(option.value)}
            onChange={(event) => toggle(option.value, event.target.checked)}
          />
          <span className="words">
            <span>{visible(option.label)}</span>
            {option.description && <span className="hint">{visible(option.description)}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function Choice(props: WidgetProps & { options: Option[]; multi: boolean; submitLabel: string }) {
  const { answer, locked, asked, onSubmit, footer, options, multi, submitLabel } = props;
  const { draft, onDraft } = props;
  const { t } = useWords();
  const name = useId();
  const picked = Array.isArray(draft) ? draft.map(String) : [];
  const given = answer === undefined ? null : [answer].flat().map(String);
  const chosen = given ?? picked;
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (chosen.length > 0) onSubmit(chosen);
  };
  return (
    <form onSubmit={submit}>
      <DecisionBody label={t('widget.selection')}>
        {asked}
        <Options
          name={name}
          label={t(multi ? 'widget.choose.some' : 'widget.choose.one')}
          options={options}
          chosen={chosen}
          multi={multi}
          locked={locked}
          onChange={onDraft}
        />
      </DecisionBody>
      {footer({ submitLabel, disabled: chosen.length === 0 })}
    </form>
  );
}

/** One or several of a list; the value is always an array. */
export function SelectionWidget(props: WidgetProps) {
  const { t } = useWords();
  const { options = [], multi = false } = props.widget;
  return <Choice {...props} options={options} multi={multi} submitLabel={t('widget.submit')} />;
}

/** One of several actions; the value is its id. */
export function ActionWidget(props: WidgetProps) {
  const { t } = useWords();
  const options = (props.widget.actions ?? []).map(({ id, ...rest }) => ({ value: id, ...rest }));
  return (
    <Choice
      {...props}
      options={options}
      multi={false}
      submitLabel={t('action.continue')}
      onSubmit={(value) => props.onSubmit((value as string[])[0])}
    />
  );
}
