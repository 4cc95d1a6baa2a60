import { Ellipsis, FolderInput, Info, Package, PackagePlus, Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { PackageView } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Badge } from '../kit/badge';
import { Button, IconButton } from '../kit/button';
import { Empty } from '../kit/empty';
import { Menu, MenuItem, MenuLine } from '../kit/menu';
import { newRun, pickAndInspect, pickFolderAndInspect, showPackage } from '../state/actions';
import { useApp, useView } from '../state/store';
import { PanelHeader } from './panel-header';
import { RemovePackage } from './remove-package';

function PackageRow({ pack, onRemove }: { pack: PackageView; onRemove: () => void }) {
  const app = useApp();
  const { t, count } = useWords();
  const { name } = pack;
  return (
    <li className="package" data-testid="package-row" data-package-id={pack.packageId}>
      <button
        type="button"
        className="row"
        aria-label={t('packages.details', { name })}
        onClick={() => void showPackage(app, pack.packageId)}
      >
        <span className="row-top">
          <strong className="clip">{visible(name)}</strong>
          <span className="when">{visible(pack.version)}</span>
        </span>
        {pack.description && <span className="row-text">{visible(pack.description)}</span>}
        <span className="row-bottom">
          <span className="clip">
            {count('packages.workflows', pack.workflows.length)} ·{' '}
            {count('packages.agents', pack.agents.length)}
          </span>
          {pack.hasDemo && <Badge tone="plain">{t('packages.demo')}</Badge>}
        </span>
      </button>
      <span className="row-actions">
        <Button size="s" icon={Play} onClick={() => newRun(app, pack.packageId)}>
          {t('packages.run')}
        </Button>
        <Menu icon={Ellipsis} label={t('packages.menu.of', { name })} testId="package-menu">
          <MenuItem
            icon={Info}
            testId="package-details"
            onClick={() => void showPackage(app, pack.packageId)}
          >
            {t('packages.details', { name })}
          </MenuItem>
          <MenuLine />
          <MenuItem icon={Trash2} danger testId="package-remove" onClick={onRemove}>
            {t('packages.remove.of', { name })}
          </MenuItem>
        </Menu>
      </span>
    </li>
  );
}

/** The installed packages. */
export function PackagesPanel() {
  const app = useApp();
  const { t } = useWords();
  const packages = useView((v) => v.packages);
  const [removing, setRemoving] = useState<PackageView | null>(null);
  const close = () => setRemoving(null);
  return (
    <>
      <PanelHeader title={t('rail.packages')}>
        <Button
          size="s"
          icon={PackagePlus}
          data-testid="import-package"
          onClick={() => void pickAndInspect(app)}
        >
          {t('packages.import')}
        </Button>
        <IconButton
          icon={FolderInput}
          label={t('packages.import.folder')}
          data-testid="import-package-folder"
          onClick={() => void pickFolderAndInspect(app)}
        />
      </PanelHeader>
      <div className="panel-body">
        {packages?.length === 0 && (
          <Empty icon={Package} title={t('packages.empty')} hint={t('packages.empty.hint')} />
        )}
        <ul>
          {packages?.map((pack) => (
            <PackageRow key={pack.packageId} pack={pack} onRemove={() => setRemoving(pack)} />
          ))}
        </ul>
      </div>
      {removing && <RemovePackage pack={removing} onClose={close} />}
    </>
  );
}
