import type { ReactNode } from 'react';
import type { Result } from '../bridge';
import type { ChangeView, Item, WholeChange, Widget } from '../bridge/wire';
import type { Look } from '../state/store';

export type QuestionBody = Extract<Item['body'], { type: 'question' }>;

/** What each of the six is given. */
export interface WidgetProps {
  widget: Widget;
  change?: ChangeView;
  unbound: boolean;
  /** The value submitted; absent while it waits. */
  answer?: unknown;
  /** Answered, or not to be answered now. */
  locked: boolean;
  /** The answer is on its way. */
  busy: boolean;
  /** The question in words; it scrolls with what can be answered. */
  asked: ReactNode;
  /** True while Esc and Ctrl+Enter mean this question, wherever the focus is. */
  keys: boolean;
  /** What was being filled in when it was last shown. */
  draft: unknown;
  /** Keeps what is being filled in. */
  onDraft: (draft: unknown) => void;
  /** Reads all of a change that is not shown whole. */
  onWhole?: () => Promise<Result<WholeChange>>;
  /** How a change is looked at, and another way to look at it. */
  look: Look;
  onLook: (look: Look) => void;
  onSubmit: (value: unknown) => void;
  /** The row with the submit button; empty when locked. */
  footer: (options: { submitLabel: string; disabled?: boolean; hint?: string }) => ReactNode;
}
