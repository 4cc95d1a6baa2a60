import { LoaderCircle, type LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes, Ref } from 'react';

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  size?: 's' | 'm' | 'l';
  icon?: LucideIcon;
  /** Shows a turning mark; the words beside it must say what is going on. */
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
};

/** A button with words. */
export function Button({ kind = 'plain', size = 'm', icon: Icon, busy, children, ...rest }: Props) {
  const Mark = busy ? LoaderCircle : Icon;
  return (
    <button
      type="button"
      className="btn"
      data-kind={kind}
      data-size={size}
      data-busy={busy || undefined}
      {...rest}
    >
      {Mark && (
        <Mark size={size === 'l' ? 17 : 15} className={busy ? 'spin' : undefined} aria-hidden />
      )}
      {children}
    </button>
  );
}

type IconProps = ButtonHTMLAttributes<HTMLButtonElement> & { icon: LucideIcon; label: string };

/** A button with an icon only; the label is read out and shown as a tip. */
export function IconButton({ icon: Icon, label, ...rest }: IconProps) {
  return (
    <button type="button" className="icon-btn" aria-label={label} title={label} {...rest}>
      <Icon size={16} aria-hidden />
    </button>
  );
}
