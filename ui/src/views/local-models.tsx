import { RefreshCw } from 'lucide-react';
import { useContext, useEffect, useState } from 'react';
import { asFailure } from '../bridge';
import type { Failure, LocalServer } from '../bridge/wire';
import { useWords } from '../i18n';
import { Button } from '../kit/button';
import { useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';
import { SavingContext } from './setting-fields';

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
  const app = useApp();
  const { t } = useWords();
  const [servers, setServers] = useState<LocalServer[] | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [asked, setAsked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again when it is asked to
  useEffect(() => {
    let here = true;
    setServers(null);
    app.bridge
      .query({ type: 'localModels' })
      .catch((thrown) => ({ ok: false as const, failure: asFailure(thrown) }))
      .then((result) => {
        if (!here) return;
        setServers(result.ok ? result.value : []);
        setFailure(result.ok ? null : result.failure);
      });
    return () => {
      here = false;
    };
  }, [app, asked]);
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
