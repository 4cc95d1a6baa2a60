//! What to do about a finding.

super::phrases! {
    choose_the_package_itself()
        "A package is a folder or an archive with bmad.json at its top; choose that one."
        "流程包是顶层含有 bmad.json 的文件夹或压缩包，请选择它。";
    export_anew()
        "Export the workflow again from the Builder in package format 1.1."
        "请在 Builder 中以 1.1 格式重新导出。";
    write_package_path()
        "Write a path relative to the package root, for example `steps/step-01.md`."
        "请写相对于流程包根目录的路径，例如 `steps/step-01.md`。";
    add_file()
        "Add the file, or correct the path; paths count from the package root."
        "请添加该文件，或更正路径；路径从流程包的根目录算起。";
    move_to_assets()
        "Move long material into assets/ and let the steps read it from there."
        "请把较长的材料移到 assets/，让步骤从那里读取。";
    save_as_utf_8()
        "Save it as UTF-8."
        "请保存为 UTF-8。";
    correct_json()
        "Correct the file; a JSON editor shows the place."
        "请更正文件；JSON 编辑器会指出位置。";
    correct_value()
        "Correct the named value."
        "请更正该值。";
    give_own_id()
        "Give each one an id of its own."
        "请让每个 id 只用一次。";
    retype_name()
        "Type the name anew, without what stands in ⟨ ⟩."
        "请重新输入该名称，去掉 ⟨ ⟩ 中的字符。";
    use_node(ids)
        "Use one of the node ids: {ids}."
        "请使用这些节点 id 之一：{ids}。";
    use_agent(ids)
        "Use one of {ids}, or add the agent."
        "请使用 {ids} 之一，或添加该智能体。";
    use_markdown()
        "Use a Markdown file with front matter."
        "请使用带文件头的 Markdown 文件。";
    write_node_id(id)
        "Write `nodeId: {id}`, or point the graph's node at another file."
        "请写 `nodeId: {id}`，或让图中的节点指向另一个文件。";
    graph_decides_type()
        "The graph decides; write the same type in both places."
        "以图为准；请在两处写相同的类型。";
    graph_decides_agent()
        "The graph's agentId decides; correct or remove this one."
        "以图中的 agentId 为准；请更正或删除这一个。";
    output_not_awaited()
        "No step waits for it. To have it checked, name one file of the project, for example `artifacts/report.md`."
        "步骤不会为它等待。要让它被检查，请写一个项目文件，例如 `artifacts/report.md`。";
    input_in_project()
        "No tool reads outside the project; write a path relative to it, for example `docs/brief.md`."
        "没有工具能读取项目之外的文件；请写相对于项目的路径，例如 `docs/brief.md`。";
    one_owner()
        "Let one node own each file, so that it is clear whose work is missing."
        "请让每个文件只属于一个节点，这样才清楚缺的是谁的工作。";
    list_variable()
        "Name a variable that a step lists in setsVariables, or list it there."
        "请改用某个步骤在 setsVariables 中列出的变量，或在那里列出它。";
    write_condition()
        "Write conditionExpr as JSONLogic with ==, ===, !=, !==, <, <=, >, >=, and, or, !, !!, in, if, missing and `var`, which names a variable; any other condition never holds."
        "请用 JSONLogic 写 conditionExpr，只用 ==、===、!=、!==、<、<=、>、>=、and、or、!、!!、in、if、missing，并用 `var` 指明变量；其他条件永远不成立。";
    change_fewer_keys()
        "Change fewer keys at once, or move long texts out of the front matter."
        "请一次少改一些键，或把长文本移出文件头。";
    split_list()
        "Write fewer, or make several packages of it."
        "请减少数量，或拆成几个流程包。";
    write_into_steps()
        "Write the nested procedure into its step file, or into steps of its own."
        "请把内层流程写进它的步骤文件，或写成单独的步骤。";
    split_step()
        "Split the step, or move reference material into assets/."
        "请拆分步骤，或把参考材料移到 assets/。";
    write_time_or_nothing()
        "Remove the line, or write a date and time with a time zone."
        "请删除这一行，或写上带时区的日期和时间。";
    turn_files_on()
        "Turn on tools.fs of the agent in agents.json, or let another agent do the node."
        "请在 agents.json 中启用该智能体的 tools.fs，或让另一个智能体执行此节点。";
    add_edge()
        "Add an edge to it, or remove it."
        "请添加一条到它的边，或删除它。";
    lead_to_end()
        "Add edges that lead to a node of type `end`; otherwise a run cannot complete."
        "请添加通向 `end` 节点的边，否则运行无法完成。";
    keep_one_start()
        "Keep one start; a run always begins at entryNodeId."
        "请只保留一个起点；运行总是从 entryNodeId 开始。";
    make_decision()
        "Make the node that chooses between repeating and going on a `decision`."
        "请把选择重复还是继续的节点设为 `decision`。";
    add_exit()
        "Add an edge that leads out of the loop."
        "请添加一条离开循环的边。";
    mark_default()
        "Mark one of its edges with \"isDefault\": true."
        "请给其中一条边加上 \"isDefault\": true。";
    keep_one_default()
        "Keep \"isDefault\": true on one of them."
        "请只在一条边上保留 \"isDefault\": true。";
    add_choice()
        "Add another edge, or make the node a `step`."
        "请添加另一条边，或把节点设为 `step`。";
    compare_hash()
        "Compare the content hash of this report with the one the author published."
        "请把此报告的内容哈希与作者公布的比较。";
    correct_first()
        "Correct those above first."
        "请先更正以上各项。";
    remove_property(names)
        "Remove or rename the unknown property {names}."
        "请删除或重命名属性 {names}。";
    add_property(name)
        "Add the missing property `{name}`."
        "请添加属性 `{name}`。";
    use_one_of(values)
        "Use one of {values}."
        "请使用 {values} 之一。";
    write_in_quotes(value)
        "Write it in quotes: \"{value}\"."
        "请加上引号：\"{value}\"。";
    write_type(wanted)
        "Write a value of type {wanted}."
        "请写类型为 {wanted} 的值。";
    write_format_version()
        "This runtime reads packages of format 1.1: write \"1.1\"."
        "此程序读取 1.1 格式的流程包：请写 \"1.1\"。";
    write_version()
        "Use a version of three numbers, for example 1.0.0 or 1.0.0-beta.1."
        "请写由三个数组成的版本，例如 1.0.0 或 1.0.0-beta.1。";
    write_id()
        "Start with a letter or digit; use only letters, digits and `. _ : -`."
        "请以字母或数字开头，只用字母、数字和 `. _ : -`。";
    write_hash()
        "Write 64 hexadecimal characters."
        "请写 64 个十六进制字符。";
    match_pattern(pattern)
        "The text must match {pattern}."
        "文本必须符合 {pattern}。";
    write_time()
        "Write a date and time with a time zone, for example 2026-01-31T09:30:00Z."
        "请写带时区的日期和时间，例如 2026-01-31T09:30:00Z。";
    write_something()
        "Write a text that is not empty."
        "请写非空的文本。";
    write_less(max)
        "Write at most {max} characters."
        "最多写 {max} 个字符。";
    add_entries(limit)
        "The list needs at least {limit} entry."
        "列表至少需要 {limit} 项。";
    use_at_least(limit)
        "Use a number of at least {limit}."
        "请使用不小于 {limit} 的数。";
    use_at_most(limit)
        "Use a number of at most {limit}."
        "请使用不大于 {limit} 的数。";
    start_with_matter()
        "Start the file with `---`, YAML keys, and a second `---` line."
        "请以 `---` 开始文件，接着写 YAML 的键，再写第二行 `---`。";
    close_matter()
        "Put a line `---` after the last front matter key."
        "请在最后一个键之后加一行 `---`。";
    correct_matter()
        "Correct the named place of the front matter."
        "请更正文件头中指出的位置。";
    write_block_style()
        "Write the front matter in block style: one `key: value` a line."
        "请用块状写法书写文件头：每行一个 `键: 值`。";
}
