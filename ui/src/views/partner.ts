// What those are called with whom the person talks, and what a conversation is called that nobody has
// named yet.
import type { ConversationSummary, Mode, PackageView } from '../bridge/wire';
import { useWords, type Words } from '../i18n';
import { agentWith, partnerIn } from '../state/standing';
import { useView } from '../state/store';

type Packages = readonly PackageView[] | null;

/** What an agent, or the model alone, is called; of an agent that is not installed any more its id. */
export function partnerName(packages: Packages, partner: Mode, { t }: Words): string {
  if (partner.mode === 'agent') return agentWith(packages, partner)?.name ?? partner.agentId;
  return t(partner.mode === 'chat' ? 'conversations.chat' : 'talk.run');
}

/** What a conversation is called: a talk that has no words yet by who is talked with. */
export function titleIn(packages: Packages, one: ConversationSummary, words: Words): string {
  if (one.title) return one.title;
  const partner = partnerIn(one);
  return partner.mode === 'run' && one.mode === 'run'
    ? words.t('conversation.label')
    : partnerName(packages, partner.mode === 'run' ? { mode: 'chat' } : partner, words);
}

/** The same, in a component. */
export function useTitleIn(): (one: ConversationSummary) => string {
  const words = useWords();
  const packages = useView((v) => v.packages);
  return (one) => titleIn(packages, one, words);
}

/** The package of an agent, as people call it. */
export const packageName = (packages: Packages, packageId: string): string => {
  const pack = packages?.find((one) => one.packageId === packageId);
  return pack ? `${pack.name} ${pack.version}` : packageId;
};
