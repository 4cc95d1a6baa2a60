//! The store: projects, runs, conversations, journals, the database.

super::phrases! {
    being_made_ready(seconds)
        "another program has been making the store ready for more than {seconds} seconds"
        "另一个程序准备数据目录已超过 {seconds} 秒";
    // Things that can be written and read.
    the_conversation(id) "conversation {id}" "会话 {id}";
    the_messages_of(id) "the messages of conversation {id}" "会话 {id} 的消息";
    the_messages() "the messages" "消息";
    the_journal_of(id) "the journal of conversation {id}" "会话 {id} 的日志";
    the_line_of(seq, id) "line {seq} of conversation {id}" "会话 {id} 的第 {seq} 行";
    the_fold_of(id) "a fold of conversation {id}" "会话 {id} 的快照";
    the_answer_in(id) "an answer in conversation {id}" "会话 {id} 中的一个回答";
    the_deletion_of(id) "the deletion of conversation {id}" "删除会话 {id} 的操作";
    the_title_of(id) "the title of {id}" "{id} 的标题";
    the_titles() "the titles of conversations" "会话的标题";
    the_imported_conversation(id) "the imported conversation {id}" "导入的会话 {id}";
    the_run(id) "run {id}" "运行 {id}";
    the_project(id) "project {id}" "项目 {id}";
    the_package(id) "package {id}" "流程包 {id}";
    the_list_of(what) "the list of {what}" "列表（{what}）";
    the_removed_runs() "the list of removed runs" "已删除运行的列表";
    the_search_index() "the search index" "搜索索引";
    the_lease_of(id) "the lease of conversation {id}" "会话 {id} 的占用记录";
    the_wish_to_stop() "the wish to stop" "停止的请求";
    not_stopped_yet(busy)
        "{busy}; it was asked to stop and has not yet"
        "{busy}；已请求它停止，但尚未停止";
    wait_or_end_it()
        "Wait, or end that process: the run is kept."
        "请等待，或结束那个进程：运行会保留。";
    the_lease() "a lease" "占用记录";
    the_end_of_a_lease() "the end of a lease" "占用记录的解除";
    the_change() "the change" "这次修改";
    the_draft() "what is being written" "正在填写的内容";
    draft_too_large(size, limit)
        "a draft of {size} is not kept: the limit is {limit}"
        "正在填写的内容有 {size}，超过了上限 {limit}，没有保留";
    draft_elsewhere()
        "Send it, or put it into a file of the project."
        "请发送它，或把它放进项目的文件里。";
    the_database() "the database" "数据库";
    the_left_over() "what an earlier session left" "上一次会话遗留的内容";
    the_stores_folder() "the store's folder" "数据文件夹";

    not_written(what) "{what} could not be written to the store" "无法把{what}写入数据文件";
    not_read(what) "{what} could not be read from the store" "无法从数据文件读取{what}";
    not_opened() "the store could not be opened" "无法打开数据文件";

    // Why, in SQLite's numbers.
    sql_numbered(why, number) "{why} (SQLite {number})" "{why}（SQLite {number}）";
    sql_disk_full() "the disk is full" "磁盘已满";
    sql_read_only() "it is read only" "它是只读的";
    sql_make_writable() "Make the store's folder writable, then try again." "请让数据文件夹可写，然后重试。";
    sql_denied() "permission denied" "没有权限";
    sql_give_access() "Give your account access to the store's folder." "请给你的账户访问数据文件夹的权限。";
    sql_cannot_open() "its database file cannot be opened" "它的数据库文件打不开";
    sql_check_folder() "Check that the store's folder is there and yours." "请检查数据文件夹是否存在、是否属于你。";
    sql_busy() "another program kept it busy for too long" "另一个程序占用它太久";
    sql_try_and_close()
        "Try again; close other copies of the program if it happens again."
        "请重试；如果再次发生，请关闭本程序的其他窗口。";
    sql_io() "the disk reported an error" "磁盘报告了错误";
    sql_check_disk()
        "Check the disk and its connection, then try again."
        "请检查磁盘及其连接，然后重试。";
    sql_damaged() "its database is damaged" "它的数据库已损坏";
    sql_restart()
        "Restart the program: what can be read is saved then."
        "请重新启动程序：能读出的内容会被保存下来。";
    sql_constraint() "an entry does not fit those already there" "有一条记录与已有的不相容";
    sql_refresh() "Refresh the list and try again." "请刷新列表后重试。";
    sql_too_large() "an entry is too large" "有一条记录太大";
    sql_less_text() "Try again with less text." "请减少文字后重试。";
    sql_unexpected() "an unexpected database error" "意外的数据库错误";
    sql_try_and_restart()
        "Try again; restart the program if it happens again."
        "请重试；如果再次发生，请重新启动程序。";
    sql_no_entry() "there is no such entry" "没有这条记录";
    sql_unknown_shape()
        "an entry has a shape this program does not know"
        "有一条记录的格式本程序不认识";
    folder_action()
        "Make the folder writable, or choose another one with --store or CREWAGENT_STORE."
        "请让这个文件夹可写，或用 --store 或 CREWAGENT_STORE 选择另一个。";

    // Opening.
    damaged_and_in_use()
        "the store is damaged and another program has it open, so it cannot be repaired now"
        "数据文件已损坏，但另一个程序正打开着它，现在无法修复";
    close_the_others()
        "Close the other copies of the program, then start it again."
        "请关闭本程序的其他窗口，然后重新启动。";
    damaged_not_saved() "the damaged store could not be saved" "无法保存损坏的数据文件";
    free_and_start()
        "Free some space and start the program again."
        "请腾出一些空间，然后重新启动程序。";
    was_damaged(runs, lines)
        "the store was damaged: {runs} runs with {lines} lines were saved; what came after a damaged place in a run is missing"
        "数据文件曾损坏：已保存 {runs} 个运行，共 {lines} 行；运行中损坏处之后的内容已丢失";
    damaged_kept_as(name)
        "The damaged file is kept as {name} in the store's folder."
        "损坏的文件以 {name} 保留在数据文件夹中。";
    no_fresh_store()
        "a fresh store could not be made: the disk does not keep what is written"
        "无法建立新的数据文件：磁盘没有保留写入的内容";
    check_disk_or_store()
        "Check the disk, or use another store with --store."
        "请检查磁盘，或用 --store 使用另一个数据文件夹。";
    no_wal()
        "the store could not be opened: its disk does not allow a write-ahead log"
        "无法打开数据文件：它所在的磁盘不支持预写日志";
    use_local_disk()
        "Put the store on a local disk; CREWAGENT_STORE names its folder."
        "请把数据文件放到本地磁盘；环境变量 CREWAGENT_STORE 指定它的文件夹。";
    too_new(found, known)
        "the store has format {found}; this program knows formats up to {known}"
        "数据文件的格式是 {found}，本程序只认识到 {known}";
    not_migrated()
        "the store could not be brought to this program's format"
        "无法把数据文件转换成本程序的格式";
    install_again() "Install the program again." "请重新安装程序。";
    closing() "the store could not be read: the program is closing" "无法读取数据：程序正在关闭";
    start_again() "Start the program again." "请重新启动程序。";
    stopped_writing() "the store has stopped writing" "数据文件已停止写入";
    restart_nothing_lost()
        "Restart the program; nothing that was confirmed is lost."
        "请重新启动程序；已确认的内容不会丢失。";

    // What is asked for is not there, or is somebody else's.
    place_unknown()
        "the place in the list of conversations is not one this program has given out"
        "会话列表中的这个位置不是本程序给出的";
    read_from_beginning() "Read the list from its beginning." "请从头读取列表。";
    no_conversation(id) "there is no conversation {id} in the store" "没有会话 {id}";
    no_project(id) "there is no project {id}" "没有项目 {id}";
    open_folder_again() "Open the project's folder again." "请重新打开项目的文件夹。";
    project_not_listed(id) "there is no project {id} in the list" "列表中没有项目 {id}";
    no_package(id) "package {id} is not installed" "流程包 {id} 没有安装";
    import_the_package() "Import the package." "请导入这个流程包。";
    no_run(id) "there is no run {id}" "没有运行 {id}";
    list_the_runs() "List the runs to see which there are." "请列出运行，看看有哪些。";
    conversation_busy(id, holder, pid, since)
        "conversation {id} is being worked on by the {holder} (process {pid}) since {since}"
        "会话 {id} 自 {since} 起由 {holder} 占用（进程 {pid}）";
    close_it_there()
        "Close it there first, or wait until it is done."
        "请先在那里关闭它，或等它结束。";

    // Journals.
    line_says_nothing() "says nothing" "没有内容";
    line_not_json(why) "cannot be written as JSON: {why}" "无法写成 JSON：{why}";
    line_wrong(line, why) "{line} {why}" "{line}{why}";
    line_behind(line, expected)
        "{line} was not written: the journal goes on with {expected}"
        "{line}没有写入：日志应从第 {expected} 行继续";
    open_run_again()
        "Open the run again: another program may have continued it."
        "请重新打开这个运行：它可能已被另一个程序继续。";
    line_unreadable(seq, id, why)
        "line {seq} of conversation {id} cannot be read: {why}"
        "无法读取会话 {id} 的第 {seq} 行：{why}";
    line_format(format, known)
        "it has format {format}, this program knows up to {known}"
        "它的格式是 {format}，本程序只认识到 {known}";
    line_missing() "it is missing" "它不见了";
    journal_no_import()
        "an imported journal must begin with `conversation_imported`"
        "导入的日志必须以 `conversation_imported` 开始";
    line_of_another() "its content is not that of this line" "它的内容不属于这一行";
    start_a_new_run()
        "Start a new run; the earlier messages can still be read."
        "请开始一个新的运行；之前的消息仍然可以读。";
    sizes_not_counted() "the sizes could not be counted" "无法统计占用空间";
    pruning_ended() "the pruning ended early" "清理提前结束了";
}
