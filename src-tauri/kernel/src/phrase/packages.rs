//! Packages: archives, folders, installs, demos.

super::phrases! {
    cannot_be_used(why) "the package cannot be used: {why}" "这个流程包无法使用：{why}";
    no_usable_id() "it has no usable id" "它没有可用的编号";
    correct_findings()
        "Correct what the findings name, then import again."
        "请更正检查结果中列出的问题，然后重新导入。";
    the_package_called(name) "the package `{name}`" "流程包 `{name}`";
    the_packages_entry(name) "the package's `{name}`" "流程包中的 `{name}`";
    choose_a_package()
        "Choose a .bmad file, or a folder that holds bmad.json."
        "请选择一个 .bmad 文件，或含有 bmad.json 的文件夹。";
    check_the_folder() "Check that the folder exists and may be read." "请检查文件夹是否存在、是否可读。";
    no_demo(folder) "the package has no demo trace in {folder}" "流程包的 {folder} 中没有演示脚本";
    no_demo_for(workflow, folder)
        "the package has no demo trace for the workflow `{workflow}` in {folder}"
        "流程包的 {folder} 中没有工作流 `{workflow}` 的演示脚本";
    demo_or_model()
        "Choose a package with a demo, or connect a model."
        "请选择带演示的流程包，或连接模型。";

    // Archives.
    no_zip() "it is no whole Zip archive" "它不是完整的 Zip 压缩包";
    not_unpacked(what, why) "`{what}` cannot be unpacked: {why}" "无法解压 `{what}`：{why}";
    must_be_zip()
        "Download or export the package again; it must be a ZIP file."
        "请重新下载或导出流程包；它必须是 ZIP 文件。";
    entry_unsafe(entry, why) "the package entry `{entry}`: {why}" "流程包中的 `{entry}`：{why}";
    clean_package()
        "Ask the author for a clean package, or pack it again with `crewagent package pack`."
        "请向作者索取正确的流程包，或用 `crewagent package pack` 重新打包。";
    entry_same_name() "two entries have the same name" "有两个条目同名";
    entry_overlaps() "entries overlap in the archive" "归档中的条目互相重叠";
    entry_not_utf8() "the name is not UTF-8" "名称不是 UTF-8";
    entry_encrypted() "it is encrypted" "它是加密的";
    entry_link() "it is a link or another thing that is no file" "它是链接或其他不是文件的东西";
    entry_same_case()
        "another entry has the same name when upper and lower case are not told apart"
        "不区分大小写时，另一个条目与它同名";
    entry_backslash() "backslashes are not allowed" "不允许反斜杠";
    entry_relative() "it must be relative, without empty parts, `.` or `..`" "它必须是相对路径，不含空段、`.` 或 `..`";
    entry_not_plain() "it is not a plain relative path" "它不是普通的相对路径";
    over_limit(limit, max) "the package is over the limit `{limit}` of {max}" "流程包超出上限 `{limit}`（{max}）";
    over_limit_at(limit, max, entry)
        "the package is over the limit `{limit}` of {max} at `{entry}`"
        "流程包在 `{entry}` 处超出上限 `{limit}`（{max}）";
    leave_data_out()
        "A package holds instructions, not data; leave large files out."
        "流程包存放的是说明而不是数据；请不要放入大文件。";

    // Installed and bundled ones.
    installing(id) "installing {id}" "安装 {id}";
    removing(id) "removing {id}" "移除 {id}";
    free_and_import()
        "Free disk space or allow writing to the store, then import again."
        "请腾出磁盘空间或允许写入数据文件夹，然后重新导入。";
    not_installed(id) "the package {id} is not installed" "流程包 {id} 没有安装";
    import_it_again() "Import it again." "请重新导入它。";
    changed_since()
        "it changed after it was shown, so nothing was installed"
        "它在显示之后被改动过，因此没有安装任何内容";
    changed_meanwhile() "the package changed while it was being read" "流程包在读取过程中被改动";
    changed_on_disk(id) "the installed package {id} was changed on disk" "已安装的流程包 {id} 在磁盘上被修改过";
    id_taken(id)
        "a package with other content is installed as {id}, so nothing was installed"
        "已有内容不同的流程包以 {id} 安装，因此没有安装任何内容";
    remove_the_other()
        "Check where both come from. To trust the new one, remove the installed one first."
        "请核对两者的来源。若信任新的，请先移除已安装的那个。";
    import_replaces()
        "Import the package again; that replaces the damaged copy."
        "请重新导入这个流程包；损坏的副本会被替换。";
    the_packages_folder() "the store's packages folder" "数据文件夹中的流程包文件夹";
    no_bundled(name) "there is no bundled package `{name}`" "没有内置的流程包 `{name}`";
    writing(name) "writing `{name}`" "写入 `{name}`";
    choose_writable_folder() "Choose a folder that can be written." "请选择一个可以写入的文件夹。";

    // Runs that keep a package.
    used_by(package, runs) "the package `{package}` belongs to {runs}" "流程包 `{package}` 正被这些运行使用：{runs}";
    used_by_more(package, runs, count)
        "the package `{package}` belongs to {runs} and {count} more"
        "流程包 `{package}` 正被这些运行使用：{runs}，以及另外 {count} 次";
    delete_its_runs()
        "Delete the runs that use it with `crewagent runs delete RUN`, then remove it."
        "请先用 `crewagent runs delete RUN` 删除使用它的运行，再移除它。";
}
