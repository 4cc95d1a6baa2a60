import { MessagesSquare, Pencil, Settings2, Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { approvalChange, twoPlaces } from '../bridge/fake/approval';
import { goodReport } from '../bridge/fake/data';
import { wholeOf } from '../bridge/fake/whole';
import { Boundary } from '../kit/boundary';
import { Broken } from '../kit/broken';
import { Button } from '../kit/button';
import { Cover } from '../kit/cover';
import { Dialog } from '../kit/dialog';
import { Diff, DiffCells } from '../kit/diff';
import { Drawer } from '../kit/drawer';
import { Empty } from '../kit/empty';
import { Fold } from '../kit/fold';
import { Logo } from '../kit/logo';
import { Menu, MenuChoice, MenuChoices, MenuGroup, MenuItem, MenuLine } from '../kit/menu';
import { Name } from '../kit/name';
import { Popover } from '../kit/popover';
import { Coded, Sentence } from '../kit/sentence';
import { Splitter } from '../kit/splitter';
import { WholeDiff } from '../kit/whole-diff';
import { each, type Section } from './sections';
import { Opens, Say, sceneOf } from './stage';

const dialog = (width?: number) => (
  <Opens>
    {(close) => (
      <Say>
        {({ t }) => (
          <Dialog
            title={t('link.title')}
            width={width}
            onClose={close}
            footer={
              <>
                <Button onClick={close}>{t('action.cancel')}</Button>
                <Button kind="primary" onClick={close}>
                  {t('link.open')}
                </Button>
              </>
            }
          >
            <p>{t('link.text')}</p>
          </Dialog>
        )}
      </Say>
    )}
  </Opens>
);

const drawer = (
  <Opens>
    {(close) => (
      <Say>
        {({ t }) => (
          <Drawer
            className="inspector drawer"
            label={t('inspector.label')}
            testId="drawer"
            onClose={close}
          >
            <p className="tab-panel">{t('inspector.label')}</p>
          </Drawer>
        )}
      </Say>
    )}
  </Opens>
);

const popover = (
  <Opens>
    {(close, anchor) => (
      <Say>
        {({ t }) => (
          <Popover label={t('graph.title')} anchor={anchor} onClose={close}>
            <p>{t('link.text')}</p>
          </Popover>
        )}
      </Say>
    )}
  </Opens>
);

const menu = (face?: ReactNode) => (
  <Say>
    {({ t }) => (
      <Menu icon={Settings2} face={face} label={t('model.settings')}>
        <p className="menu-note">{t('model.settings')}</p>
        <MenuLine />
        <MenuItem icon={Pencil} onClick={() => undefined}>
          {t('action.choose')}
        </MenuItem>
        <MenuItem icon={Trash2} danger onClick={() => undefined}>
          {t('action.remove')}
        </MenuItem>
        <MenuItem icon={Trash2} disabled onClick={() => undefined}>
          {t('action.remove')}
        </MenuItem>
        <MenuGroup label={t('settings.theme')}>
          <MenuChoices value="dark" onChange={() => undefined}>
            <MenuChoice value="light">{t('theme.light')}</MenuChoice>
            <MenuChoice value="dark">{t('theme.dark')}</MenuChoice>
          </MenuChoices>
        </MenuGroup>
      </Menu>
    )}
  </Say>
);

const fold = (unfolded: boolean) => (
  <Say>
    {({ t }) => (
      <Fold label={t('decision.missing')} unfolded={unfolded}>
        <p>{t('link.text')}</p>
      </Fold>
    )}
  </Say>
);

const diff = (source: Omit<Parameters<typeof Diff>[0], 'label'>) => (
  <Say>{({ t }) => <Diff {...source} label={t('confirm.diff')} />}</Say>
);

/** A change of 6,500 lines, of which what is in sight is drawn. */
function Whole() {
  const [all] = useState(() => wholeOf(sceneOf('cut'), 'ch-2'));
  const scroller = useRef<HTMLElement>(null);
  // It measures what it lies in, which is there after it has been drawn once.
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return (
    <Say>
      {({ t }) => (
        <section
          ref={scroller}
          className="gallery-scroller"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys
          tabIndex={0}
          aria-label={t('confirm.diff')}
        >
          {ready && (
            <WholeDiff
              diff={all.diff}
              label={t('confirm.diff')}
              scroller={scroller}
              onEnd={() => undefined}
            />
          )}
        </section>
      )}
    </Say>
  );
}

function Thrown(): ReactNode {
  throw new Error('It cannot be shown.');
}

function Splits() {
  const [width, setWidth] = useState(160);
  return (
    <Say>
      {({ t }) => (
        <div className="gallery-split" style={{ width }}>
          <Splitter
            label={t('inspector.width')}
            size={width}
            least={80}
            most={320}
            onSize={setWidth}
          />
        </div>
      )}
    </Say>
  );
}

const UNSEEN = '@project/docs/\u202egpj.yrammus\u202c.sh';
const CUT = `${approvalChange.diff}…\n`;

const broken = (part: 'part' | 'dialog' | 'screen') => (
  <Broken part={part}>
    {part === 'screen' && <Say>{({ t }) => <Button>{t('broken.back')}</Button>}</Say>}
  </Broken>
);

/** What the rest is made of. */
export const pieces: readonly Section[] = [
  { name: 'Logo', of: [Logo], entries: each({ small: <Logo />, large: <Logo size={48} /> }) },
  {
    name: 'Name',
    of: [Name],
    entries: each({
      rest: <Name className="mono" text="@project/docs/release-notes.md" />,
      unseen: <Name className="mono" text={UNSEEN} />,
    }),
  },
  {
    name: 'Empty',
    of: [Empty],
    entries: each({
      rest: <Say>{({ t }) => <Empty icon={MessagesSquare} title={t('works.empty')} />}</Say>,
      hint: (
        <Say>
          {({ t }) => (
            <Empty icon={MessagesSquare} title={t('works.empty')} hint={t('works.empty.hint')} />
          )}
        </Say>
      ),
    }),
  },
  {
    name: 'Sentence',
    of: [Sentence, Coded],
    entries: each({
      alone: (
        <p>
          <Sentence text={goodReport.findings[0]?.message ?? ''} />
        </p>
      ),
      within: (
        <p>
          <Coded text={goodReport.findings[0]?.message ?? ''} />
        </p>
      ),
    }),
  },
  { name: 'Fold', of: [Fold], entries: each({ folded: fold(false), unfolded: fold(true) }) },
  {
    name: 'Broken',
    of: [Broken, Boundary],
    entries: each({
      part: (
        <Boundary of={null} instead={() => broken('part')}>
          <Thrown />
        </Boundary>
      ),
      dialog: broken('dialog'),
      screen: broken('screen'),
    }),
  },
  {
    name: 'Diff',
    of: [Diff, DiffCells],
    entries: each({
      lines: diff({ diff: twoPlaces.diff }),
      split: diff({ diff: twoPlaces.diff, split: true }),
      'as it is': diff({ diff: '@@ -1,2 +1,2 @@\n audience: sales\n tone: plain\n', asIs: true }),
      cut: diff({ diff: CUT }),
      unseen: diff({
        diff: '@@ -1,1 +1,1 @@\n-if admin\n+if admin # \u2066only\u2069 \u202e then\n',
      }),
    }),
  },
  { name: 'WholeDiff', of: [WholeDiff], entries: each({ rest: <Whole /> }) },
  { name: 'Splitter', of: [Splitter], entries: each({ rest: <Splits /> }) },
  {
    name: 'Menu',
    of: [Menu, MenuItem, MenuLine, MenuGroup, MenuChoices, MenuChoice],
    entries: each({
      icon: menu(),
      face: menu(<Say>{({ t }) => t('model.settings')}</Say>),
    }),
  },
  {
    name: 'Dialog',
    of: [Dialog, Cover],
    entries: each({ rest: dialog(), wide: dialog(640) }),
  },
  { name: 'Drawer', of: [Drawer], entries: each({ rest: drawer }) },
  { name: 'Popover', of: [Popover], entries: each({ rest: popover }) },
];
