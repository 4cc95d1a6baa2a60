//! What many subjects say: the disk, what happened to which thing, faults of the program.

super::phrases! {
    /// What happened to a thing, or why it did.
    about(thing, why) "{thing}: {why}" "{thing}：{why}";
    /// What another program or a system says, in its one language.
    in_its_words(why) "{why}" "原文：{why}";
    ended_early() "a task of the runtime ended early" "运行时的一个任务提前结束了";
    report_defect() "Report this: it is a defect of the program." "请报告此问题：这是程序的缺陷。";
    window_malformed(why)
        "the window asked for something malformed: {why}"
        "窗口发出的请求格式不对：{why}";
    reload_window()
        "Reload the window (Ctrl+R). If it happens again, please report it."
        "请重新加载窗口（Ctrl+R）。如果再次发生，请报告此问题。";
    refresh_the_list() "Refresh the list." "请刷新列表。";
    update_the_program() "Update the program." "请更新程序。";
    free_some_space() "Free some space, then try again." "请腾出一些空间，然后重试。";
    one_of(names) "Use one of {names}." "请使用其中之一：{names}。";

    disk_not_found() "not found" "不存在";
    disk_permission_denied() "permission denied" "没有权限";
    disk_read_only() "the disk is read only" "磁盘是只读的";
    disk_full() "the disk is full" "磁盘已满";
    disk_already_exists() "already exists" "已经存在";
    disk_is_a_folder() "is a folder" "是一个文件夹";
    disk_is_no_folder() "is not a folder" "不是文件夹";
    /// What the system says itself.
    disk_other(words) "{words}" "系统报告：{words}";
}
