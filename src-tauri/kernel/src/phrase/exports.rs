//! Exported conversations and runs, and their replay.

super::phrases! {
    the_export() "writing the export" "写入导出文件";
    export_ended() "the export ended early" "导出提前结束了";
    free_or_elsewhere()
        "Free some space or choose another place, then export again."
        "请腾出一些空间或选择另一个位置，然后重新导出。";
    not_packed() "the export cannot be packed" "无法打包导出内容";
    exists(name) "`{name}` exists already" "`{name}` 已经存在";
    other_name_or_force()
        "Choose another name, or pass --force to replace it."
        "请换一个名称，或加 --force 替换它。";
    export_part(why) "a part of the export: {why}" "导出内容的一部分：{why}";
    no_run_in_journal() "the journal does not begin with a run" "日志不是以运行开始的";
    holds(entry, line, what)
        "{entry}, line {line}, holds {what}; nothing was exported"
        "{entry} 第 {line} 行含有{what}；没有导出任何内容";
    a_key() "an API key" "API 密钥";
    the_runs_file(name) "the run's file `{name}`" "运行的文件 `{name}`";
    over_export_limit(limit, max, found)
        "the export is over the limit `{limit}` of {max}: {found}"
        "导出内容超出上限 `{limit}`（{max}）：{found}";
    free_temp()
        "Free space in the system's temporary folder, then try again."
        "请在系统的临时文件夹中腾出空间，然后重试。";

    // What was exported is read again.
    not_usable(why) "the exported run cannot be used: {why}" "无法使用导出的运行：{why}";
    the_exported_run(name) "the exported run `{name}`" "导出的运行 `{name}`";
    choose_exported()
        "Choose a file made by `crewagent runs export`."
        "请选择由 `crewagent runs export` 生成的文件。";
    run_entry_unsafe(entry, why)
        "the exported run's entry `{entry}`: {why}"
        "导出的运行中的 `{entry}`：{why}";
    run_over_limit(limit, max)
        "the exported run is over the limit `{limit}` of {max}"
        "导出的运行超出上限 `{limit}`（{max}）";
    run_over_limit_at(limit, max, entry)
        "the exported run is over the limit `{limit}` of {max} at `{entry}`"
        "导出的运行在 `{entry}` 处超出上限 `{limit}`（{max}）";
    entry_missing(name) "`{name}` is missing" "缺少 `{name}`";
    journal_not_utf8() "journal.jsonl is not UTF-8 text" "journal.jsonl 不是 UTF-8 文本";
    header_broken(why) "crewrun.json: {why}" "crewrun.json：{why}";
    header_says_not() "crewrun.json does not say that it is one" "crewrun.json 没有说明它是导出的运行";
    header_no_version() "crewrun.json has no version this program knows" "crewrun.json 没有本程序认识的版本";
    run_format(version, known)
        "the exported run has format {version}, this program knows up to {known}"
        "导出的运行的格式是 {version}，本程序只认识到 {known}";
    journal_lines(has, should) "journal.jsonl has {has} of {should} lines" "journal.jsonl 应有 {should} 行，只有 {has} 行";
    journal_order(line)
        "line {line} of journal.jsonl does not follow the one before"
        "journal.jsonl 的第 {line} 行与前一行不连续";
    journal_empty() "journal.jsonl is empty" "journal.jsonl 是空的";
    journal_format(line, format, known)
        "line {line} of journal.jsonl has format {format}, this program knows up to {known}"
        "journal.jsonl 第 {line} 行的格式是 {format}，本程序只认识到 {known}";
    journal_unreadable(line, why)
        "line {line} of journal.jsonl cannot be read: {why}"
        "无法读取 journal.jsonl 的第 {line} 行：{why}";
    update_or_export()
        "Update the program; if it is the newest, export again."
        "请更新程序；如果已是最新版本，请重新导出。";
    package_of_another() "the package in it is not the one of the run" "其中的流程包不是这个运行的";
    its_artifacts_folder(why) "the artifacts folder: {why}" "产物文件夹：{why}";
    the_scratch_folder() "the scratch folder of the replay" "重放用的临时文件夹";

    // Why a replay took something from the record.
    not_made_here()
        "the file or folder held what this run did not make"
        "文件或文件夹中有不是这个运行写的内容";
    changed_by_others() "someone else changed the file" "别人修改了这个文件";
    never_found_out() "nobody could find out whether it had happened" "无法得知它是否发生过";
    holds_folders()
        "the file names folders of the machine it was written on"
        "文件中写有当时那台机器的文件夹";
    disk_refused() "the disk refused it then" "当时磁盘拒绝了它";
    outside_files() "it reached outside this machine's files" "它涉及本机文件之外的内容";
    other_context() "model.contextTokens was another one then" "当时的 model.contextTokens 不同";
    lost_edit()
        "the refused text of a person's edit is not in the export"
        "导出中没有被拒绝的那次人工修改";
    taken_over()
        "it was taken over from another program's store"
        "它是从另一个程序的数据导入的";
    other_limit() "engine.maxTurns was another one then" "当时的 engine.maxTurns 不同";
}
