import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface Props {
  icon: LucideIcon;
  title: string;
  hint?: string;
  children?: ReactNode;
}

/** Nothing here yet, and what to do about it. */
export function Empty({ icon: Icon, title, hint, children }: Props) {
  return (
    <div className="empty">
      <Icon size={22} strokeWidth={1.6} aria-hidden />
      <strong>{title}</strong>
      {hint && <span>{hint}</span>}
      {children}
    </div>
  );
}
