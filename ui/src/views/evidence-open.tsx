import { CircleAlert } from 'lucide-react';
import { fileName } from '../bridge/path';
import type { Obligation } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Name } from '../kit/name';
import { agentOf } from '../state/standing';
import { useView } from '../state/store';

/** An agent of the run, by the name that a person knows. */
export function useAgentName(): (agentId: string) => string {
  const packages = useView((v) => v.packages);
  const packageId = useView((v) => v.conversation.status?.run?.packageId);
  return (id) => agentOf(packages ?? [], packageId, id)?.name ?? id;
}

/** The sub-agent of an obligation, by its agent's name where that is still known. */
function useSubagent(obligation: Obligation): string | null {
  const { t } = useWords();
  const nameOf = useAgentName();
  const callId = 'callId' in obligation ? obligation.callId : null;
  const view = useView((v) =>
    v.conversation.status?.subagents?.find((one) => one.callId === callId),
  );
  if (callId === null) return null;
  return view ? nameOf(view.agentId) : t('subagent.label');
}

/** Obligations that are about nothing in particular. */
const alone: readonly Obligation['kind'][] = ['post_completion_pending', 'missing_report'];

function Open({ obligation }: { obligation: Obligation }) {
  const { t } = useWords();
  const subagent = useSubagent(obligation);
  const steps = useView((v) => v.conversation.status?.steps);
  const node = obligation.kind === 'missing_output' ? obligation.node : '';
  const step = steps?.find(({ id }) => id === node)?.title ?? node;
  const path = 'path' in obligation ? obligation.path : null;
  const named = 'hook' in obligation ? obligation.hook : 'id' in obligation ? obligation.id : null;
  const subject = path ? fileName(path) : (named ?? subagent);
  const isKnown = subject !== null || alone.includes(obligation.kind);
  const words = t(isKnown ? `open.${obligation.kind}` : 'open.unrecognised', { step });
  return (
    <li
      data-testid="obligation"
      data-kind={obligation.kind}
      title={path === null ? undefined : visible(path)}
    >
      <CircleAlert size={14} aria-hidden />
      <span className="words">
        {subject !== null && (
          <Name className={named === null ? 'clip' : 'mono clip'} text={subject} />
        )}
        <span className={subject === null ? undefined : 'hint'}>{words}</span>
      </span>
    </li>
  );
}

/** What is missing, one a line. */
export function OpenList({ obligations }: { obligations: readonly Obligation[] }) {
  return (
    <ul className="artifacts open">
      {obligations.map((obligation) => (
        <Open key={JSON.stringify(obligation)} obligation={obligation} />
      ))}
    </ul>
  );
}
