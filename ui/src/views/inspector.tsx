import { Tabs } from '@base-ui/react/tabs';
import { type ReactNode, useEffect } from 'react';
import { useWords } from '../i18n';
import { Drawer } from '../kit/drawer';
import { Splitter } from '../kit/splitter';
import { BROAD, TIGHT, useMedia } from '../kit/use-media';
import {
  INSPECTOR_TABS,
  INSPECTOR_WIDTH,
  type InspectorTab,
  useApp,
  useView,
} from '../state/store';
import { CallLog } from './call-log';
import { Changes, SnapshotFailure } from './changes';
import { Evidence, OpenObligations } from './evidence';
import { Grants } from './grants';
import { ModelViewLink } from './model-view';
import { Progress } from './progress';
import { Todos } from './todos';
import { Usage } from './usage';
import { useSnapshot } from './use-snapshot';
import './inspector.css';

/** Changes that are listed beside the progress; the rest has a tab of its own. */
const FEW_CHANGES = 6;

/** What each tab shows of a run. */
const parts: Record<InspectorTab, () => ReactNode> = {
  run: () => (
    <>
      <Progress />
      <OpenObligations />
      <Todos />
      <Changes most={FEW_CHANGES} />
      <Grants />
      <Usage />
    </>
  ),
  changes: () => <Changes />,
  evidence: () => <RunEvidence />,
  activity: () => <CallLog />,
};

function RunEvidence() {
  const conversationId = useView((v) => v.conversationId);
  return (
    <>
      <SnapshotFailure />
      <Evidence key={conversationId} />
      <ModelViewLink />
    </>
  );
}

/** A tab's name, and how many there are of what it shows. */
function Tab({ tab }: { tab: InspectorTab }) {
  const { t, number } = useWords();
  const changes = useView((v) => (v.snapshot?.ok ? v.snapshot.value.changes.length : 0));
  return (
    <Tabs.Tab className="tab" value={tab} data-testid={`tab-${tab}`}>
      {t(`inspector.${tab}`)}
      {tab === 'changes' && changes > 0 && <span className="hint">{number(changes)}</span>}
    </Tabs.Tab>
  );
}

/** The tabs of a run. */
function RunTabs() {
  const { store } = useApp();
  const { t } = useWords();
  const shown = useView((v) => v.inspectorTab);
  return (
    <Tabs.Root
      className="inspector-tabs"
      value={shown}
      onValueChange={(inspectorTab: InspectorTab) => store.setState({ inspectorTab })}
    >
      <Tabs.List className="tab-list" aria-label={t('inspector.label')} activateOnFocus>
        {INSPECTOR_TABS.map((tab) => (
          <Tab key={tab} tab={tab} />
        ))}
      </Tabs.List>
      {INSPECTOR_TABS.map((tab) => (
        <Tabs.Panel key={tab} className="tab-panel" value={tab}>
          {parts[tab]()}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}

function Parts() {
  useSnapshot();
  // What a sub-agent did to files, and what it proves, is told of the run. A talk has no steps.
  const isRunless = useView(({ task, conversation: { status } }) => {
    return task !== null || (status !== null && status.run === null);
  });
  if (!isRunless) return <RunTabs />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys
    <div className="tab-panel" tabIndex={0}>
      <CallLog />
      <Grants />
      <Usage />
      <ModelViewLink />
    </div>
  );
}

/** Beside the conversation, or over it where there is no room. */
export function InspectorPlace() {
  const tight = useMedia(TIGHT);
  const beside = useView((v) => v.inspectorOpen);
  const over = useView((v) => v.drawerOpen);
  const { store } = useApp();
  useEffect(() => {
    if (!tight) store.setState({ drawerOpen: false });
  }, [tight, store]);
  const { t } = useWords();
  if (tight) {
    return over ? (
      <Drawer
        className="inspector drawer"
        label={t('inspector.label')}
        testId="inspector-drawer"
        onClose={() => store.setState({ drawerOpen: false })}
      >
        <Parts />
      </Drawer>
    ) : null;
  }
  return beside ? <Inspector /> : null;
}

/** Where the run is, what it has changed, what proves it, and every call of a tool. */
export function Inspector() {
  const { store } = useApp();
  const { t } = useWords();
  const own = useMedia(BROAD) ? 380 : 300;
  const width = useView((v) => v.inspectorWidth) ?? own;
  return (
    <aside className="inspector" aria-label={t('inspector.label')} style={{ width }}>
      <Splitter
        label={t('inspector.width')}
        size={width}
        {...INSPECTOR_WIDTH}
        onSize={(inspectorWidth) => store.setState({ inspectorWidth })}
      />
      <Parts />
    </aside>
  );
}
