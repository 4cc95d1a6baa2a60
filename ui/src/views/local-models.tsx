import { RefreshCw } from 'lucide-react';
import { useContext, useState } from 'react';
import type { LocalServer } from '../bridge/wire';
import { useWords } from '../i18n';
import { Button } from '../kit/button';
import { useView } from '../state/store';
import { FailureBox } from '../widgets/failure';
import { SavingContext } from './setting-fields';
import { useLocalServers } from './use-local-servers';

function Place({ server }: { server: LocalServer }) {
  const { t, count } = useWords();
  const { save } = useContext(SavingContext);
  const model = useView((v) => v.settings?.settings.model);
  const used = model?.baseUrl === server.baseUrl;
  const use = () => {
    const [first = ''] = server.models;
    const kept = model && server.models.includes(model.model) ? model.model : first;
    const { provider, baseUrl } = server;
    void save({ model: { provider, baseUrl, model: kept } });
  };
  const words = () => {
    if (server.state === 'nothing') return t('local.nothing');
    if (server.state === 'other') return t('local.other');
    if (server.models.length === 0) return t('local.empty');
    return count('local.found', server.models.length);
  };
  return (
    <li data-state={server.state} data-testid={`local-${server.provider}`}>
      <strong>{server.title}</strong>
      <span className="hint mono">{server.baseUrl.replace(/^http:\/\/|\/v1$/g, '')}</span>
      <span className="hint">{words()}</span>
      {server.state === 'found' && (
        <Button
          size="s"
          disabled={used}
          aria-label={t('local.use.of', { server: server.title })}
          data-testid={`use-${server.provider}`}
          onClick={use}
        >
          {t(used ? 'local.used' : 'local.use')}
        </Button>
      )}
    </li>
  );
}

/** The model servers on this computer, looked for while the person is here and not before. */
export function LocalModels() {
  const { t } = useWords();
  const [asked, setAsked] = useState(0);
  const { servers, failure } = useLocalServers(asked);
  return (
    <div className="local-models" data-testid="local-models" aria-busy={servers === null}>
      <div className="line">
        <span className="field-label">{t('local.title')}</span>
        <Button
          size="s"
          kind="quiet"
          icon={RefreshCw}
          busy={servers === null}
          disabled={servers === null}
          data-testid="look-again"
          onClick={() => setAsked(asked + 1)}
        >
          {t(servers === null ? 'local.looking' : 'local.again')}
        </Button>
      </div>
      <ul aria-live="polite">
        {servers?.map((server) => (
          <Place key={server.provider} server={server} />
        ))}
      </ul>
      {failure && <FailureBox failure={failure} />}
    </div>
  );
}
