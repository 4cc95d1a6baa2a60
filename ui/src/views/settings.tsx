import {
  ArrowLeft,
  Cpu,
  Database,
  Gauge,
  GraduationCap,
  Info,
  Languages,
  type LucideIcon,
  Palette,
  Plug,
  Wrench,
} from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { Failure, SettingsView, SystemTools } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button } from '../kit/button';
import { configure, go } from '../state/actions';
import { loadSettings } from '../state/load';
import { skillsHere } from '../state/skills';
import { fail, useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';
import { About } from './about';
import { ContrastChoice, LanguageChoice, TextSizeChoice, ThemeChoice } from './appearance';
import { ImportElectron } from './import-electron';
import { ServersSection } from './servers';
import {
  ApprovalChoice,
  NumberSetting,
  OutputsChoice,
  SavingContext,
  SwitchSetting,
  useSavingQueue,
} from './setting-fields';
import { DataSection } from './settings-data';
import { ModelSection } from './settings-model';
import { SkillsSection } from './skills';

const KIB = 1024;
const sections = [
  'model',
  'tools',
  'servers',
  'skills',
  'engine',
  'appearance',
  'language',
  'data',
  'about',
] as const;
type Section = (typeof sections)[number];

const icons: Record<Section, LucideIcon> = {
  model: Cpu,
  tools: Wrench,
  servers: Plug,
  skills: GraduationCap,
  engine: Gauge,
  appearance: Palette,
  language: Languages,
  data: Database,
  about: Info,
};

/** What does not hold of the settings file, and where the person finds it. */
function Problems({ view }: { view: SettingsView }) {
  const { t } = useWords();
  return (
    <section className="problems">
      {view.problems.map((problem) => (
        <Problem key={problem.message} problem={problem} />
      ))}
      <p className="hint" data-testid="settings-file">
        {t('settings.problems.file')} <span className="mono">{visible(view.file)}</span>
      </p>
    </section>
  );
}

/** What models may use that others made: tools of servers, and skills. */
function BroughtAlong({ tools }: { tools: SystemTools }) {
  const { t } = useWords();
  return (
    <>
      <SwitchSetting
        label={t('settings.mcp')}
        hint={t('settings.mcp.hint')}
        checked={tools.mcpEnabled}
        testId="mcp-enabled"
        patch={(mcpEnabled) => ({ tools: { mcpEnabled } })}
      />
      <SwitchSetting
        label={t('settings.skillsEnabled')}
        hint={t('settings.skillsEnabled.hint')}
        checked={tools.skillsEnabled}
        testId="skills-enabled"
        patch={(skillsEnabled) => ({ tools: { skillsEnabled } })}
      />
    </>
  );
}

function ToolsSection({ view }: { view: SettingsView }) {
  const { t } = useWords();
  const { tools } = view.settings;
  return (
    <>
      <SwitchSetting
        label={t('settings.fs')}
        hint={t('settings.fs.hint')}
        checked={tools.fsEnabled}
        testId="fs-enabled"
        patch={(fsEnabled) => ({ tools: { fsEnabled } })}
      />
      <div className="two">
        <NumberSetting
          label={t('settings.maxRead')}
          name="tools.maxReadBytes"
          value={Math.round(tools.maxReadBytes / KIB)}
          min={1}
          testId="max-read"
          patch={(kib) => ({ tools: { maxReadBytes: (kib ?? 1) * KIB } })}
        />
        <NumberSetting
          label={t('settings.maxWrite')}
          name="tools.maxWriteBytes"
          value={Math.round(tools.maxWriteBytes / KIB)}
          min={1}
          testId="max-write"
          patch={(kib) => ({ tools: { maxWriteBytes: (kib ?? 1) * KIB } })}
        />
      </div>
      <SwitchSetting
        label={t('settings.secrets')}
        hint={t('settings.secrets.hint')}
        checked={tools.allowSecretFiles}
        testId="allow-secrets"
        patch={(allowSecretFiles) => ({ tools: { allowSecretFiles } })}
      />
      <BroughtAlong tools={tools} />
      <ApprovalChoice writes={view.settings.approval.writes} />
      <SwitchSetting
        label={t('settings.verify')}
        hint={t('settings.verify.hint')}
        checked={view.settings.acceptance.verifyAfterWrite === 'auto'}
        testId="verify-after-write"
        patch={(on) => ({ acceptance: { verifyAfterWrite: on ? 'auto' : 'explicit' } })}
      />
      <OutputsChoice outputs={view.settings.acceptance.outputs} />
      <SwitchSetting
        label={t('settings.unbound')}
        hint={t('settings.unbound.hint')}
        checked={view.settings.confirmation.unbound === 'refuse'}
        testId="refuse-unbound"
        patch={(on) => ({ confirmation: { unbound: on ? 'refuse' : 'allow' } })}
      />
    </>
  );
}

function EngineSection({ view }: { view: SettingsView }) {
  const { t } = useWords();
  return (
    <>
      <SwitchSetting
        label={t('settings.autopilot')}
        hint={t('settings.autopilot.hint')}
        checked={view.settings.engine.autopilot}
        testId="autopilot"
        patch={(autopilot) => ({ engine: { autopilot } })}
      />
      <NumberSetting
        label={t('settings.maxTurns')}
        hint={t('settings.maxTurns.hint')}
        name="engine.maxTurns"
        value={view.settings.engine.maxTurns}
        min={1}
        testId="max-turns"
        patch={(maxTurns) => ({ engine: { maxTurns } })}
      />
    </>
  );
}

/** A choice with its name above. */
function Named({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="field">
      <span className="field-label" aria-hidden>
        {name}
      </span>
      {children}
    </div>
  );
}

function AppearanceSection() {
  const { t } = useWords();
  return (
    <>
      <Named name={t('settings.theme')}>
        <ThemeChoice />
      </Named>
      <Named name={t('settings.textSize')}>
        <TextSizeChoice />
      </Named>
      <Named name={t('settings.contrast')}>
        <ContrastChoice />
      </Named>
    </>
  );
}

function Content({ section, view }: { section: Section; view: SettingsView }) {
  switch (section) {
    case 'model':
      return <ModelSection view={view} />;
    case 'tools':
      return <ToolsSection view={view} />;
    case 'servers':
      return <ServersSection />;
    case 'skills':
      return <SkillsSection />;
    case 'engine':
      return <EngineSection view={view} />;
    case 'appearance':
      return <AppearanceSection />;
    case 'language':
      return <LanguageChoice withSystem />;
    case 'data':
      return (
        <>
          <DataSection />
          <ImportElectron />
        </>
      );
    case 'about':
      return <About />;
  }
}

function Nav({ current, onShow }: { current: Section; onShow: (section: Section) => void }) {
  const app = useApp();
  const { t } = useWords();
  const behind = useView((v) => v.behind);
  return (
    <nav className="settings-nav" aria-label={t('settings.title')}>
      <Button
        kind="quiet"
        icon={ArrowLeft}
        data-testid="settings-back"
        onClick={() => go(app, behind)}
      >
        {t('settings.back')}
      </Button>
      <ul>
        {sections.map((section) => {
          const Icon = icons[section];
          return (
            <li key={section}>
              <button
                type="button"
                aria-current={current === section ? 'true' : undefined}
                data-testid={`settings-${section}`}
                onClick={() => onShow(section)}
              >
                <Icon size={16} strokeWidth={1.8} aria-hidden />
                {t(`settings.${section}`)}
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** The name of a problem that is no setting; one that is too long is told only in part. */
function strangerOf({ advice, details }: Failure) {
  const { field } = (details ?? {}) as { field?: unknown };
  const stranger = advice?.key === 'sets_nothing' || advice?.key === 'strictest_of';
  return stranger && typeof field === 'string' && !field.endsWith('…') ? field : null;
}

/** A setting is corrected in its field; a name that is none has no field, and can be removed. */
function Problem({ problem }: { problem: Failure }) {
  const app = useApp();
  const { t } = useWords();
  const name = strangerOf(problem);
  const remove = async (name: string) => {
    const patch = name.split('.').reduceRight<unknown>((below, part) => ({ [part]: below }), null);
    const failure = await configure(app, patch);
    if (failure) fail(app, failure);
  };
  return (
    <FailureBox failure={problem}>
      {name !== null && (
        <Button data-testid="remove-name" onClick={() => void remove(name)}>
          {t('settings.removeName')}
        </Button>
      )}
    </FailureBox>
  );
}

/** Shows the section that the person was led to, when what stands above it has been read. */
function useLedTo(page: RefObject<HTMLElement | null>, show: (section: Section) => void) {
  const { store } = useApp();
  const section = useView((v) => v.settingsSection);
  const isRead = useView((v) => v.settings && v.servers && skillsHere(v)) !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is led to once, and again when more was read
  useEffect(() => {
    if (!section) return;
    show(section);
    page.current?.focus({ preventScroll: true });
    if (isRead) store.setState({ settingsSection: null });
  }, [section, isRead]);
}

/** Everything the user can set, on one page that scrolls. */
export function Settings() {
  const app = useApp();
  const { t } = useWords();
  const view = useView((v) => v.settings);
  const saving = useSavingQueue();
  const [current, setCurrent] = useState<Section>('model');
  const page = useRef<HTMLElement>(null);
  useEffect(() => void loadSettings(app), [app]);

  const place = (section: Section) => page.current?.querySelector(`#settings-${section}`);
  const show = (section: Section) => {
    place(section)?.scrollIntoView({ block: 'start' });
    setCurrent(section);
  };
  useLedTo(page, show);
  // The one that is read: the last that begins in the upper part of the page.
  const scrolled = () => {
    const box = page.current;
    if (!box) return;
    const { top, height } = box.getBoundingClientRect();
    const isAtEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 2;
    const begins = (section: Section) => place(section)?.getBoundingClientRect().top ?? Infinity;
    const read = sections.findLast((section) => begins(section) < top + height / 3);
    // At the end the last ones cannot come further up: what was chosen of them stays.
    setCurrent((before) =>
      isAtEnd && begins(before) < top + height && begins(before) > top ? before : (read ?? 'model'),
    );
  };

  return (
    <SavingContext.Provider value={saving}>
      <div className="settings" data-testid="settings-screen">
        <Nav current={current} onShow={show} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys */}
        <main className="settings-page" ref={page} tabIndex={0} onScroll={scrolled}>
          <h1>{t('settings.title')}</h1>
          {!view && <p className="hint">{t('settings.loading')}</p>}
          {view && view.problems.length > 0 && <Problems view={view} />}
          {view &&
            sections.map((section) => (
              <section
                key={section}
                className="card"
                id={`settings-${section}`}
                aria-labelledby={`title-${section}`}
              >
                <h2 id={`title-${section}`}>{t(`settings.${section}`)}</h2>
                <div className="fields">
                  <Content section={section} view={view} />
                </div>
              </section>
            ))}
        </main>
      </div>
    </SavingContext.Provider>
  );
}
