import { RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  type PluginValue,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import { isSuspect, unseen } from '../i18n/visible';

/** Stands where a character cannot be seen. */
class Sign extends WidgetType {
  constructor(readonly text: string) {
    super();
  }

  override eq(other: Sign) {
    return other.text === this.text;
  }

  override toDOM() {
    const mark = document.createElement('mark');
    mark.textContent = this.text;
    return mark;
  }
}

/** Shows nothing: the carriage return of a line's end. */
const nothing = Decoration.replace({});

/** The signs of one line, or of the part of it that is drawn. */
function signLine(view: EditorView, from: number, to: number, into: RangeSetBuilder<Decoration>) {
  const { doc } = view.state;
  const text = doc.sliceString(from, to);
  if (!isSuspect(text)) return;
  for (const at of unseen(text, to === doc.lineAt(to).to)) {
    const shown = at.sign ? Decoration.replace({ widget: new Sign(at.sign) }) : nothing;
    into.add(from + at.from, from + at.to, shown);
  }
}

/** The signs of what is drawn. */
function signsOf(view: EditorView): DecorationSet {
  const found = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at);
      signLine(view, at, Math.min(line.to, to), found);
      at = line.to + 1;
    }
  }
  return found.finish();
}

class Signs implements PluginValue {
  shown: DecorationSet;

  constructor(view: EditorView) {
    this.shown = signsOf(view);
  }

  update(update: ViewUpdate) {
    if (update.docChanged || update.viewportChanged) this.shown = signsOf(update.view);
  }
}

/** Shows what cannot be seen by signs, as everywhere in the window; the text stays what it is. */
export const codeSigns = ViewPlugin.fromClass(Signs, {
  decorations: (plugin) => plugin.shown,
  // The cursor does not stop within a sign.
  provide: (plugin) =>
    EditorView.atomicRanges.of((view) => view.plugin(plugin)?.shown ?? Decoration.none),
});
