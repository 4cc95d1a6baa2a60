//! A run: what a person may do when, what ends a turn, the state document, questions.

super::phrases! {
    // A wish at the wrong time.
    has_a_run() "the conversation has a run already" "这个会话已经有一个运行";
    has_no_run() "the conversation has no run" "这个会话没有运行";
    nothing_to_send() "there is nothing to send" "没有可以发送的内容";
    input_too_long(size)
        "this is longer than {size}; it was not sent"
        "内容超过 {size}，没有发送";
    say_it_in_a_file()
        "Put it into a file of the project and name the file, or send less."
        "请把它放进项目的文件里并告诉模型文件名，或缩短内容。";
    own_model_already() "the run asks your own model already" "运行已经在使用你自己的模型";
    nothing_running() "nothing is running" "没有正在进行的运行";
    call_waits() "a call waits for your approval" "有一个调用正在等待你的批准";
    allow_or_refuse() "Allow it or refuse it, or stop the run." "请允许或拒绝它，或停止运行。";
    run_is_working() "the run is working; stop it first or wait" "运行正在进行；请先停止它，或稍等";
    no_such_approval() "no such approval is in force" "没有这样的授权在生效";
    answered_before() "the widget was answered before" "这个问题已经回答过了";
    no_such_widget() "no such widget waits in this conversation" "这个会话中没有这样的问题在等待";
    not_wanted() "the effect is not wanted any more" "不再需要这个操作";

    // What ends a turn.
    stopped_by_user() "stopped by the user" "已被你停止";
    output_cut() "the answer was cut at the model's output limit" "回答在模型的输出上限处被截断";
    asked_too_often(limit)
        "the model was asked {limit} times without coming to an end"
        "已请求模型 {limit} 次，仍未结束";
    repeats_itself(tool, times)
        "`{tool}` was called {times} times with the same outcome"
        "`{tool}` 已调用 {times} 次，结果都相同";
    conversation_too_long(size)
        "the conversation is over {size}, more than any model reads"
        "对话超过 {size}，没有模型能读这么多";
    context_too_small(used, budget)
        "the request needs about {used} tokens, the model's context has {budget}"
        "这次请求约需 {used} 个词元，模型的上下文只有 {budget} 个";

    // What a turn cannot begin without.
    state_unreadable() "@state/workflow.md cannot be read" "无法读取 @state/workflow.md";
    workflow_lost() "the package has lost its workflow" "流程包中的工作流不见了";
    run_has_no_agent() "the run has no agent" "这个运行没有智能体";
    step_file_missing(file) "the step file @pkg/{file} is missing" "缺少步骤文件 @pkg/{file}";
    package_no_agent(agent) "the package has no agent `{agent}`" "流程包没有智能体 `{agent}`";
    package_no_workflow(workflow) "the package has no workflow `{workflow}`" "流程包没有工作流 `{workflow}`";
    no_persona()
        "the package has no agent for this turn, so there is no persona to speak as"
        "流程包没有可用于这一轮的智能体，无法确定以谁的身份说话";
    choose_an_agent()
        "Choose an agent of the package, or import a package that has it."
        "请选择流程包中的智能体，或导入含有它的流程包。";
    template_broken(name, why)
        "the prompt template {name} cannot be rendered: {why}"
        "无法生成提示词模板 {name}：{why}";
    report_template()
        "This is a fault of the program. Report it with this message."
        "这是程序的问题。请附上这条信息报告。";
    correct_the_path()
        "Correct the path in the package or the project file: it must be relative."
        "请更正流程包或项目文件中的路径：它必须是相对路径。";

    // The state document, as a person edits it.
    state_missing_restored() "@state/workflow.md was missing and is restored" "@state/workflow.md 不见了，已恢复";
    state_edited_meanwhile()
        "@state/workflow.md was edited while the model was changing it; the edit is kept aside"
        "模型修改 @state/workflow.md 时你也编辑了它；你的编辑已另行保留"
        ;
    look_at_rejected()
        "Look at the newest workflow.md.rejected file, and make the edit again while the run waits."
        "请查看最新的 workflow.md.rejected 文件，并在运行等待时重新编辑。";
    state_no_plain_file(path) "{path} is not a plain file" "{path} 不是普通文件";
    state_too_long(path, size) "{path} is over {size}" "{path} 超过 {size}";
    shorten_state()
        "Shorten it; long notes belong into files of the project."
        "请缩短它；长的内容请放进项目的文件里。";
    state_not_text(path) "{path} is not UTF-8 text" "{path} 不是 UTF-8 文本";
    save_or_delete()
        "Save it as UTF-8, or delete it to get the accepted version back."
        "请存为 UTF-8 文本，或删除它以恢复已接受的版本。";
    state_not_written(why)
        "@state/workflow.md cannot be written: {why}"
        "无法写入 @state/workflow.md：{why}";
    free_and_resume()
        "Free some disk space, then resume the run."
        "请腾出一些磁盘空间，然后继续运行。";
    writable_and_resume()
        "Make the program's data folder writable, then resume the run."
        "请让数据文件夹可写，然后继续运行。";
    check_disk_and_resume()
        "Check the disk, then resume the run."
        "请检查磁盘，然后继续运行。";
    node_unknown(node)
        "@state/workflow.md names the node `{node}`, which the graph does not have"
        "@state/workflow.md 写的步骤 `{node}` 不在流程图中";
    current_unknown(file, node)
        "{file}: currentNodeId names `{node}`, which the graph does not have"
        "{file}：currentNodeId 写的是 `{node}`，流程图中没有这个步骤";
    set_current(nodes) "Set currentNodeId to one of: {nodes}." "请把 currentNodeId 改为其中之一：{nodes}。";
    steps_unknown(file, steps)
        "{file}: stepsCompleted names {steps}: the graph has no such node"
        "{file}：stepsCompleted 中的 {steps} 不在流程图中";
    only_these_steps(steps)
        "Use only these ids in stepsCompleted: {steps}."
        "stepsCompleted 中只能用这些编号：{steps}。";
    front_not_schema(file, why)
        "{file}: the front matter does not fit its schema: {why}"
        "{file}：文件头部不符合规定的格式：{why}";
    schema_broken(why)
        "the schema of the front matter is broken: {why}"
        "文件头部的格式定义有误：{why}";
    artifacts_no_path(file, names)
        "{file}: artifacts names {names}: not a path of the project"
        "{file}：artifacts 中的 {names} 不是项目内的路径";
    list_project_paths()
        "List files of the project by their path in it, for example artifacts/report.md."
        "请列出文件在项目中的路径，例如 artifacts/report.md。";
    correct_the_fields()
        "Correct the named fields and send the change again."
        "请更正指出的字段，然后重新提交。";

    // Answers to questions.
    answer_does_not_fit(widget, why)
        "the answer does not fit the widget `{widget}`: {why}"
        "这个回答不适用于问题 `{widget}`：{why}";
    value_list() "expected a list of option values" "应为选项值的列表";
    value_option_text() "expected the value of an option, a text" "应为某个选项的值（文字）";
    value_no_option(text, known) "`{text}` is none of the options: {known}" "`{text}` 不是选项；选项有：{known}";
    value_twice(text) "`{text}` was chosen twice" "`{text}` 选了两次";
    value_one_option(count) "expected exactly one option, got {count}" "只能选一个选项，收到了 {count} 个";
    value_confirmation(shape) "expected {shape}" "应为 {shape}";
    value_unseen(shape)
        "the change is not shown whole, and a yes says whether it was opened: expected {shape}"
        "该修改未完整显示，同意时必须说明是否已全部打开：应为 {shape}";
    another_whole() "`whole` names another change than the one asked about" "`whole` 指的不是所问的这个修改";
    value_unknown_field(shape) "unknown field: expected {shape}" "未知的字段：应为 {shape}";
    value_text() "expected a text" "应为文字";
    value_approval_feedback()
        "an approval has no feedback: request changes instead"
        "同意时不能附带意见；要提意见请选择“要求修改”";
    value_feedback_empty() "say what to change: the feedback is empty" "请写明要改什么：意见是空的";
    value_items() "expected an object of item ids and texts" "应为条目编号和文字组成的对象";
    value_unknown_item(known) "unknown item: the items are {known}" "未知的条目；条目有：{known}";
    value_no_action(text, known) "`{text}` is none of the actions: {known}" "`{text}` 不是可选的操作；操作有：{known}";
    value_action_text(known) "expected the id of an action, a text: {known}" "应为某个操作的编号（文字）：{known}";
    /// Somebody else's words about a part of the answer.
    value_other(why) "{why}" "{why}";
}
