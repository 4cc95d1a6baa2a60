import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { Bridge } from '../bridge';
import { fakeBridge } from '../bridge/fake';
import type { Command, SessionCommand } from '../bridge/wire';
import { type Lang, WordsProvider } from '../i18n';
import { type App, AppProvider, makeApp } from '../state/store';

/** Renders in English unless told otherwise. */
export function show(ui: ReactNode, lang: Lang = 'en') {
  return render(<WordsProvider lang={lang}>{ui}</WordsProvider>);
}

/** The fake bridge of a scenario, with every command that went through it. */
export function recordingBridge(scenario: string): { bridge: Bridge; commands: Command[] } {
  const bridge = fakeBridge(scenario);
  const commands: Command[] = [];
  const submit = bridge.submit.bind(bridge);
  return {
    commands,
    bridge: {
      ...bridge,
      submit: (command) => {
        commands.push(command);
        return submit(command);
      },
    },
  };
}

/** What is said to the conversation that the scenarios show. */
export const inCurrent = (command: SessionCommand): Command => ({
  type: 'session',
  conversationId: 'c-current',
  command,
});

/** Renders a part of the window over an app. */
export function showIn(app: App, ui: ReactNode, lang: Lang = 'en') {
  return render(
    <AppProvider app={app}>
      <WordsProvider lang={lang}>{ui}</WordsProvider>
    </AppProvider>,
  );
}

export { makeApp };
