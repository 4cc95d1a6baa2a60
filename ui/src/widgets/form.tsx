import { useId, useMemo, useRef, useState } from 'react';
import { useWords } from '../i18n';
import { Field, Input, Switch, TextArea } from '../kit/field';
import { Select } from '../kit/select';
import { DecisionBody } from './decision-body';
import { own } from './own';
import type { WidgetProps } from './props';
import {
  canFail,
  collect,
  type FormErrors,
  type FormField,
  type FormValues,
  fieldsOf,
  toControl,
} from './schema';

interface ControlProps {
  field: FormField;
  value: string | boolean;
  error?: string;
  locked: boolean;
  onChange: (value: string | boolean) => void;
}

type BoxProps = Omit<ControlProps, 'value' | 'error'> & { ids: object; value: string };

/** The control itself: a list, several lines, or one. */
function Box({ ids, field, value, locked, onChange }: BoxProps) {
  const { t } = useWords();
  const common = {
    name: field.name,
    value,
    required: field.required,
    'data-testid': `field-${field.name}`,
  };
  if (field.kind === 'enum') {
    return (
      <Select
        {...ids}
        {...common}
        isPart
        disabled={locked}
        placeholder={t('widget.choose')}
        choices={[
          // What need not be said can be taken back.
          ...(field.required ? [] : [{ value: '', label: t('widget.choose') }]),
          ...field.options.map(({ label }, at) => ({ value: String(at), label })),
        ]}
        onChange={onChange}
      />
    );
  }
  if (field.long) {
    return (
      <TextArea {...ids} {...common} readOnly={locked} onChange={(e) => onChange(e.target.value)} />
    );
  }
  return (
    <Input
      {...ids}
      {...common}
      readOnly={locked}
      inputMode={field.kind === 'string' ? undefined : 'decimal'}
      onChange={(e) => onChange(e.target.value)}
    />
  );
}

function Control({ field, value, error, locked, onChange }: ControlProps) {
  const { t } = useWords();
  if (field.kind === 'boolean') {
    return (
      <Switch
        label={field.label}
        hint={field.description}
        checked={value === true}
        disabled={locked}
        onChange={onChange}
        data-testid={`field-${field.name}`}
      />
    );
  }
  return (
    <Field
      label={field.label}
      note={field.required ? undefined : t('widget.optional')}
      hint={field.description}
      error={error}
      canFail={canFail(field)}
    >
      {(ids) => (
        <Box ids={ids} field={field} value={String(value)} locked={locked} onChange={onChange} />
      )}
    </Field>
  );
}

/** Fields from the JSON Schema subset; the value is an object. */
export function FormWidget(props: WidgetProps) {
  const { widget, answer, locked, asked, onSubmit, footer, onDraft } = props;
  const { t } = useWords();
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const fields = useMemo(() => fieldsOf(widget.schema), [widget.schema]);
  const values = (props.draft ?? {}) as FormValues;
  const [errors, setErrors] = useState<FormErrors>({});
  const given = (answer ?? null) as Record<string, unknown> | null;
  const shown = (field: FormField) =>
    given ? toControl(field, own(given, field.name)) : (own(values, field.name) ?? field.initial);

  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    const { value, errors: found } = collect(fields, values);
    setErrors(found);
    const first = fields.find((field) => own(found, field.name));
    if (first) {
      form.current?.querySelector<HTMLElement>(`[name="${CSS.escape(first.name)}"]`)?.focus();
      return;
    }
    onSubmit(value);
  };

  return (
    <form id={formId} ref={form} onSubmit={submit} noValidate>
      <DecisionBody label={t('widget.form')}>
        {asked}
        <div className="fields">
          {fields.map((field) => {
            const error = own(errors, field.name);
            return (
              <Control
                key={field.name}
                field={field}
                value={shown(field)}
                error={error && t(error.key, { limit: error.limit ?? 0 })}
                locked={locked}
                onChange={(value) => {
                  onDraft({ ...values, [field.name]: value });
                  setErrors(({ [field.name]: _, ...rest }) => rest);
                }}
              />
            );
          })}
        </div>
      </DecisionBody>
      {footer({ submitLabel: t('widget.submit') })}
    </form>
  );
}
