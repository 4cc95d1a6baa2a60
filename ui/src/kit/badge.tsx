import type { ReactNode } from 'react';

export type Tone = 'plain' | 'accent' | 'ok' | 'warn' | 'bad';

interface Props {
  tone?: Tone;
  /** A dot before the words; it breathes when `live`. */
  dot?: boolean;
  live?: boolean;
  children: ReactNode;
  [data: `data-${string}`]: string | undefined;
}

/** A short word with a colour. The word says it all; the colour only helps. */
export function Badge({ tone = 'plain', dot, live, children, ...rest }: Props) {
  return (
    <span className="badge" data-tone={tone} data-live={live ? 'true' : undefined} {...rest}>
      {dot && <span className="dot" aria-hidden />}
      {children}
    </span>
  );
}
