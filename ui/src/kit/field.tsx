import { CircleAlert } from 'lucide-react';
import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type TextareaHTMLAttributes,
  useId,
} from 'react';

interface FieldProps {
  label: ReactNode;
  /** A word after the label, such as "optional". */
  note?: string;
  hint?: string;
  error?: string;
  /** It may come to have an error: room is kept for that, so that nothing moves. */
  canFail?: boolean;
  children: (ids: {
    id: string;
    'aria-describedby'?: string;
    'aria-invalid'?: boolean;
  }) => ReactNode;
}

/** A labelled control with its hint, or what is wrong with it in place of that. */
export function Field({ label, note, hint, error, canFail, children }: FieldProps) {
  const id = useId();
  const below = error ? `${id}-error` : hint ? `${id}-hint` : null;
  return (
    <div className="field" data-roomy={(canFail && !hint) || undefined}>
      <label htmlFor={id}>
        {label}
        {note && <span className="optional">{note}</span>}
      </label>
      {children({
        id,
        ...(below ? { 'aria-describedby': below } : {}),
        ...(error ? { 'aria-invalid': true } : {}),
      })}
      {error ? (
        <p key="error" className="error" id={`${id}-error`} role="alert">
          <CircleAlert size={13} aria-hidden />
          {error}
        </p>
      ) : (
        (hint || canFail) && (
          <p key="hint" className="hint" id={`${id}-hint`}>
            {hint}
          </p>
        )
      )}
    </div>
  );
}

export const Input = (props: InputHTMLAttributes<HTMLInputElement>) => (
  <input
    {...props}
    className={`input ${props.className ?? ''}`}
    spellCheck={false}
    autoComplete="off"
  />
);

export const TextArea = (
  props: TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> },
) => <textarea {...props} className="input" />;

interface SwitchProps {
  label: string;
  hint?: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
  'data-testid'?: string;
}

/** On or off, with its words. */
export function Switch({ label, hint, checked, onChange, ...rest }: SwitchProps) {
  const id = useId();
  return (
    <div className="switch-row">
      <div className="words">
        <label htmlFor={id}>{label}</label>
        {hint && (
          <span className="hint" id={`${id}-hint`}>
            {hint}
          </span>
        )}
      </div>
      <input
        {...rest}
        id={id}
        type="checkbox"
        role="switch"
        className="switch"
        aria-describedby={hint ? `${id}-hint` : undefined}
        checked={checked}
        aria-checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
    </div>
  );
}

interface SegmentsProps<T extends string> {
  label: string;
  value: T;
  choices: { value: T; label: string; testId?: string; icon?: ReactNode; lang?: string }[];
  onChange: (value: T) => void;
}

/** One of a few, all visible. */
export function Segments<T extends string>({ label, value, choices, onChange }: SegmentsProps<T>) {
  return (
    <fieldset className="segments" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          lang={choice.lang}
          aria-pressed={choice.value === value}
          data-testid={choice.testId}
          onClick={() => onChange(choice.value)}
        >
          {choice.icon}
          {choice.label}
        </button>
      ))}
    </fieldset>
  );
}
