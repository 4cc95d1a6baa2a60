//! The terminal: its command line, and what its commands print.

super::phrases! {
    // The command line.
    another_answer() "another answer than the one asked for" "得到的不是所问的内容";
    terminal_lost() "the terminal was lost" "终端断开了";
    the_terminal() "the terminal" "终端";
    stdin_lost() "stdin was lost" "标准输入断开了";
    the_folder() "the folder" "文件夹";
    no_id_came_back() "the command came back without its id" "命令返回时没有编号";
    settings_lost() "the settings were lost" "设置丢失了";
    see_help() "See `crewagent --help`." "请看 `crewagent --help`。";
    no_command(name) "there is no command `{name}`" "没有命令 `{name}`";
    no_option(name) "there is no option `{name}`" "没有选项 `{name}`";
    missing_arguments(names) "required arguments are missing: {names}" "缺少必需的参数：{names}";
    missing_command(names) "a command is missing; there are: {names}" "缺少命令；有：{names}";
    wrong_value(name, value) "`{value}` is no value of {name}" "`{value}` 不是 {name} 可用的值";
    wrong_value_of(name, value, known)
        "`{value}` is no value of {name}; it may be: {known}"
        "`{value}` 不是 {name} 可用的值；可以是：{known}";
    value_missing(name) "{name} needs a value" "{name} 需要一个值";
    given_twice(name) "{name} is given more than once" "{name} 给了不止一次";
    not_together(name, other) "{name} cannot be used together with {other}" "{name} 不能与 {other} 一起使用";
    wrong_command_line(why) "the command line: {why}" "命令行：{why}";
    no_home_for_store() "there is no home folder to put the store into" "没有主文件夹可以存放数据";
    pass_store() "Pass --store DIR or set CREWAGENT_STORE." "请用 --store 指定文件夹，或设置 CREWAGENT_STORE。";
    no_endpoint_named()
        "no endpoint is named: --model needs --base-url, or the name `demo`"
        "没有指定服务器：--model 需要 --base-url，或名称 `demo`";
    pass_base_url()
        "Pass --base-url URL too, or set the endpoint with `crewagent settings set`."
        "请同时给出 --base-url，或用 `crewagent settings set` 设置服务器。";
    no_such_package(name)
        "no installed package, file or folder is called `{name}`"
        "没有叫做 `{name}` 的已安装流程包、文件或文件夹";
    see_package_list()
        "See `crewagent package list`, or name a .bmad file."
        "请看 `crewagent package list`，或指定一个 .bmad 文件。";
    the_file() "the file" "这个文件";
    see_conversations_list() "See `crewagent conversations list`." "请看 `crewagent conversations list`。";
    nobody_confirms() "nobody is there to confirm the deletion" "没有人可以确认删除";
    say_yes_to_delete() "Say --yes to delete without a question." "要不经询问就删除，请加 --yes。";
    name_a_trace()
        "Name a trace file, a package folder or file that carries one, or a bundled package."
        "请指定演示脚本文件、含有它的流程包文件夹或文件，或内置的流程包。";
    not_replayable()
        "the exported run cannot be replayed: it is damaged"
        "无法重放导出的运行：它已损坏";

    // Answers.
    longer_than(size) "it is longer than {size}" "它超过 {size}";
    answers_file(why) "--answers: {why}" "--answers：{why}";
    write_a_list(shape) "Write a list of plain texts and of {shape}." "请写成列表：纯文字，或 {shape}。";
    correct_answers()
        "Correct the file; the run waits, `crewagent runs resume` goes on."
        "请更正文件；运行在等待，用 `crewagent runs resume` 继续。";
    answer_for_none(widget)
        "the next answer is for the widget `{widget}`, and none waits"
        "下一个回答是给问题 `{widget}` 的，但没有问题在等待";
    answer_for_another(waits, widget)
        "the widget `{waits}` waits, the next answer is for `{widget}`"
        "等待的是问题 `{waits}`，下一个回答是给 `{widget}` 的";
    answer_of_another_type(widget, kind)
        "the widget `{widget}` is a {kind}, the next answer is for another type"
        "问题 `{widget}` 的类型是 {kind}，下一个回答是另一种类型";
    value_not_json(why) "--value is not JSON: {why}" "--value 不是 JSON：{why}";
    quote_the_value()
        "Write a text in quotes inside the shell's quotes: --value '\"a\"'."
        "请在命令行的引号内再给文字加引号：--value '\"a\"'。";
    no_widget_waits() "no widget waits" "没有问题在等待";
    no_such_widget_waits(widget) "no widget `{widget}` waits" "没有问题 `{widget}` 在等待";
    that_one_waits(widget)
        "The widget `{widget}` waits; answer that one."
        "等待的是问题 `{widget}`；请回答它。";
    nothing_is_asked()
        "Nothing is asked now; see `crewagent runs show`, or use `crewagent say`."
        "现在没有提问；请看 `crewagent runs show`，或用 `crewagent say`。";
    revoke_wrong(folder, why) "--revoke {folder}: {why}" "--revoke {folder}：{why}";
    name_the_folder()
        "Name the folder as `runs approvals` lists it, such as @project/docs."
        "请按 `runs approvals` 列出的写法指定文件夹，例如 @project/docs。";
    no_approval_for(folder) "no approval is in force for {folder}" "{folder} 没有生效的授权";

    // `doctor`.
    check_version() "version" "版本";
    check_store() "store" "数据文件";
    check_data() "data" "占用空间";
    check_packages() "packages" "流程包";
    check_logs() "logs" "日志";
    check_model() "model" "模型";
    check_api_key() "api key" "API 密钥";
    found_as_is(what) "{what}" "{what}";
    found_opened() "opened" "已打开";
    found_none() "none" "无";
    found_data(rows, files, projects)
        "{rows} in the database, {files} in {projects} projects"
        "数据库 {rows}，{projects} 个项目中的文件 {files}";
    found_installed(count) "{count} installed" "已安装 {count} 个";
    key_in_keychain() "keychain" "系统钥匙串";
    key_in_environment() "environment" "环境变量";
    key_in_file() "file" "文件";
    key_of_another_server() "kept for another server" "属于另一台服务器";
    read_the_notice()
        "Read the notice; the files of your projects are not touched."
        "请阅读这条提示；项目里的文件没有受影响。";
    set_an_endpoint()
        "Set an endpoint in Settings, or pass --base-url and --model."
        "请在设置中填写服务器，或给出 --base-url 和 --model。";
    store_a_key()
        "Store a key in Settings, or set CREWAGENT_API_KEY."
        "请在设置中保存密钥，或设置 CREWAGENT_API_KEY。";

    // `doctor --sizes`.
    size_of_all(database, packages, logs)
        "database {database}, packages {packages}, logs {logs}"
        "数据库 {database}，流程包 {packages}，日志 {logs}";
    size_of_project(name, rows, files, checkpoints, conversations, messages)
        "{name}: {rows} rows, {files} files ({checkpoints} checkpoints); {conversations} conversations, {messages} messages"
        "{name}：数据 {rows}，文件 {files}（其中检查点 {checkpoints}）；{conversations} 个会话，{messages} 条消息";

    // `doctor --policy`.
    policy_system(limits, approval, unbound)
        "system: {limits}, {approval}, unbound confirmations {unbound}"
        "系统：{limits}，{approval}，未绑定的确认{unbound}";
    policy_agent(package, agent, limits, approval)
        "{package} {agent}: {limits}, {approval}"
        "{package} {agent}：{limits}，{approval}";
    policy_limits(files, read, write, secrets)
        "files {files}, read {read} B, write {write} B, secrets {secrets}"
        "文件{files}，读取 {read} B，写入 {write} B，密钥文件{secrets}";
    switched_on() "on" "开启";
    switched_off() "off" "关闭";
    unbound_allowed() "allowed" "允许";
    unbound_refused() "refused" "拒绝";
    writes_auto() "writes without asking" "写入时不询问";
    writes_ask() "every write asks" "每次写入都询问";
    writes_ask_outside()
        "writes outside the outputs and the artifacts folder ask"
        "写入声明的产出和产物文件夹之外时询问";

    // Lists.
    more_before(seq) "  more: --before {seq}" "  更多：--before {seq}";
    more_after(place) "  more: --after {place}" "  更多：--after {place}";
    still_indexing()
        "  some messages are still being indexed: search again in a moment"
        "  有些消息还在建立索引：请稍后再搜索";
    deleted(what) "deleted {what}" "已删除 {what}";
    forgotten(what) "forgotten {what}" "已从列表中移除 {what}";
    removed(what) "removed {what}" "已移除 {what}";
    installed(what) "installed {what}" "已安装 {what}";
}
