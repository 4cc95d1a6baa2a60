import { useCallback, useEffect } from 'react';
import type { Item } from '../bridge/wire';
import { useApp, useView } from '../state/store';

/** Whether the details of an item are open, which they stay while the window is. `found`: somebody looks for it. */
export function useUnfolding(item: Item, found = false) {
  const app = useApp();
  const key = `${useView((v) => v.conversationId)}/${item.id}`;
  const onUnfold = useCallback(
    (open: boolean) => void (open ? app.unfolded.add(key) : app.unfolded.delete(key)),
    [app, key],
  );
  useEffect(() => {
    if (found) app.unfolded.add(key);
  }, [app, key, found]);
  return { unfolded: found || app.unfolded.has(key), onUnfold };
}
