import { Plus, Trash2 } from 'lucide-react';
import { useContext, useState } from 'react';
import type { Failure } from '../bridge/wire';
import { useWords } from '../i18n';
import { Button, IconButton } from '../kit/button';
import { Input } from '../kit/field';
import { Name } from '../kit/name';
import { useView } from '../state/store';
import { FailureBox } from '../widgets/failure';
import { SavingContext } from './setting-fields';

const patchOf = (name: string, value: string | null) => ({ model: { headers: { [name]: value } } });

interface RowProps {
  name: string;
  value: string;
  disabled: boolean;
  onFailure: (failure: Failure | null) => void;
}

/** A header that is sent; its value is saved when the person leaves it or presses Enter. */
function HeaderRow({ name, value, disabled, onFailure }: RowProps) {
  const { t } = useWords();
  const { save } = useContext(SavingContext);
  const [text, setText] = useState(value);
  const change = async (to: string | null) => {
    if (to !== value) onFailure(await save(patchOf(name, to)));
  };
  return (
    <li data-testid="header-row">
      <Name className="mono clip" text={name} />
      <Input
        aria-label={t('settings.headers.valueOf', { name })}
        value={text}
        disabled={disabled}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => void change(text.trim())}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void change(text.trim());
        }}
      />
      <IconButton
        icon={Trash2}
        label={t('settings.headers.remove', { name })}
        disabled={disabled}
        onClick={() => void change(null)}
      />
    </li>
  );
}

/** Headers that every request to the model's server has beside its own, as some gateways want. */
export function ExtraHeaders({ headers }: { headers: Readonly<Record<string, string>> }) {
  const { t } = useWords();
  const { save } = useContext(SavingContext);
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);
  const disabled = useView((v) => v.settings?.overridden.includes('model.headers') ?? false);
  const isWhole = name.trim() !== '' && value.trim() !== '';
  const add = async () => {
    if (!isWhole) return;
    const problem = await save(patchOf(name.trim(), value.trim()));
    setFailure(problem);
    if (problem) return;
    setName('');
    setValue('');
  };
  const onEnter = (event: React.KeyboardEvent) => {
    if (event.key === 'Enter') void add();
  };
  return (
    <fieldset className="headers" data-testid="extra-headers">
      <legend className="field-label">{t('settings.headers')}</legend>
      <p className="hint">{t('settings.headers.hint')}</p>
      <ul>
        {Object.entries(headers).map(([known, text]) => (
          <HeaderRow
            key={`${known} ${text}`}
            name={known}
            value={text}
            disabled={disabled}
            onFailure={setFailure}
          />
        ))}
        <li>
          <Input
            aria-label={t('settings.headers.name')}
            placeholder={t('settings.headers.name')}
            value={name}
            disabled={disabled}
            data-testid="header-name"
            onChange={(event) => setName(event.target.value)}
            onKeyDown={onEnter}
          />
          <Input
            aria-label={t('settings.headers.value')}
            placeholder={t('settings.headers.value')}
            value={value}
            disabled={disabled}
            data-testid="header-value"
            onChange={(event) => setValue(event.target.value)}
            onKeyDown={onEnter}
          />
          <Button
            icon={Plus}
            disabled={disabled || !isWhole}
            data-testid="add-header"
            onClick={() => void add()}
          >
            {t('settings.headers.add')}
          </Button>
        </li>
      </ul>
      {failure && <FailureBox failure={failure} />}
    </fieldset>
  );
}
