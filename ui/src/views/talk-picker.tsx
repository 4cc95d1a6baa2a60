import { MessageCircle, Waypoints } from 'lucide-react';
import { useState } from 'react';
import type { Mode, PackageView } from '../bridge/wire';
import { useWords, type Words } from '../i18n';
import { visible } from '../i18n/visible';
import { isSamePartner } from '../state/standing';
import { useApp, useView } from '../state/store';
import { beginTalk } from '../state/talk';
import { Finder, type FinderEntry, type FinderSection, holds, wordsOf } from './finder';

/** Somebody to talk with. */
interface Partner extends FinderEntry {
  partner: Mode;
}

type Section = FinderSection<Partner>;

/** The agents of the installed packages, each below its package. */
const agentsOf = (packages: readonly PackageView[]): Section[] =>
  packages.map(({ packageId, name, version, agents }) => ({
    id: packageId,
    label: visible(`${name} ${version}`),
    items: agents.map(({ id, name, title, icon }) => ({
      id: `${packageId} ${id}`,
      label: visible(name),
      hint: visible(title),
      icon: visible(icon),
      partner: { mode: 'agent', packageId, agentId: id },
    })),
  }));

/** Those who are no agents: the run, where there is one, and the model alone. */
function others(run: string | null, { t }: Words): Section {
  const chat: Partner = {
    id: 'chat',
    label: t('conversations.chat'),
    hint: t('talk.chat.hint'),
    icon: MessageCircle,
    partner: { mode: 'chat' },
  };
  const ofRun: Partner[] =
    run === null
      ? []
      : [
          {
            id: 'run',
            label: t('talk.run'),
            hint: visible(run),
            icon: Waypoints,
            partner: { mode: 'run' },
          },
        ];
  return {
    id: 'others',
    label: t(run === null ? 'talk.alone' : 'talk.here'),
    items: [...ofRun, chat],
  };
}

interface Props {
  title: string;
  /** The run of the conversation, by name; null where there is none. */
  run: string | null;
  /** With whom one talks now. */
  now?: Mode;
  onTake: (partner: Mode) => void;
  onClose: () => void;
}

/** Whom to talk with: the run, the model alone, or an agent of an installed package. */
export function TalkPicker({ title, run, now, onTake, onClose }: Props) {
  const words = useWords();
  const { t } = words;
  const packages = useView((v) => v.packages) ?? [];
  const [text, setText] = useState('');
  const sought = wordsOf(text);
  const sections = [others(run, words), ...agentsOf(packages)]
    .map((section) => ({
      ...section,
      items: section.items
        .filter(({ label, hint = '' }) => holds(`${label} ${hint} ${section.label}`, sought))
        .map((entry) => ({
          ...entry,
          chosen: now && isSamePartner(now, entry.partner) ? t('talk.now') : undefined,
        })),
    }))
    .filter(({ items }) => items.length > 0);
  return (
    <Finder
      title={title}
      placeholder={t('talk.search')}
      none={t('talk.none')}
      testId="talk-picker"
      sections={sections}
      text={text}
      onText={setText}
      onTake={({ partner }) => onTake(partner)}
      onClose={onClose}
    />
  );
}

/** Begins a conversation with whom the person chooses. */
export function TalkTo() {
  const app = useApp();
  const { t } = useWords();
  const close = () => app.store.setState({ overlay: null });
  return (
    <TalkPicker
      title={t('talk.to')}
      run={null}
      onTake={(partner) => {
        close();
        void beginTalk(app, partner);
      }}
      onClose={close}
    />
  );
}
