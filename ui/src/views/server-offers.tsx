import type { PromptArgument, ServerPrompt, ServerResource } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Fold } from '../kit/fold';
import { Name } from '../kit/name';
import { Description, OfferedList } from './server-parts';

/** What a prompt is told, and whether it cannot do without. */
function Argument({ argument }: { argument: PromptArgument }) {
  const { t } = useWords();
  const { name, description, required } = argument;
  return (
    <li data-testid="prompt-argument" data-required={required}>
      <p className="name-line">
        <Name className="mono" text={name} />
        <span className="hint">
          {t(required ? 'servers.prompts.required' : 'servers.prompts.optional')}
        </span>
      </p>
      <Description text={description} />
    </li>
  );
}

function Prompt({ prompt }: { prompt: ServerPrompt }) {
  const { called, title, description, arguments: told } = prompt;
  return (
    <li data-testid="server-prompt">
      <p className="name-line">
        <Name className="mono" text={`/${called}`} />
        {title && <span className="title">{visible(title)}</span>}
      </p>
      <Description text={description} />
      {told.length > 0 && (
        <ul className="prompt-arguments">
          {told.map((argument, at) => (
            <Argument key={at} argument={argument} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** Every prompt of a server, as a person calls it. */
export function Prompts({ prompts }: { prompts: readonly ServerPrompt[] }) {
  const { t } = useWords();
  return (
    <OfferedList hint={t('servers.prompts.said')} items={prompts} testId="more-prompts">
      {(prompt) => <Prompt key={prompt.called} prompt={prompt} />}
    </OfferedList>
  );
}

function Resource({ resource }: { resource: ServerResource }) {
  const { uri, name, description, mimeType } = resource;
  return (
    <li data-testid="server-resource">
      <p className="name-line">
        <strong>{visible(name)}</strong>
        {mimeType && <span className="hint">{visible(mimeType)}</span>}
      </p>
      <p className="uri">
        <Name className="mono" text={uri} />
      </p>
      <Description text={description} />
    </li>
  );
}

/** Everything that a server can show. */
export function Resources({ resources }: { resources: readonly ServerResource[] }) {
  const { t } = useWords();
  return (
    <OfferedList hint={t('servers.resources.said')} items={resources} testId="more-resources">
      {(resource, at) => <Resource key={at} resource={resource} />}
    </OfferedList>
  );
}

/** How many prompts it has, and all of them on demand; nothing where there are none. */
export function PromptsFold({ prompts }: { prompts: readonly ServerPrompt[] }) {
  const { count } = useWords();
  if (prompts.length === 0) return null;
  return (
    <Fold label={count('servers.prompts', prompts.length)} testId="server-prompts">
      <Prompts prompts={prompts} />
    </Fold>
  );
}

/** The same of what it can show. */
export function ResourcesFold({ resources }: { resources: readonly ServerResource[] }) {
  const { count } = useWords();
  if (resources.length === 0) return null;
  return (
    <Fold label={count('servers.resources', resources.length)} testId="server-resources">
      <Resources resources={resources} />
    </Fold>
  );
}
