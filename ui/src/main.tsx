import './styles';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { loadBridge } from './bridge';
import { dialogTitles } from './i18n/dialog-titles';
import { AppProvider, makeApp } from './state/store';
import { Root } from './views/app';

// Until the settings are read, the page follows what the program says that they say, or else the
// system, so that nothing flashes.
const said = new URLSearchParams(location.search).get('theme');
const system = matchMedia('(prefers-color-scheme: dark)').matches;
const dark = said === 'dark' || (said !== 'light' && system);
document.documentElement.dataset.theme = dark ? 'dark' : 'light';

if (/Linux/.test(navigator.userAgent)) document.documentElement.dataset.platform = 'linux';

const root = document.getElementById('root');
if (root) {
  const app = makeApp(await loadBridge(dialogTitles));
  createRoot(root).render(
    <StrictMode>
      <AppProvider app={app}>
        <Root />
      </AppProvider>
    </StrictMode>,
  );
}
