import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { expect } from 'vitest';
import type { Bridge } from '../bridge';
import { fakeBridge } from '../bridge/fake';
import type { Command, SessionCommand } from '../bridge/wire';
import { type Lang, WordsProvider } from '../i18n';
import { type App, AppProvider, makeApp } from '../state/store';

/** Renders in English unless told otherwise. */
export function show(ui: ReactNode, lang: Lang = 'en') {
  return render(<WordsProvider lang={lang}>{ui}</WordsProvider>);
}

/** The fake bridge of a scenario, with every command that went through it, but where the window is. */
export function recordingBridge(scenario: string): { bridge: Bridge; commands: Command[] } {
  const bridge = fakeBridge(scenario);
  const commands: Command[] = [];
  const submit = bridge.submit.bind(bridge);
  return {
    commands,
    bridge: {
      ...bridge,
      submit: (command) => {
        const isPlace = command.type === 'keepDraft' && command.place.type === 'window';
        if (!isPlace) commands.push(command);
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

/** Chooses one of what a list offers, by its words. */
export async function choose(
  user: Pick<UserEvent, 'click'>,
  testId: string,
  words: string | RegExp,
) {
  await user.click(screen.getByTestId(testId));
  await user.click(await screen.findByText(words, { selector: '[data-chooses] [role=option] *' }));
  await waitFor(() => expect(document.querySelector('[data-chooses]')).toBeNull());
}

let at = 0;
/** A press, or several in one place, of a pointer that comes from elsewhere. */
export function press(target: Element, times = 1) {
  at += 100;
  const place = { clientX: at, clientY: at };
  fireEvent.pointerMove(document.body, { clientX: at - 50, clientY: at - 50 });
  fireEvent.pointerMove(target, place);
  for (let n = 1; n <= times; n++) {
    fireEvent.pointerDown(target, place);
    fireEvent.click(target, { ...place, detail: n });
  }
}

export { makeApp };
