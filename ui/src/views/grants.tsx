import { ShieldCheck, ShieldX } from 'lucide-react';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button } from '../kit/button';
import { Menu, MenuItem } from '../kit/menu';
import { Name } from '../kit/name';
import { revokeApproval } from '../state/actions';
import { useApp, useView } from '../state/store';

/** The folders the person allowed; there is no such section while there are none. */
export function Grants() {
  const app = useApp();
  const { t } = useWords();
  const grants = useView((v) => v.conversation.status?.grants ?? null);
  const busy = useView((v) => v.busy);
  if (!grants?.length) return null;
  return (
    <section data-testid="grants">
      <h2>{t('grants.title')}</h2>
      <p className="hint">{t('grants.hint')}</p>
      <ul className="artifacts grants">
        {grants.map(({ changeId, tool, folder }) => (
          <li key={changeId} title={visible(folder)}>
            <ShieldCheck size={14} aria-hidden />
            <span className="words">
              <Name className="mono clip" text={folder} />
              <span className="hint mono clip">{visible(tool)}</span>
            </span>
            <Button
              size="s"
              data-testid="revoke-approval"
              aria-label={t('grants.revoke.of', { tool, folder })}
              disabled={busy.has(`revoke-${changeId}`)}
              onClick={() => void revokeApproval(app, changeId)}
            >
              {t('grants.revoke')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The same in the header, where it can be reached however narrow the window is. */
export function GrantsMenu() {
  const app = useApp();
  const { t, count } = useWords();
  const grants = useView((v) => v.conversation.status?.grants ?? null);
  if (!grants?.length) return null;
  return (
    <Menu icon={ShieldCheck} label={count('grants.allowed', grants.length)} testId="grants-menu">
      {grants.map(({ changeId, tool, folder }) => (
        <MenuItem
          key={changeId}
          icon={ShieldX}
          testId="revoke-approval-menu"
          onClick={() => void revokeApproval(app, changeId)}
        >
          {t('grants.revoke.of', { tool, folder })}
        </MenuItem>
      ))}
    </Menu>
  );
}
