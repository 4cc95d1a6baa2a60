//! What a change does.

super::phrases! {
    shown_too_briefly(id, ms)
        "the answer to `{id}` was not taken: it had been shown for {ms} ms"
        "对 `{id}` 的回答没有被采用：它只显示了 {ms} 毫秒";
    /// The runtime's own question about a call that waits.
    allow_change(tool, path) "Allow {tool} to change {path}?" "允许 {tool} 修改 {path} 吗？";
    allow_delete(path) "Allow the model to delete {path}?" "允许模型删除 {path} 吗？";
    allow_move(path) "Allow the model to move {path}?" "允许模型移动 {path} 吗？";
    new_file(lines) "new file, {lines} lines" "新文件，{lines} 行";
    lines(added, removed) "+{added} −{removed} lines" "+{added} −{removed} 行";
    /// A file is made that is no text.
    new_unshown(bytes)
        "new file that cannot be shown; {bytes} bytes afterwards"
        "新文件，内容无法显示；修改后 {bytes} 字节";
    /// A file is replaced and one of the two is no text, or too large.
    replaced_unshown(bytes)
        "replaces a file that cannot be shown; {bytes} bytes afterwards"
        "替换一个文件，内容无法显示；修改后 {bytes} 字节";
    diff_cut() "the diff is too long to be shown at once" "差异太长，无法一次全部显示";
    // Opening a change whole.
    too_long_to_open(path, added, removed, bytes, lines)
        "the change of {path} is too long to be opened: +{added} −{removed} lines; at most {bytes} and {lines} lines are shown"
        "{path} 的改动太长，无法全部打开：+{added} −{removed} 行；最多显示 {bytes}、{lines} 行";
    nothing_to_open(path)
        "there is nothing to open: {path} is no text, or too large"
        "没有可以打开的内容：{path} 不是文本，或者太大";
    changed_since_asked(path)
        "{path} was changed after the question, which therefore means another change"
        "{path} 在提问之后有改动，所问的已不是现在的修改";
    no_such_change(id) "no change `{id}` waits for an answer" "没有等待回答的修改 `{id}`";
    allow_unseen_or_not() "Allow it unseen, or not at all." "可以不看全就允许，或不允许。";
    is_asked_anew()
        "Answer all the same: nothing is written then, and the change is asked about anew as it is now."
        "仍可回答：此时不会写入，运行时会按现在的内容重新询问。";
    marks_folders(marks)
        "{marks} stands for a folder of this machine; the file gets its real path"
        "{marks} 代表本机的文件夹，写入文件的是它的真实路径";
    moves(to) "moves it to {to}" "移动到 {to}";
    /// The file that moves, whose lines are shown.
    holds_lines(lines) "it holds {lines} lines" "内容共 {lines} 行";
    /// The file that moves is no text, or too large.
    holds_unshown(bytes)
        "what it holds cannot be shown; {bytes} bytes"
        "内容无法显示；{bytes} 字节";
    /// The folder that moves.
    holds_files(files) "{files} files, as listed" "{files} 个文件，见列表";
    /// A folder with one file.
    holds_one_file() "1 file, as listed" "1 个文件，见列表";
    deletes_empty_folder() "deletes an empty folder" "删除一个空文件夹";
    /// With the names of all files.
    deletes_files(files, bytes, names)
        "deletes {files} files, {bytes} bytes: {names}"
        "删除 {files} 个文件，共 {bytes} 字节：{names}";
    /// The one that is named beside it.
    deletes_the_file(bytes) "deletes the file, {bytes} bytes" "删除这个文件，{bytes} 字节";
    /// In the folder that is named beside it.
    deletes_one_file(bytes, name)
        "deletes 1 file, {bytes} bytes: {name}"
        "删除 1 个文件，共 {bytes} 字节：{name}";
    /// Their names are the lines of the diff.
    deletes_listed_files(files, bytes)
        "deletes {files} files, {bytes} bytes, as listed"
        "删除 {files} 个文件，共 {bytes} 字节，见列表";
    /// With the names of some files, as an earlier version said it.
    deletes_more_files(files, bytes, names, more)
        "deletes {files} file(s), {bytes} bytes: {names} and {more} more"
        "删除 {files} 个文件，共 {bytes} 字节：{names}，以及另外 {more} 个";
    node_moved(from, to) "currentNodeId {from} → {to}" "当前步骤 {from} → {to}";
    /// The current node is one for the first time.
    node_entered(to) "currentNodeId (start) → {to}" "当前步骤（起点）→ {to}";
    /// The run is at its beginning again.
    node_reset(from) "currentNodeId {from} → (start)" "当前步骤 {from} →（起点）";
    steps(steps) "stepsCompleted {steps}" "已完成步骤 {steps}";
    artifact(change) "{change} artifact" "产物 {change}";
    artifacts(change) "{change} artifacts" "产物 {change}";
    /// Other artifacts, as many as before.
    artifacts_changed() "artifacts changed" "产物有变化";
    decision(change) "{change} decision" "决策记录 {change}";
    decisions(change) "{change} decisions" "决策记录 {change}";
    /// Other logged decisions, as many as before.
    decisions_changed() "decisions changed" "决策记录有变化";
    /// A member of the front matter has another value.
    member_changed(name, from, to) "{name} {from} → {to}" "{name}：{from} → {to}";
    member_set(name, to) "{name} = {to}" "{name} 设为 {to}";
    member_removed(name) "{name} removed" "{name} 已移除";
    /// The text below the front matter is another.
    text_changed() "text changed" "正文有修改";
    /// Nothing that means something.
    layout_only() "only updatedAt or layout changed" "仅 updatedAt 或排版有变化";
    no_change() "no change" "没有变化";

    // The files of a rewind.
    goes_back(path) "{path} goes back" "{path} 将恢复为当时的内容";
    goes_back_over_others(path)
        "{path} goes back, although someone else changed it"
        "{path} 将恢复为当时的内容，尽管之后有人改过它";
    is_removed(path) "{path} is removed" "{path} 将被移除";
    is_removed_over_others(path)
        "{path} is removed, although someone else changed it"
        "{path} 将被移除，尽管之后有人改过它";
    stays(path, why) "{path} stays: {why}" "{path} 保持不变：{why}";
    stays_changed() "someone else changed it" "之后有人改过它";
    stays_not_kept() "its content is not kept" "内容没有保留";
    stays_not_allowed() "it may not be written" "运行时不能写入它";
    stays_failed() "it cannot be written" "无法写入";

    // Below words that may say otherwise.
    not_changed_unconfirmed(path)
        "Nothing was changed in {path}: that needs your confirmation"
        "{path} 没有任何改动：此改动需要你的确认";
    not_changed_refused(path)
        "Nothing was changed in {path}: you did not allow it"
        "{path} 没有任何改动：你没有允许";
    not_changed(path)
        "Nothing was changed in {path}: the call was turned down"
        "{path} 没有任何改动：此调用未被执行";
    not_gone_back_unconfirmed()
        "Nothing was changed: going back needs your confirmation"
        "没有任何改动：返回之前的步骤需要你的确认";
    not_gone_back()
        "Nothing was changed: going back was turned down"
        "没有任何改动：没有返回之前的步骤";
}
