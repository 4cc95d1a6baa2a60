//! What many subjects say: the disk, what happened to which thing, faults of the program.

super::phrases! {
    /// What happened to a thing, or why it did.
    about(thing, why) "{thing}: {why}" "{thing}：{why}";
    ended_early() "a task of the runtime ended early" "运行时的一个任务提前结束了";
    report_defect() "Report this: it is a defect of the program." "请报告此问题：这是程序的缺陷。";
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
