// Starts the gallery, for who works on the look of the window. No build that is shipped has it.
import '../styles';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { fakeBridge } from '../bridge/fake';
import { AppProvider, makeApp } from '../state/store';
import { Gallery } from './gallery';

const root = document.getElementById('root');
if (root) {
  const app = makeApp(fakeBridge('start'));
  const settings = await app.bridge.query({ type: 'settings' });
  if (settings.ok) app.store.setState({ settings: settings.value });
  // What is broken here is broken to be seen.
  createRoot(root, { onCaughtError: () => undefined }).render(
    <StrictMode>
      <AppProvider app={app}>
        <Gallery />
      </AppProvider>
    </StrictMode>,
  );
}
