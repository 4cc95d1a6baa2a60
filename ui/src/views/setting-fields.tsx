import { Check } from 'lucide-react';
import { createContext, useContext, useEffect, useRef, useState } from 'react';
import type { ApproveWrites, Failure, OutputsPolicy, ToolOffer } from '../bridge/wire';
import { useWords } from '../i18n';
import { Field, Input, Segments, Switch } from '../kit/field';
import { configure } from '../state/actions';
import { useApp, useView } from '../state/store';

/** Changes go out one after the other, and a connection test waits for the last of them. */
export interface Saving {
  save: (patch: unknown) => Promise<Failure | null>;
  settled: () => Promise<unknown>;
}

/** The saving of the settings page around this component. */
export const SavingContext = createContext<Saving>({
  save: async () => null,
  settled: async () => undefined,
});

/** One queue of changes. */
export function useSavingQueue(): Saving {
  const app = useApp();
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const [saving] = useState<Saving>(() => ({
    save(patch) {
      const next = last.current.then(() => configure(app, patch));
      last.current = next;
      return next;
    },
    settled: () => last.current,
  }));
  return saving;
}

/** A failure in one line, for beside a field. */
function useFailureLine(): (failure: Failure) => string {
  const { failure: words } = useWords();
  return (failure) => {
    const { title, message } = words(failure);
    return `${title} ${message}`.trim();
  };
}

interface TextProps {
  label: string;
  hint?: string;
  /** The settings' own name of the field, to say when the environment overrides it. */
  name: string;
  value: string;
  placeholder?: string;
  inputMode?: 'numeric' | 'url';
  testId: string;
  /** What is wrong with the text, before it is sent. */
  check?: (text: string) => string | undefined;
  /** The part of the settings this text means. */
  patch: (text: string) => unknown;
}

/** A text that is saved when the person leaves it or presses Enter. */
export function TextSetting(props: TextProps) {
  const { label, hint, name, value, check, patch, testId, ...rest } = props;
  const { t } = useWords();
  const line = useFailureLine();
  const { save } = useContext(SavingContext);
  const overridden = useView((v) => v.settings?.overridden.includes(name) ?? false);
  const [text, setText] = useState(value);
  const [error, setError] = useState<string>();
  const [saved, setSaved] = useState(false);
  useEffect(() => setText(value), [value]);

  const commit = async () => {
    const words = text.trim();
    if (words === value) {
      setError(undefined);
      return;
    }
    const wrong = check?.(words);
    setError(wrong);
    if (wrong) return;
    const failure = await save(patch(words));
    setError(failure ? line(failure) : undefined);
    setSaved(!failure);
  };

  return (
    <Field
      label={label}
      note={overridden ? t('settings.overridden') : undefined}
      hint={hint}
      error={error}
      canFail={check !== undefined}
    >
      {(ids) => (
        <div className="setting-text">
          <Input
            {...ids}
            {...rest}
            value={text}
            disabled={overridden}
            data-testid={testId}
            onChange={(event) => {
              setText(event.target.value);
              setSaved(false);
            }}
            onBlur={() => void commit()}
            onKeyDown={(event) => {
              if (event.key === 'Enter') void commit();
            }}
          />
          {saved && (
            <span className="saved" role="status">
              <Check size={13} aria-hidden />
              {t('action.saved')}
            </span>
          )}
        </div>
      )}
    </Field>
  );
}

type NumberProps = Omit<TextProps, 'value' | 'patch' | 'check'> & {
  value: number | null;
  min: number;
  /** An empty text means null. */
  optional?: boolean;
  patch: (value: number | null) => unknown;
};

/** A whole number that is saved like a text. */
export function NumberSetting({ value, min, optional, patch, ...rest }: NumberProps) {
  const { t } = useWords();
  return (
    <TextSetting
      {...rest}
      inputMode="numeric"
      value={value === null ? '' : String(value)}
      check={(text) => {
        if (text === '' && optional) return undefined;
        return /^\d+$/.test(text) && Number(text) >= min
          ? undefined
          : t('settings.number', { min });
      }}
      patch={(text) => patch(text === '' ? null : Number(text))}
    />
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  hint: string;
  value: T;
  choices: { value: T; label: string; testId: string }[];
  patch: (value: T) => unknown;
}

/** One of a few, saved at once. */
function ChoiceSetting<T extends string>({ label, hint, patch, ...rest }: ChoiceProps<T>) {
  const line = useFailureLine();
  const { save } = useContext(SavingContext);
  const [error, setError] = useState<string>();
  const choose = async (value: T) => {
    const failure = await save(patch(value));
    setError(failure ? line(failure) : undefined);
  };
  return (
    <div className="field">
      <span className="field-label">{label}</span>
      <Segments<T> {...rest} label={label} onChange={(value) => void choose(value)} />
      <p className="hint">{hint}</p>
      {error && (
        <p className="error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** Which writes the person sees first. */
export function ApprovalChoice({ writes }: { writes: ApproveWrites }) {
  const { t } = useWords();
  return (
    <ChoiceSetting<ApproveWrites>
      label={t('settings.approval')}
      hint={t(`settings.approval.hint.${writes}`)}
      value={writes}
      choices={(['auto', 'ask-outside', 'ask'] as const).map((value) => ({
        value,
        label: t(`settings.approval.${value}`),
        testId: `approval-${value}`,
      }))}
      patch={(value) => ({ approval: { writes: value } })}
    />
  );
}

/** Which tools the model is offered. */
export function ToolOfferChoice({ offer }: { offer: ToolOffer }) {
  const { t } = useWords();
  return (
    <ChoiceSetting<ToolOffer>
      label={t('settings.offer')}
      hint={t('settings.offer.hint')}
      value={offer}
      choices={(['all', 'step'] as const).map((value) => ({
        value,
        label: t(`settings.offer.${value}`),
        testId: `offer-${value}`,
      }))}
      patch={(tools) => ({ model: { tools } })}
    />
  );
}

/** What becomes of a step that is completed without a file it promises. */
export function OutputsChoice({ outputs }: { outputs: OutputsPolicy }) {
  const { t } = useWords();
  return (
    <ChoiceSetting<OutputsPolicy>
      label={t('settings.outputs')}
      hint={t('settings.outputs.hint')}
      value={outputs}
      choices={(['enforce', 'warn', 'off'] as const).map((value) => ({
        value,
        label: t(`settings.outputs.${value}`),
        testId: `outputs-${value}`,
      }))}
      patch={(value) => ({ acceptance: { outputs: value } })}
    />
  );
}

interface SwitchProps {
  label: string;
  hint: string;
  checked: boolean;
  testId: string;
  patch: (on: boolean) => unknown;
}

/** On or off, saved at once. */
export function SwitchSetting({ label, hint, checked, testId, patch }: SwitchProps) {
  const line = useFailureLine();
  const { save } = useContext(SavingContext);
  const [error, setError] = useState<string>();
  const change = async (on: boolean) => {
    const failure = await save(patch(on));
    setError(failure ? line(failure) : undefined);
  };
  return (
    <div className="field">
      <Switch
        label={label}
        hint={hint}
        checked={checked}
        data-testid={testId}
        onChange={(on) => void change(on)}
      />
      {error && (
        <p className="error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
