import { Plus, Trash2, TriangleAlert } from 'lucide-react';
import { type RefObject, useId, useRef, useState } from 'react';
import type { Failure, ServerView } from '../bridge/wire';
import { useWords } from '../i18n';
import { Button, IconButton } from '../kit/button';
import { Dialog } from '../kit/dialog';
import { Field, Input, Segments, TextArea } from '../kit/field';
import { Name } from '../kit/name';
import {
  draftOf,
  formOf,
  hasOddArgs,
  leadsElsewhere,
  type ServerForm,
  type ServerFormErrors,
  type ValueRow,
  withRow,
  wrongIn,
} from '../state/server-draft';
import { saveServer } from '../state/servers';
import { useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';
import './servers.css';

interface RowProps {
  row: ValueRow;
  isFresh: boolean;
  /** What stands in the field of a value that is known. */
  kept: string;
  onChange: (row: ValueRow) => void;
  onRemove: () => void;
}

/** What may be a key: its name, and its value, which is typed unseen. */
function Value({ row, isFresh, kept, onChange, onRemove }: RowProps) {
  const { t } = useWords();
  const { name, value, known } = row;
  return (
    <li data-testid="server-value">
      {known ? (
        <Name className="mono clip" text={name} />
      ) : (
        <Input
          className="mono"
          autoFocus={isFresh}
          aria-label={t('settings.headers.name')}
          placeholder={t('settings.headers.name')}
          value={name}
          data-testid="server-value-name"
          onChange={(event) => onChange({ ...row, name: event.target.value })}
        />
      )}
      <Input
        type="password"
        aria-label={name ? t('settings.headers.valueOf', { name }) : t('settings.headers.value')}
        placeholder={known ? kept : t('settings.headers.value')}
        value={value}
        data-testid="server-value-text"
        onChange={(event) => onChange({ ...row, value: event.target.value })}
      />
      <IconButton
        icon={Trash2}
        label={t('settings.headers.remove', { name: name || t('settings.headers.value') })}
        data-testid="remove-server-value"
        onClick={onRemove}
      />
    </li>
  );
}

interface ValuesProps {
  label: string;
  hint: string;
  more: string;
  kept: string;
  rows: readonly ValueRow[];
  error?: string;
  onChange: (rows: readonly ValueRow[]) => void;
}

/** Names with their values, which are not shown again. */
function Values({ label, hint, more, kept, rows, error, onChange }: ValuesProps) {
  const add = useRef<HTMLButtonElement>(null);
  const [fresh, setFresh] = useState<number | null>(null);
  const set = (row: ValueRow) => onChange(rows.map((it) => (it.id === row.id ? row : it)));
  const remove = ({ id }: ValueRow) => {
    // Its own button is gone in a moment.
    add.current?.focus();
    onChange(rows.filter((it) => it.id !== id));
  };
  const append = () => {
    const all = withRow(rows);
    setFresh(all.at(-1)?.id ?? null);
    onChange(all);
  };
  return (
    <fieldset className="headers">
      <legend className="field-label">{label}</legend>
      <p className="hint">{hint}</p>
      <ul>
        {rows.map((row) => (
          <Value
            key={row.id}
            row={row}
            isFresh={row.id === fresh}
            kept={kept}
            onChange={set}
            onRemove={() => remove(row)}
          />
        ))}
        <li className="more">
          <Button ref={add} size="s" icon={Plus} data-testid="add-server-value" onClick={append}>
            {more}
          </Button>
        </li>
      </ul>
      {error && (
        <p className="error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface PartProps {
  form: ServerForm;
  before: ServerView | null;
  errors: ServerFormErrors;
  onChange: (part: Partial<ServerForm>) => void;
}

function CommandFields({ form, before, errors, onChange }: PartProps) {
  const { t } = useWords();
  const odd = hasOddArgs(before);
  return (
    <>
      <Field
        label={t('servers.command')}
        hint={t('servers.form.command.hint')}
        error={errors.command && t(errors.command)}
      >
        {(ids) => (
          <Input
            {...ids}
            className="mono"
            name="command"
            value={form.command}
            data-testid="server-command"
            onChange={(event) => onChange({ command: event.target.value })}
          />
        )}
      </Field>
      <Field
        label={t('servers.form.args')}
        hint={t(odd ? 'servers.form.args.odd' : 'servers.form.args.hint')}
      >
        {(ids) => (
          <TextArea
            {...ids}
            rows={4}
            spellCheck={false}
            wrap="off"
            value={form.args}
            data-testid="server-args"
            onChange={(event) => onChange({ args: event.target.value })}
          />
        )}
      </Field>
      <Values
        label={t('servers.env')}
        hint={t('servers.form.env.hint')}
        more={t('servers.form.env.more')}
        kept={t('servers.form.kept')}
        rows={form.env}
        error={errors.values && t(errors.values)}
        onChange={(env) => onChange({ env })}
      />
    </>
  );
}

function UrlFields({ form, before, errors, onChange }: PartProps) {
  const { t } = useWords();
  const elsewhere = leadsElsewhere(form, before);
  const isLost = elsewhere && form.headers.some(({ known, value }) => known && value === '');
  return (
    <>
      <Field label={t('servers.address')} error={errors.url && t(errors.url)} canFail>
        {(ids) => (
          <Input
            {...ids}
            className="mono"
            name="url"
            inputMode="url"
            value={form.url}
            data-testid="server-url"
            onChange={(event) => onChange({ url: event.target.value })}
          />
        )}
      </Field>
      <Values
        label={t('servers.headers')}
        hint={t('servers.form.headers.hint')}
        more={t('servers.form.headers.more')}
        kept={t(elsewhere ? 'servers.form.again' : 'servers.form.kept')}
        rows={form.headers}
        error={errors.values && t(errors.values)}
        onChange={(headers) => onChange({ headers })}
      />
      {isLost && (
        <p className="caution" role="status" data-testid="server-elsewhere">
          <TriangleAlert size={15} aria-hidden />
          <span>{t('servers.form.elsewhere')}</span>
        </p>
      )}
    </>
  );
}

const KINDS = ['command', 'url'] as const;

function Fields({ first, ...props }: PartProps & { first: RefObject<HTMLInputElement | null> }) {
  const { t } = useWords();
  const { form, errors, onChange } = props;
  return (
    <>
      <Field
        label={t('servers.form.name')}
        hint={t('servers.form.name.hint')}
        error={errors.name && t(errors.name)}
      >
        {(ids) => (
          <input
            {...ids}
            ref={first}
            className="input"
            name="name"
            spellCheck={false}
            autoComplete="off"
            value={form.name}
            data-testid="server-name"
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
      <div className="field">
        <span className="field-label" aria-hidden>
          {t('servers.form.kind')}
        </span>
        <Segments
          label={t('servers.form.kind')}
          value={form.kind}
          choices={KINDS.map((value) => ({
            value,
            label: t(`servers.form.kind.${value}`),
            testId: `server-kind-${value}`,
          }))}
          onChange={(kind) => onChange({ kind })}
        />
      </div>
      {form.kind === 'url' ? <UrlFields {...props} /> : <CommandFields {...props} />}
    </>
  );
}

/** What is being filled in; sent when nothing is wrong with it. */
function useServerForm(before: ServerView | null, onSaved: (name: string) => void) {
  const app = useApp();
  const box = useRef<HTMLFormElement>(null);
  const [form, setForm] = useState(() => formOf(before));
  const [errors, setErrors] = useState<ServerFormErrors>({});
  const [failure, setFailure] = useState<Failure | null>(null);
  const busy = useView((v) => v.busy.has('saveServer'));
  const change = (part: Partial<ServerForm>) => {
    setForm({ ...form, ...part });
    setErrors({});
  };
  const submit = async (event: React.FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setFailure(null);
    const wrong = wrongIn(form);
    setErrors(wrong);
    const [first] = Object.keys(wrong);
    if (first) {
      box.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
      return;
    }
    const server = draftOf(form, before);
    const refused = await saveServer(app, server, before?.name ?? null);
    setFailure(refused);
    if (!refused) onSaved(server.name);
  };
  return { box, form, errors, failure, busy, change, submit };
}

/** What the program says is seen, however long the form is. */
const intoSight = (it: HTMLElement | null) => it?.scrollIntoView({ block: 'nearest' });

interface Props {
  /** The server that is changed; null for a new one. */
  before: ServerView | null;
  onSaved: (name: string) => void;
  onClose: () => void;
}

/** Sets a server up, or changes one. */
export function ServerFormDialog({ before, onSaved, onClose }: Props) {
  const { t } = useWords();
  const id = useId();
  const first = useRef<HTMLInputElement>(null);
  const { box, form, errors, failure, busy, change, submit } = useServerForm(before, onSaved);
  return (
    <Dialog
      title={before ? t('servers.form.edit', { name: before.name }) : t('servers.form.add')}
      width={560}
      onClose={onClose}
      initialFocus={first}
      testId="server-form"
      footer={
        <>
          <Button data-testid="server-cancel" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button
            type="submit"
            form={id}
            kind="primary"
            busy={busy}
            aria-disabled={busy}
            data-testid="server-save"
          >
            {t(busy ? 'servers.form.saving' : 'servers.form.save')}
          </Button>
        </>
      }
    >
      <form
        id={id}
        ref={box}
        className="fields server-form"
        noValidate
        onSubmit={(event) => void submit(event)}
      >
        <Fields first={first} form={form} before={before} errors={errors} onChange={change} />
      </form>
      {failure && (
        <div ref={intoSight}>
          <FailureBox failure={failure} />
        </div>
      )}
    </Dialog>
  );
}
