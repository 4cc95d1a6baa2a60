import { ChevronsDownUp, FileText, FoldVertical, Gauge, Settings2 } from 'lucide-react';
import type { ContextUsage } from '../bridge/wire';
import { useWords } from '../i18n';
import { Menu, MenuItem, MenuLine } from '../kit/menu';
import { compact, goToModel, startAfresh } from '../state/actions';
import { phaseOf } from '../state/select';
import { useApp, useView } from '../state/store';
import './context.css';

const DOTS = [1, 2, 3, 4, 5];

/** How full the model is, in whole percent; null where nobody knows how much it reads. */
function percentOf({ used, budget }: ContextUsage): number | null {
  return budget ? Math.round((used / budget) * 100) : null;
}

/** How full the model is, and what can be done about it. Absent while nobody knows. */
export function ContextMeter() {
  const app = useApp();
  const { t, number, about } = useWords();
  const context = useView((v) => v.conversation.status?.context ?? null);
  const working = useView((v) => phaseOf(v.conversation) === 'running');
  const percent = context && percentOf(context);
  if (!context?.budget || percent === null) return null;
  const { used, budget, status, estimated } = context;
  const values = {
    used: about(used, estimated),
    budget: number(budget),
    percent: about(percent, estimated),
  };
  const label = t(status === 'compressing' ? 'context.compressing' : 'context.label', values);
  const full = Math.min(5, Math.ceil(percent / 20));
  const face = (
    <span className="context-meter" data-status={status}>
      <span className="dots" aria-hidden>
        {DOTS.map((dot) => (
          <i key={dot} data-on={dot <= full ? 'true' : undefined} />
        ))}
      </span>
      <span aria-hidden>{about(percent, estimated)}%</span>
    </span>
  );
  return (
    <Menu icon={Gauge} face={face} label={label} testId="context-meter">
      <p className="menu-note">{label}</p>
      <MenuLine />
      {!working && (
        <>
          <MenuItem
            icon={FoldVertical}
            testId="context-shorten"
            onClick={() => void compact(app, false)}
          >
            {t('context.shorten')}
          </MenuItem>
          <MenuItem
            icon={ChevronsDownUp}
            testId="context-hard"
            onClick={() => void compact(app, true)}
          >
            {t('context.hard')}
          </MenuItem>
          <MenuItem icon={FileText} testId="context-afresh" onClick={() => void startAfresh(app)}>
            {t('context.afresh')}
          </MenuItem>
          <MenuLine />
        </>
      )}
      <MenuItem
        icon={Settings2}
        testId="context-settings"
        onClick={() => goToModel(app, 'context-tokens')}
      >
        {t('context.raise')}
      </MenuItem>
    </Menu>
  );
}
