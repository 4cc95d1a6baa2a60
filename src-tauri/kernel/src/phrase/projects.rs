//! Projects, runs, and looking at them: folders, watches, the log.

super::phrases! {
    the_project_folder() "the project folder" "项目文件夹";
    projects_busy() "another process is opening a project" "另一个进程正在打开项目";
    choose_usable_folder()
        "Choose a folder that exists and may be read and written."
        "请选择一个存在且可以读写的文件夹。";
    folder_of_own_data()
        "the folder belongs to this program's own data"
        "这个文件夹属于本程序自己的数据";
    choose_a_folder_of_yours()
        "Choose a folder with your own files."
        "请选择存放自己文件的文件夹。";
    allow_artifacts()
        "Allow writing to the project folder, or correct artifactsDir in its .crewagent.json."
        "请允许写入项目文件夹，或更正其中 .crewagent.json 的 artifactsDir。";
    make_writable_once()
        "The folder needs to be writable once, so that the project file can be made. Choose another folder or change its permissions."
        "这个文件夹需要可写一次，以便建立项目文件。请选择另一个文件夹，或修改它的权限。";
    key_of_file(file, key) "{file}, key `{key}`" "{file} 的 `{key}`";
    /// Also the way out without losing the project's runs, which its id leads to.
    correct_project_key()
        "Correct or remove it in a text editor, then open the folder again."
        "请用文本编辑器更正或删除它，然后重新打开文件夹。";
    correct_project_file()
        "Correct the file in a text editor, or delete it to start afresh."
        "请用文本编辑器更正这个文件，或删除它重新开始。";
    larger_than(size) "it is larger than {size}" "它超过 {size}";
    must_be_an_object() "it must hold a JSON object" "其中必须是一个 JSON 对象";
    not_valid_json(why) "it is not valid JSON: {why}" "它不是有效的 JSON：{why}";
    must_be_a_text() "it must be a text" "它必须是文字";
    must_name_a_folder() "it must name a folder below the project" "它必须是项目内的一个文件夹";
    no_dot_folder()
        "it must not name a folder that begins with a dot: other programs read those"
        "它不能是以点开头的文件夹：其他程序会读取这类文件夹";
    is_it_artifacts_dir() "there is no such key; `artifactsDir` is one" "没有这个键；有的是 `artifactsDir`";
    no_setting_of_a_project()
        "a project sets nothing of the kind: the program's settings do"
        "项目不能设置这一项：请在程序的设置中修改";
    no_home_folder() "there is no home folder to put the demo project into" "没有主文件夹可以存放演示项目";
    no_free_demo_folder() "no free folder for the demo project" "没有可用的文件夹存放演示项目";

    // Folders that were moved or copied.
    known_elsewhere(name)
        "the project `{name}` is known in another folder that is there"
        "项目“{name}”原来的文件夹还在";
    known_before(name)
        "the project `{name}` was last opened in another folder, and is not found there now"
        "项目“{name}”上次在另一个文件夹中打开，现在在那里找不到它";
    copy_or_moved()
        "A copy with a project id of its own: `crewagent projects open DIR --as copy`. The project itself, moved with its runs: `crewagent projects open DIR --as moved`."
        "副本，使用新的项目编号：`crewagent projects open DIR --as copy`。项目本身，连同运行移到了这里：`crewagent projects open DIR --as moved`。";
    belongs_to_another(name, other)
        "the folder belongs to the project `{other}`, not to `{name}`"
        "这个文件夹属于项目“{other}”，不属于“{name}”";
    belongs_to_none(name)
        "the folder belongs to no project, so not to `{name}`"
        "这个文件夹不属于任何项目，也不属于“{name}”";
    adopt_folder(id)
        "Name the folder the project was moved to. To use this one all the same: `crewagent projects rebind {id} DIR --adopt`."
        "请指定项目移动后的文件夹。仍要使用这个文件夹：`crewagent projects rebind {id} DIR --adopt`。";
    open_as_what_it_is()
        "Name the folder the project was moved to, or open this one as what it is: `crewagent projects open DIR`."
        "请指定项目移动后的文件夹，或按它本来的项目打开：`crewagent projects open DIR`。";
    see_projects() "See `crewagent projects list`." "请查看 `crewagent projects list`。";
    writable_then_open()
        "Allow writing to the project folder, then open it again."
        "请允许写入项目文件夹，然后重新打开。";
    no_word_about_a_project() "no word about a project" "这不是关于项目的指令";

    folder_not_opened(folder, why)
        "the folder {folder} cannot be opened: {why}"
        "无法打开文件夹 {folder}：{why}";
    choose_again()
        "Choose the folder again, or put it back where it was."
        "请重新选择这个文件夹，或把它放回原处。";
    run_folder_not_opened(why)
        "the folder of the run cannot be opened: {why}"
        "无法打开运行的文件夹：{why}";
    start_new_run() "Start a new run." "请开始一个新的运行。";

    // Runs.
    name_a_workflow(package, count) "{package} has {count} workflows; name one" "{package} 有 {count} 个工作流，请指定一个";
    workflow_called_otherwise(package, workflow)
        "the workflow of {package} is not called `{workflow}`"
        "{package} 的工作流不叫 `{workflow}`";
    no_workflow(package, workflow) "{package} has no workflow `{workflow}`" "{package} 没有工作流 `{workflow}`";
    no_agent(package, agent) "{package} has no agent `{agent}`" "{package} 没有智能体 `{agent}`";
    choose_one_of(names) "Choose one of: {names}." "请选择其中之一：{names}。";
    state_of_new_run() "the state folder of the new run" "新运行的状态文件夹";
    state_of_run() "the state folder of the run" "运行的状态文件夹";
    free_and_start_again()
        "Free disk space or allow writing to the store, then start again."
        "请腾出磁盘空间或允许写入数据文件夹，然后重新开始。";
    no_run_to_go_on(id)
        "the conversation {id} has no run to go on with"
        "会话 {id} 没有可以继续的运行";
    only_readable()
        "It can be read. To go on, start a run of a package in its project."
        "它可以阅读。要继续，请在它的项目中开始一个流程包的运行。";
    must_begin_with_a_line() "a run must begin with a line" "运行必须以一行开始";
    must_have_a_manifest() "an installed package must have a manifest" "已安装的流程包必须有清单";
    no_word_to_a_run() "no word to a run" "这不是给运行的指令";
    task_has_ended() "the conversation's task has ended" "会话的任务已经结束";
    nothing_to_watch()
        "only projects, packages, the log and the program have words for this"
        "只有项目、流程包、日志和程序本身可以这样观察";

    // Watching and the log.
    the_watched_package() "the package" "流程包";
    watches_limited()
        "the system allows no more folders to be watched; changes of files are looked for every few seconds, and not in every folder of a large project"
        "系统不允许再监视更多文件夹；每隔几秒查看一次文件的变化，大项目中不是每个文件夹都会查看";
    raise_watch_limit()
        "Raise the limit (Linux: fs.inotify.max_user_watches), or list large folders in .gitignore."
        "请提高上限（Linux：fs.inotify.max_user_watches），或把大文件夹写进 .gitignore。";
    cannot_be_watched(what, why) "{what} cannot be watched: {why}" "无法监视 {what}：{why}";
    watch_not_there() "it is not there" "它不存在";
    watch_refused() "the system refuses it" "系统拒绝了";
    changes_seen_later()
        "Changes made outside are seen when the list is opened again."
        "在外部做的修改会在重新打开列表时显示。";
    the_log_folder() "the log folder" "日志文件夹";
    the_stores_log_folder(why) "the log folder of the store: {why}" "数据文件夹中的日志文件夹：{why}";
    cannot_be_written() "it cannot be written" "无法写入";
    writable_or_store()
        "Make the store's folder writable, or choose another one with --store."
        "请让数据文件夹可写，或用 --store 选择另一个。";
}
