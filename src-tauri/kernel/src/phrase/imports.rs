//! What is found in the store of an Electron runtime.

super::phrases! {
    // The store as a whole.
    source_unreadable(why) "the chosen folder cannot be read: {why}" "无法读取所选的文件夹：{why}";
    source_is_ours()
        "the chosen folder is a store of this program, not of an Electron runtime"
        "所选的文件夹是本程序的数据文件夹，不是 Electron 版的";
    source_is_another()
        "the chosen folder holds none of the files of an Electron runtime's store"
        "所选的文件夹中没有 Electron 版的数据";
    choose_old_store()
        "Choose the old program's runtime-store folder, or the one above it."
        "请选择旧程序的 runtime-store 文件夹，或它的上一级。";
    the_state_folder_of_a_run() "the state folder of a run" "运行的状态文件夹";
    allow_and_import()
        "Free disk space or allow writing to the store, then import again."
        "请腾出磁盘空间或允许写入数据文件夹，然后重新导入。";

    // Files and folders.
    too_many_names() "the folder holds too many names" "文件夹中的名称太多";
    import_not_text() "it is not UTF-8 text" "它不是 UTF-8 文本";
    file_over(limit) "it has more than {limit} bytes" "它超过 {limit} 字节";
    json_cut() "it ends too early" "它中途结束了";
    json_no_array() "it is no JSON array" "它不是 JSON 数组";
    json_wrong() "it is not valid JSON" "它不是有效的 JSON";
    at_place(why, line, column) "{why} (line {line}, column {column})" "{why}（第 {line} 行第 {column} 列）";
    no_plain_file(name)
        "{name} is a link or another thing that is no plain file"
        "{name} 是链接，或不是普通文件";
    no_plain_folder()
        "a link or another thing that is no folder stands there"
        "那里是链接，或不是文件夹";
    folder_is_no_id() "the name of the folder is no id" "文件夹的名称不能作为编号";
    no_list() "it is no list" "它不是列表";
    no_list_nor_map() "it is neither a list nor a map" "它既不是列表，也不是键值映射";
    no_object() "it is no JSON object" "它不是 JSON 对象";
    only_state_and_logs()
        "only the state document and the logs of a run are taken over"
        "运行中只导入状态文档和日志";
    name_unusable() "its name cannot be used on every system" "它的名称不是在所有系统上都能用";
    folders_too_deep() "folders lie too deep in each other" "文件夹嵌套太深";
    special_file() "it is a link or a special file" "它是链接或特殊文件";

    // Entries of the lists.
    entry_without(entry, name) "the entry {entry} has no `{name}`" "条目 {entry} 没有 `{name}`";
    entry_unsafe_id(name, entry)
        "the `{name}` of the entry {entry} cannot name a file"
        "条目 {entry} 的 `{name}` 不能用作文件名";
    entry_no_object(entry) "the entry {entry} is not a JSON object" "条目 {entry} 不是 JSON 对象";
    package_unsafe_id()
        "the id of a registered package cannot name a file"
        "登记的流程包的编号不能用作文件名";
    package_without_folder()
        "the package is registered, but its folder is missing"
        "流程包已登记，但它的文件夹不见了";
    package_twice() "the package is registered twice" "流程包登记了两次";
    package_no_object()
        "the entry is no object with a `packageId`"
        "条目不是含有 `packageId` 的对象";
    package_unlisted()
        "packages.json does not know the package; it was found on the disk"
        "packages.json 中没有这个流程包，它是在磁盘上找到的";
    project_twice() "the project is listed twice" "项目列出了两次";
    project_unlisted()
        "projects.json does not know the project, so its folder is not known either: open the folder again to bind it"
        "projects.json 中没有这个项目，所以也不知道它的文件夹：请重新打开文件夹来绑定";
    project_not_named()
        "its folder is not named, or not in full: open it again to bind it"
        "没有写明它的文件夹，或写得不完整：请重新打开它来绑定";
    project_gone()
        "its folder is not there any more: open it at its new place to bind it"
        "它的文件夹已不在那里：请在新位置打开它来绑定";

    // Runs.
    run_twice() "a run of this id was met before" "已经有一个同样编号的运行";
    run_already() "its conversation is here already, without it" "它的会话已在这里，但没有这个运行";
    run_no_state()
        "its state document, workflow.md, is missing"
        "缺少它的状态文档 workflow.md";
    run_no_package() "its package is not among the usable ones" "它的流程包不在可用的流程包之中";
    run_wrong_names()
        "its workflow or its agent has a name that is none"
        "它的工作流或智能体的名称不是有效的名称";
    run_phase()
        "its `phase` is none of the five: it waits for the person"
        "它的 `phase` 不是五种之一：按等待你处理";
    run_read_only(run, why)
        "the run {run} was taken over to be read only: {why}"
        "运行 {run} 只能阅读，不能继续：{why}";

    // Conversations and their messages.
    conversation_twice() "a conversation of this id was met before" "已经有一个同样编号的会话";
    conversation_without_folder()
        "the conversation is listed, but its folder is missing"
        "会话已列出，但它的文件夹不见了";
    conversation_empty()
        "it has no messages.json and is empty"
        "它没有 messages.json，是空的";
    conversation_unlisted()
        "conversations/index.json does not know it; it was found on the disk"
        "conversations/index.json 中没有它，它是在磁盘上找到的";
    messages_read(why, count) "{why}; {count} messages could be read" "{why}；能读出 {count} 条消息";
    nothing_read() "nothing of it could be read" "它的内容都无法读取";
    more_problems(count)
        "{count} more problems of this file are not listed"
        "这个文件还有 {count} 个问题没有列出";
    /// What was repaired, one after the other.
    repaired(what) "{what}" "{what}";
    message_role() "the `role` is none of the four" "`role` 不是四种之一";
    message_content() "the `content` is not a text" "`content` 不是文字";
    message_no_content() "a message of a person has no `content`" "用户的消息没有 `content`";
    message_no_id() "it has no id" "它没有编号";
    message_twice(message) "the message {message} has the id of an earlier one" "消息 {message} 的编号与之前的相同";
    message_widget() "its widget is none of the six: its words are shown" "它的控件不是六种之一：显示它的文字";
    message_no_call() "it names no call, so no model sees it again" "它没有指明调用，所以不会再给模型看";
    message_no_time() "`createdAt` is no time: the one before stands in" "`createdAt` 不是时间：用前一条的时间代替";
    message_older() "it is older than the one before: the order of the file holds" "它早于前一条：以文件中的顺序为准";
    message_new_id() "its `id` is missing or unsafe: it has a new one" "它的 `id` 缺少或不能使用：已换成新的";
    message_calls_no_list() "`tool_calls` is no list and was dropped" "`tool_calls` 不是列表，已略去";
    message_call_nameless(call) "the call {call} names no tool and was dropped" "调用 {call} 没有指明工具，已略去";
    message_call_new_id(call)
        "the id of call {call} was used before: it has a new one"
        "调用 {call} 的编号之前用过：已换成新的";
    message_part() "`partType` is none of the five and was inferred" "`partType` 不是五种之一，已推断出来";
    message_widget_no_object() "`widget` is no object and was dropped" "`widget` 不是对象，已略去";
    message_no_such_id(name) "`{name}` is no id and was dropped" "`{name}` 不是编号，已略去";
    message_no_output() "`fullOutputPath` is no alias path and was dropped" "`fullOutputPath` 不是别名路径，已略去";

    // Settings.
    setting_no_text() "it is no text" "它不是文字";
    setting_default_budget()
        "it was the default of every model; the server is asked instead"
        "它是所有模型的默认值；现在改为询问服务器";
    setting_no_theme() "there is no such theme here" "这里没有这个主题";
    setting_no_language() "there is no such language here" "这里没有这个语言";
    setting_group() "this group has no counterpart here" "这组设置在这里没有对应项";
    setting_unknown() "this field is not known here" "这里没有这个设置项";
    setting_custom() "it is called `custom` here" "这里称为 `custom`";
    setting_no_provider() "there is no such provider here" "这里没有这个服务商";
    setting_end_cut() "the end `/chat/completions` was taken off" "去掉了末尾的 `/chat/completions`";
    setting_v1() "the path `/v1` was added" "补上了路径 `/v1`";
    key_of_other_server()
        "it is for another server than the one that is set here"
        "它属于另一台服务器，不是这里设置的那台";
    keys_on_request() "keys are taken over only when you ask for it" "只有你要求时才会导入密钥";
}
