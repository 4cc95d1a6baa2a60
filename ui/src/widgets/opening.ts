import { useCallback, useState } from 'react';
import type { Failure, WholeChange } from '../bridge/wire';
import type { WidgetProps } from './props';

/** Opening a change that is too long to be shown at once. */
export interface Opening {
  /** All of it, once it was opened. */
  whole: WholeChange | null;
  /** It was scrolled to its end. */
  read: boolean;
  busy: boolean;
  failure: Failure | null;
  /** Absent where there is nothing to open. */
  open?: () => void;
  onEnd: () => void;
}

export function useOpening({ widget, change, onWhole }: WidgetProps): Opening {
  const [whole, setWhole] = useState<WholeChange | null>(null);
  const [read, setRead] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const open = async () => {
    if (busy || !onWhole) return;
    setBusy(true);
    const result = await onWhole();
    setBusy(false);
    if (result.ok) setWhole(result.value);
    setFailure(result.ok ? null : result.failure);
  };
  const canOpen = widget.cut === true && change !== undefined && change.diff !== '' && onWhole;
  const onEnd = useCallback(() => setRead(true), []);
  return { whole, read, busy, failure, onEnd, open: canOpen ? () => void open() : undefined };
}
