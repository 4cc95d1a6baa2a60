import {
  CircleCheckBig,
  CircleQuestionMark,
  CircleX,
  type LucideIcon,
  TriangleAlert,
} from 'lucide-react';
import type { HookStatus, Item } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import type { Tone } from '../kit/badge';
import { Name } from '../kit/name';
import { FailureBox } from './failure';
import './hook.css';

export type HookBody = Extract<Item['body'], { type: 'hook' }>;

const looks: Record<HookStatus, { icon: LucideIcon; tone: Tone }> = {
  passed: { icon: CircleCheckBig, tone: 'ok' },
  blocked: { icon: CircleX, tone: 'bad' },
  warned: { icon: TriangleAlert, tone: 'warn' },
  unanswered: { icon: CircleQuestionMark, tone: 'warn' },
  unrecognised: { icon: CircleQuestionMark, tone: 'plain' },
};

/** What a command of the person came to, and what it wrote. */
export function HookResult({ body }: { body: HookBody }) {
  const { t, duration } = useWords();
  const { name, point, status, output, failure, durationMs, tool } = body;
  const { icon: Icon, tone } = looks[status] ?? looks.unrecognised;
  return (
    <div className="hook-result" data-testid="hook-result" data-status={status} data-tone={tone}>
      <p>
        <Icon size={14} aria-hidden />
        <Name className="mono" text={name} />
        <strong>{t(`hook.${status}`)}</strong>
        <span className="hint">
          {t(`hook.at.${point}`)}
          {tool && ` · ${visible(tool)}`}
          {durationMs >= 100 && ` · ${duration(durationMs)}`}
        </span>
      </p>
      {output && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys
        <pre tabIndex={0} data-testid="hook-output">
          {visible(output)}
        </pre>
      )}
      {failure && <FailureBox failure={failure} />}
    </div>
  );
}
