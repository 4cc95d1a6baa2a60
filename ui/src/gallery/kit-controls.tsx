import { Copy, Play, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Key } from '../i18n';
import { Badge, type Tone } from '../kit/badge';
import { Button, IconButton } from '../kit/button';
import { Field, Input, Segments, Switch, TextArea } from '../kit/field';
import { Select } from '../kit/select';
import { type Entry, each, type Section } from './sections';
import { Say } from './stage';

type Kind = 'plain' | 'primary' | 'danger' | 'quiet';

/** The words that stand on a button of each kind. */
const words: Record<Kind, Key> = {
  plain: 'action.cancel',
  primary: 'action.continue',
  danger: 'action.remove',
  quiet: 'action.dismiss',
};

const sizes = ['s', 'm', 'l'] as const;

/** A kind of button in every size, and in every state of the middle one. */
const buttonsOf = (kind: Kind): ReactNode => (
  <Say>
    {({ t }) => (
      <>
        {sizes.map((size) => (
          <Button key={size} kind={kind} size={size} icon={size === 'l' ? Play : undefined}>
            {t(words[kind])}
          </Button>
        ))}
        <Button kind={kind} icon={Trash2}>
          {t(words[kind])}
        </Button>
        <Button kind={kind} busy disabled>
          {t(words[kind])}
        </Button>
        <Button kind={kind} disabled>
          {t(words[kind])}
        </Button>
        <Button kind={kind} aria-disabled>
          {t(words[kind])}
        </Button>
      </>
    )}
  </Say>
);

const buttons: Record<Kind, ReactNode> = {
  plain: buttonsOf('plain'),
  primary: buttonsOf('primary'),
  danger: buttonsOf('danger'),
  quiet: buttonsOf('quiet'),
};

const iconButton = (more: Parameters<typeof Button>[0]) => (
  <Say>
    {({ t }) => (
      <IconButton
        icon={Copy}
        label={t('action.copy')}
        disabled={more.disabled}
        aria-disabled={more['aria-disabled']}
        aria-pressed={more['aria-pressed']}
      />
    )}
  </Say>
);

const iconButtons = each({
  rest: iconButton({}),
  pressed: iconButton({ 'aria-pressed': true }),
  disabled: iconButton({ disabled: true }),
  'aria-disabled': iconButton({ 'aria-disabled': true }),
});

const toned = (tone: Tone, more: { dot?: boolean; live?: boolean } = {}) => (
  <Say>
    {({ t }) => (
      <Badge tone={tone} {...more}>
        {t('phase.waiting-user')}
      </Badge>
    )}
  </Say>
);

const tones: Record<Tone, ReactNode> = {
  plain: toned('plain'),
  accent: toned('accent'),
  ok: toned('ok'),
  warn: toned('warn'),
  bad: toned('bad'),
};

interface FieldOf {
  hint?: boolean;
  note?: boolean;
  error?: boolean;
  children: (ids: Parameters<Parameters<typeof Field>[0]['children']>[0]) => ReactNode;
}

/** A field with a label of the settings. */
const FieldOf = ({ hint, note, error, children }: FieldOf) => (
  <Say>
    {({ t }) => (
      <Field
        label={t('settings.language')}
        note={note ? t('settings.overridden') : undefined}
        hint={hint ? t('link.text') : undefined}
        error={error ? t('widget.required') : undefined}
      >
        {children}
      </Field>
    )}
  </Say>
);

const VALUE = 'qwen3:14b';

const fields: Entry[] = each({
  rest: <FieldOf>{(ids) => <Input {...ids} defaultValue={VALUE} />}</FieldOf>,
  placeholder: <FieldOf>{(ids) => <Input {...ids} placeholder={VALUE} />}</FieldOf>,
  hint: <FieldOf hint>{(ids) => <Input {...ids} defaultValue={VALUE} />}</FieldOf>,
  note: <FieldOf note>{(ids) => <Input {...ids} defaultValue={VALUE} />}</FieldOf>,
  error: (
    <FieldOf hint error>
      {(ids) => <Input {...ids} defaultValue="" />}
    </FieldOf>
  ),
  disabled: <FieldOf>{(ids) => <Input {...ids} disabled defaultValue={VALUE} />}</FieldOf>,
  'read-only': <FieldOf>{(ids) => <Input {...ids} readOnly defaultValue={VALUE} />}</FieldOf>,
});

const areas: Entry[] = each({
  rest: <FieldOf>{(ids) => <TextArea {...ids} defaultValue={VALUE} />}</FieldOf>,
  error: <FieldOf error>{(ids) => <TextArea {...ids} defaultValue="" />}</FieldOf>,
  disabled: <FieldOf>{(ids) => <TextArea {...ids} disabled defaultValue={VALUE} />}</FieldOf>,
  'read-only': <FieldOf>{(ids) => <TextArea {...ids} readOnly defaultValue={VALUE} />}</FieldOf>,
});

interface SelectOf {
  disabled?: boolean;
  error?: boolean;
  empty?: boolean;
}

/** One of two themes is chosen, or none is. */
function SelectOf({ disabled, error, empty }: SelectOf) {
  const [value, setValue] = useState<string>(empty ? '' : 'light');
  return (
    <FieldOf error={error}>
      {(ids) => (
        <Say>
          {({ t }) => (
            <Select
              {...ids}
              disabled={disabled}
              value={value}
              placeholder={t('action.choose')}
              onChange={setValue}
              choices={(['light', 'dark'] as const).map((theme) => ({
                value: theme,
                label: t(`theme.${theme}`),
              }))}
            />
          )}
        </Say>
      )}
    </FieldOf>
  );
}

const selects = each({
  rest: <SelectOf />,
  placeholder: <SelectOf empty />,
  error: <SelectOf error />,
  disabled: <SelectOf disabled />,
});

const switchOf = (checked: boolean, more: { disabled?: boolean; hint?: boolean } = {}) => (
  <Say>
    {({ t }) => (
      <Switch
        label={t('settings.theme')}
        hint={more.hint ? t('link.text') : undefined}
        checked={checked}
        disabled={more.disabled}
        onChange={() => undefined}
      />
    )}
  </Say>
);

const switches = each({
  on: switchOf(true),
  off: switchOf(false),
  hint: switchOf(true, { hint: true }),
  'on disabled': switchOf(true, { disabled: true }),
  'off disabled': switchOf(false, { disabled: true }),
});

const segments = each({
  rest: (
    <Say>
      {({ t }) => (
        <Segments
          label={t('settings.theme')}
          value="light"
          onChange={() => undefined}
          choices={(['system', 'light', 'dark'] as const).map((value) => ({
            value,
            label: t(`theme.${value}`),
          }))}
        />
      )}
    </Say>
  ),
});

/** What is pressed, chosen and written in. */
export const controls: readonly Section[] = [
  { name: 'Button', of: [Button], entries: each(buttons) },
  { name: 'IconButton', of: [IconButton], entries: iconButtons },
  {
    name: 'Badge',
    of: [Badge],
    entries: [
      ...each(tones),
      { state: 'dot', node: toned('warn', { dot: true }) },
      { state: 'dot live', node: toned('accent', { dot: true, live: true }) },
    ],
  },
  { name: 'Input', of: [Field, Input], entries: fields },
  { name: 'TextArea', of: [TextArea], entries: areas },
  { name: 'Select', of: [Select], entries: selects },
  { name: 'Switch', of: [Switch], entries: switches },
  { name: 'Segments', of: [Segments], entries: segments },
];
