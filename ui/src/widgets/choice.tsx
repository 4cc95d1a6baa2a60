import { type KeyboardEvent as KeyEvent, type RefObject, useEffect, useId, useRef } from 'react';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { isElsewhere } from '../kit/focus';
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
  /** The number of each is its key. */
  keys: boolean;
  onChange: (chosen: string[]) => void;
}

/** The most options that have a key. */
const KEYS = 9;

/** What is chosen once an option was turned on or off, in the order of the list. */
function toggled({ options, chosen, multi }: Pick<ListProps, 'options' | 'chosen' | 'multi'>) {
  return (value: string, on: boolean): string[] => {
    if (!multi) return [value];
    return options.map((o) => o.value).filter((v) => (v === value ? on : chosen.includes(v)));
  };
}

/** How far the arrow keys go in the list. */
const WAY: Partial<Record<string, number>> = {
  ArrowDown: 1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowLeft: -1,
};

/**
 * Arrow keys go round the options, and choose where there is one to choose; Enter chooses the one
 * it is on. What they do is theirs alone: some browsers scroll the conversation with them as well.
 */
function arrowsOf({ multi, chosen }: ListProps) {
  return (event: KeyEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const boxes = [...event.currentTarget.querySelectorAll('input')];
    const here = boxes.indexOf(event.target as HTMLInputElement);
    const box = boxes[here];
    const way = WAY[event.key];
    if (!box) return;
    if (way !== undefined) {
      event.preventDefault();
      const next = boxes[(here + way + boxes.length) % boxes.length];
      next?.focus();
      if (!multi) next?.click();
    } else if (event.key === 'Enter' && !chosen.includes(box.value)) {
      event.preventDefault();
      box.click();
    }
  };
}

function Options(props: ListProps) {
  const { name, label, options, chosen, multi, locked, keys, onChange } = props;
  const toggle = toggled(props);
  const onKeyDown = arrowsOf(props);
  return (
    <fieldset className="options" disabled={locked} onKeyDown={onKeyDown}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option, at) => (
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
            onChange={(event) => onChange(toggle(option.value, event.target.checked))}
          />
          <span className="words">
            <span>{visible(option.label)}</span>
            {option.description && <span className="hint">{visible(option.description)}</span>}
          </span>
          {keys && at < KEYS && <kbd aria-hidden>{at + 1}</kbd>}
        </label>
      ))}
    </fieldset>
  );
}

interface KeysProps extends Pick<ListProps, 'options' | 'chosen' | 'multi' | 'onChange'> {
  form: RefObject<HTMLFormElement | null>;
}

/** Alt and a number choose, Ctrl+Enter submits: in the whole window, while they are printed. */
function useChoiceKeys(on: boolean, props: KeysProps) {
  const known = useRef(props);
  known.current = props;
  useEffect(() => {
    if (!on) return;
    const keys = (event: KeyboardEvent) => {
      const { options, chosen, form, onChange } = known.current;
      if (event.defaultPrevented || event.isComposing || event.repeat) return;
      if (isElsewhere(event.target, form.current)) return;
      const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
      if (event.altKey && !event.ctrlKey && !event.metaKey && digit) {
        const option = options[Number(digit) - 1];
        if (!option) return;
        event.preventDefault();
        onChange(toggled(known.current)(option.value, !chosen.includes(option.value)));
      } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.altKey) {
        event.preventDefault();
        form.current?.requestSubmit();
      }
    };
    window.addEventListener('keydown', keys);
    return () => window.removeEventListener('keydown', keys);
  }, [on]);
}

function Choice(props: WidgetProps & { options: Option[]; multi: boolean; submitLabel: string }) {
  const { answer, locked, asked, keys, onSubmit, footer, options, multi, submitLabel } = props;
  const { draft, onDraft } = props;
  const { t } = useWords();
  const name = useId();
  const picked = Array.isArray(draft) ? draft.map(String) : [];
  const given = answer === undefined ? null : [answer].flat().map(String);
  const chosen = given ?? picked;
  const form = useRef<HTMLFormElement>(null);
  useChoiceKeys(keys, { options, chosen, multi, form, onChange: onDraft });
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (chosen.length > 0) onSubmit(chosen);
  };
  return (
    <form ref={form} onSubmit={submit}>
      <DecisionBody label={t('widget.selection')}>
        {asked}
        <Options
          name={name}
          label={t(multi ? 'widget.choose.some' : 'widget.choose.one')}
          options={options}
          chosen={chosen}
          multi={multi}
          locked={locked}
          keys={keys}
          onChange={onDraft}
        />
      </DecisionBody>
      {footer({
        submitLabel,
        disabled: chosen.length === 0,
        hint:
          keys && options.length > 1
            ? t('choice.keys', { most: Math.min(options.length, KEYS) })
            : undefined,
      })}
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
