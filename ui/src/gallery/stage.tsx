// A recorded conversation as the window has it, around the parts of it that are shown.
import { type ReactNode, useState } from 'react';
import type { AnswerTo, Bridge } from '../bridge/bridge';
import { fakeBridge } from '../bridge/fake';
import { conversationsOf } from '../bridge/fake/conversations';
import { packages, projects, runs, settings } from '../bridge/fake/data';
import type { Scene } from '../bridge/fake/pieces';
import { scenes } from '../bridge/fake/scenes';
import { snapshotOf, todosOf } from '../bridge/fake/snapshot';
import type { Item, Query, RunView } from '../bridge/wire';
import { useWords, type Words } from '../i18n';
import { Button } from '../kit/button';
import { nothing, reduce } from '../state/reduce';
import { type Row, rowsOf } from '../state/rows';
import { type App, AppProvider, makeApp, useView, type View } from '../state/store';
import { RowView } from '../views/message-row';

/** A conversation that is known whole; a sub-agent's has no run. */
function snapshotIn(scene: Scene, run: RunView | null): Partial<View> {
  if (!run) return {};
  return {
    snapshot: { ok: true, value: snapshotOf(scene, run) },
    todos: { ok: true, value: todosOf(scene) },
  };
}

/** A program that knows of the scene what stands beside its conversation. */
function bridgeOf(scene: Scene, { servers, skills }: Partial<View>): Bridge {
  const bridge = fakeBridge('start');
  const { run } = scene.status;
  const known: Partial<Record<Query['type'], unknown>> = {
    todos: todosOf(scene),
    snapshot: run && snapshotOf(scene, run),
    servers: servers?.ok && servers.value,
    skills: skills?.read.ok && skills.read.value,
  };
  return {
    ...bridge,
    query: async <Q extends Query>(query: Q) => {
      const value = known[query.type];
      return value ? { ok: true, value: value as AnswerTo<Q> } : bridge.query(query);
    },
  };
}

/** A window that shows a scene, and follows nothing. */
function appOf(scene: Scene, more: Partial<View> = {}): App {
  const app = makeApp(bridgeOf(scene, more));
  const { items, status } = scene;
  app.store.setState({
    screen: 'workspace',
    projects,
    packages,
    settings,
    projectId: 'p-notes',
    conversations: conversationsOf(runs, new Map()),
    conversationId: 'c-current',
    conversation: reduce(nothing, [{ type: 'snapshot', items, earlier: null, status }]),
    // Whether asking again may help does not depend on when the gallery is looked at.
    modelChangedAt: null,
    begun: true,
    ...snapshotIn(scene, status.run),
    ...more,
  });
  return app;
}

/** The recorded scene of that name. */
export function sceneOf(name: string): Scene {
  const make = scenes[name];
  if (!make) throw new Error(`There is no scene ${name}.`);
  return make();
}

interface StageProps {
  scene: Scene;
  more?: Partial<View>;
  children: ReactNode;
}

/** Gives what is shown the window of a scene. */
export function Stage({ scene, more, children }: StageProps) {
  const [app] = useState(() => appOf(scene, more));
  return <AppProvider app={app}>{children}</AppProvider>;
}

interface RowsProps {
  /** Which items are shown; a row of several when one of them is. */
  of: (item: Item, at: number, items: readonly Item[]) => boolean;
}

/** The rows of the conversation, as its list draws them. */
function Rows({ of }: RowsProps) {
  const items = useView((v) => v.conversation.items);
  const openSteps = useView((v) => v.openSteps);
  const isShown = (row: Row) => {
    const own: readonly Item[] = row.kind === 'calls' ? row.items : [row.item];
    return own.some((item) => of(item, items.indexOf(item), items));
  };
  const { rows } = rowsOf(items, openSteps);
  return rows.filter(isShown).map((row) => (
    <div key={row.id} className="gallery-row">
      <RowView row={row} found={null} />
    </div>
  ));
}

interface InListProps extends RowsProps {
  scene: Scene;
  more?: Partial<View>;
}

/** Rows of a scene. */
export const InList = ({ scene, more, of }: InListProps) => (
  <Stage scene={scene} more={more}>
    <Rows of={of} />
  </Stage>
);

/** The last item of a scene. */
export const isLast = (_: Item, at: number, items: readonly Item[]): boolean =>
  at === items.length - 1;

/** Items of one kind. */
export const isOf =
  (type: Item['body']['type']) =>
  ({ body }: Item): boolean =>
    body.type === type;

/** What is shown in the words of the language. */
export const Say = ({ children }: { children: (words: Words) => ReactNode }) =>
  children(useWords());

/** Opens what lies over the page, which cannot lie in it. */
export function Opens({
  children,
}: {
  children: (close: () => void, anchor: HTMLElement) => ReactNode;
}) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Say>
        {({ t }) => (
          <Button data-opens onClick={(event) => setAnchor(event.currentTarget)}>
            {t('file.open', { path: '…' })}
          </Button>
        )}
      </Say>
      {anchor && children(() => setAnchor(null), anchor)}
    </>
  );
}
