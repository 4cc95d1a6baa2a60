import { useId, useState } from 'react';
import { useWords } from '../i18n';
import { TextArea } from '../kit/field';
import { DecisionBody } from './decision-body';
import { Markdown } from './markdown';
import { own } from './own';
import type { WidgetProps } from './props';

/** One text an item; the value maps item ids to texts. */
export function FeedbackWidget(props: WidgetProps) {
  const { widget, answer, locked, asked, onSubmit, footer, onDraft } = props;
  const { t } = useWords();
  const id = useId();
  const items = widget.items ?? [];
  const texts = (props.draft ?? {}) as Record<string, string>;
  const [error, setError] = useState<string>();
  const shown = (answer ?? texts) as Record<string, string>;
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    const value = Object.fromEntries(items.map(({ id }) => [id, (own(texts, id) ?? '').trim()]));
    if (Object.values(value).some((text) => text)) onSubmit(value);
    else setError(t('feedback.one'));
  };
  return (
    <form onSubmit={submit}>
      <DecisionBody label={t('widget.feedback')}>
        {asked}
        <div className="fields">
          {items.map((item, at) => (
            <div className="field" key={item.id}>
              <div id={`${id}-${at}`}>
                <Markdown text={item.content} />
              </div>
              <TextArea
                rows={2}
                aria-labelledby={`${id}-${at}`}
                aria-invalid={error ? true : undefined}
                readOnly={locked}
                data-testid={`field-${item.id}`}
                placeholder={locked ? t('widget.empty') : t('feedback.placeholder')}
                value={own(shown, item.id) ?? ''}
                onChange={(e) => {
                  onDraft({ ...texts, [item.id]: e.target.value });
                  setError(undefined);
                }}
              />
            </div>
          ))}
        </div>
      </DecisionBody>
      {error && (
        <p className="error" role="alert">
          {error}
        </p>
      )}
      {footer({ submitLabel: t('widget.submit') })}
    </form>
  );
}
