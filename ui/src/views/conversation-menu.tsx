import {
  Archive,
  Braces,
  CircleStop,
  Ellipsis,
  FileText,
  Pencil,
  TextQuote,
  Trash2,
} from 'lucide-react';
import { useRef } from 'react';
import type { ConversationSummary, ExportFormat } from '../bridge/wire';
import { useWords } from '../i18n';
import { Button } from '../kit/button';
import { Dialog } from '../kit/dialog';
import { Menu, MenuItem, MenuLine } from '../kit/menu';
import { deleteConversation, exportConversation, exportRun } from '../state/conversations';
import { useApp } from '../state/store';
import { useTitleIn } from './partner';

interface Props {
  conversation: ConversationSummary;
  testId: string;
  onRename: () => void;
  onDelete: () => void;
  /** Ends its run; absent where that cannot be. */
  onEnd?: () => void;
}

/** What can be done with a conversation. */
export function ConversationMenu({ conversation, testId, onRename, onDelete, onEnd }: Props) {
  const app = useApp();
  const { t, lang } = useWords();
  const { conversationId, runs } = conversation;
  const title = useTitleIn()(conversation);
  const [run] = runs;
  const save = (format: ExportFormat) => () =>
    void exportConversation(app, conversationId, title, format, lang);
  return (
    <Menu
      icon={Ellipsis}
      label={t('conversations.menu.of', { title })}
      about={conversationId}
      testId={testId}
    >
      <MenuItem icon={Pencil} testId="conversation-rename" onClick={onRename}>
        {t('conversations.rename')}
      </MenuItem>
      <MenuLine />
      <MenuItem icon={FileText} testId="export-md" onClick={save('md')}>
        {t('conversations.export.md')}
      </MenuItem>
      <MenuItem icon={TextQuote} testId="export-jsonl" onClick={save('jsonl')}>
        {t('conversations.export.jsonl')}
      </MenuItem>
      <MenuItem icon={Braces} testId="export-messages" onClick={save('messages.json')}>
        {t('conversations.export.messages')}
      </MenuItem>
      {run && (
        <MenuItem
          icon={Archive}
          testId="export-run"
          onClick={() => void exportRun(app, run, title)}
        >
          {t('conversations.export.run')}
        </MenuItem>
      )}
      <MenuLine />
      {onEnd && (
        <MenuItem icon={CircleStop} testId="end-run" onClick={onEnd}>
          {t('end.open')}
        </MenuItem>
      )}
      <MenuItem icon={Trash2} danger testId="conversation-delete" onClick={onDelete}>
        {t('conversations.delete.open')}
      </MenuItem>
    </Menu>
  );
}

interface DeleteProps {
  conversation: ConversationSummary;
  onClose: () => void;
}

/** Says what goes and what stays. Cancel has the focus. */
export function DeleteDialog({ conversation, onClose }: DeleteProps) {
  const app = useApp();
  const { t } = useWords();
  const title = useTitleIn()(conversation);
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      title={t('conversations.delete.title', { title })}
      onClose={onClose}
      initialFocus={cancel}
      testId="delete-dialog"
      footer={
        <>
          <Button ref={cancel} data-testid="delete-cancel" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button
            kind="danger"
            icon={Trash2}
            data-testid="delete-confirm"
            onClick={() => {
              void deleteConversation(app, conversation.conversationId);
              onClose();
            }}
          >
            {t('conversations.delete')}
          </Button>
        </>
      }
    >
      <p>{t('conversations.delete.goes')}</p>
      <p>{t('conversations.delete.stays')}</p>
    </Dialog>
  );
}
