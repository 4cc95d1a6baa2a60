import { useView } from '../state/store';
import { ItemRow } from '../views/message-row';

/** Every item: nothing is laid out in these tests, so the list itself would show none. */
export function Rows() {
  const items = useView((v) => v.conversation.items);
  return items.map((item) => <ItemRow key={item.id} item={item} headed={false} />);
}
