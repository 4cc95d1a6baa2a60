// Generated from the kernel's words (src-tauri/kernel/src/phrase). Do not edit.

export const phrases: Record<string, Record<"zh" | "en", string>> = {
  choose_the_package_itself: {
    zh: "流程包是顶层含有 bmad.json 的文件夹或压缩包，请选择它。",
    en: "A package is a folder or an archive with bmad.json at its top; choose that one.",
  },
  export_anew: {
    zh: "请在 Builder 中以 1.1 格式重新导出。",
    en: "Export the workflow again from the Builder in package format 1.1.",
  },
  write_package_path: {
    zh: "请写相对于流程包根目录的路径，例如 `steps/step-01.md`。",
    en: "Write a path relative to the package root, for example `steps/step-01.md`.",
  },
  add_file: {
    zh: "请添加该文件，或更正路径；路径从流程包的根目录算起。",
    en: "Add the file, or correct the path; paths count from the package root.",
  },
  move_to_assets: {
    zh: "请把较长的材料移到 assets/，让步骤从那里读取。",
    en: "Move long material into assets/ and let the steps read it from there.",
  },
  save_as_utf_8: {
    zh: "请保存为 UTF-8。",
    en: "Save it as UTF-8.",
  },
  correct_json: {
    zh: "请更正文件；JSON 编辑器会指出位置。",
    en: "Correct the file; a JSON editor shows the place.",
  },
  correct_value: {
    zh: "请更正该值。",
    en: "Correct the named value.",
  },
  give_own_id: {
    zh: "请让每个 id 只用一次。",
    en: "Give each one an id of its own.",
  },
  retype_name: {
    zh: "请重新输入该名称，去掉 ⟨ ⟩ 中的字符。",
    en: "Type the name anew, without what stands in ⟨ ⟩.",
  },
  use_node: {
    zh: "请使用这些节点 id 之一：{ids}。",
    en: "Use one of the node ids: {ids}.",
  },
  use_agent: {
    zh: "请使用 {ids} 之一，或添加该智能体。",
    en: "Use one of {ids}, or add the agent.",
  },
  use_markdown: {
    zh: "请使用带文件头的 Markdown 文件。",
    en: "Use a Markdown file with front matter.",
  },
  write_node_id: {
    zh: "请写 `nodeId: {id}`，或让图中的节点指向另一个文件。",
    en: "Write `nodeId: {id}`, or point the graph's node at another file.",
  },
  graph_decides_type: {
    zh: "以图为准；请在两处写相同的类型。",
    en: "The graph decides; write the same type in both places.",
  },
  graph_decides_agent: {
    zh: "以图中的 agentId 为准；请更正或删除这一个。",
    en: "The graph's agentId decides; correct or remove this one.",
  },
  output_not_awaited: {
    zh: "步骤不会为它等待。要让它被检查，请写一个项目文件，例如 `artifacts/report.md`。",
    en: "No step waits for it. To have it checked, name one file of the project, for example `artifacts/report.md`.",
  },
  input_in_project: {
    zh: "没有工具能读取项目之外的文件；请写相对于项目的路径，例如 `docs/brief.md`。",
    en: "No tool reads outside the project; write a path relative to it, for example `docs/brief.md`.",
  },
  one_owner: {
    zh: "请让每个文件只属于一个节点，这样才清楚缺的是谁的工作。",
    en: "Let one node own each file, so that it is clear whose work is missing.",
  },
  list_variable: {
    zh: "请改用某个步骤在 setsVariables 中列出的变量，或在那里列出它。",
    en: "Name a variable that a step lists in setsVariables, or list it there.",
  },
  write_condition: {
    zh: "请用 JSONLogic 写 conditionExpr，只用 ==、===、!=、!==、<、<=、>、>=、and、or、!、!!、in、if、missing，并用 `var` 指明变量；其他条件永远不成立。",
    en: "Write conditionExpr as JSONLogic with ==, ===, !=, !==, <, <=, >, >=, and, or, !, !!, in, if, missing and `var`, which names a variable; any other condition never holds.",
  },
  change_fewer_keys: {
    zh: "请一次少改一些键，或把长文本移出文件头。",
    en: "Change fewer keys at once, or move long texts out of the front matter.",
  },
  split_list: {
    zh: "请减少数量，或拆成几个流程包。",
    en: "Write fewer, or make several packages of it.",
  },
  write_into_steps: {
    zh: "请把内层流程写进它的步骤文件，或写成单独的步骤。",
    en: "Write the nested procedure into its step file, or into steps of its own.",
  },
  split_step: {
    zh: "请拆分步骤，或把参考材料移到 assets/。",
    en: "Split the step, or move reference material into assets/.",
  },
  write_time_or_nothing: {
    zh: "请删除这一行，或写上带时区的日期和时间。",
    en: "Remove the line, or write a date and time with a time zone.",
  },
  turn_files_on: {
    zh: "请在 agents.json 中启用该智能体的 tools.fs，或让另一个智能体执行此节点。",
    en: "Turn on tools.fs of the agent in agents.json, or let another agent do the node.",
  },
  add_edge: {
    zh: "请添加一条到它的边，或删除它。",
    en: "Add an edge to it, or remove it.",
  },
  lead_to_end: {
    zh: "请添加通向 `end` 节点的边，否则运行无法完成。",
    en: "Add edges that lead to a node of type `end`; otherwise a run cannot complete.",
  },
  keep_one_start: {
    zh: "请只保留一个起点；运行总是从 entryNodeId 开始。",
    en: "Keep one start; a run always begins at entryNodeId.",
  },
  make_decision: {
    zh: "请把选择重复还是继续的节点设为 `decision`。",
    en: "Make the node that chooses between repeating and going on a `decision`.",
  },
  add_exit: {
    zh: "请添加一条离开循环的边。",
    en: "Add an edge that leads out of the loop.",
  },
  mark_default: {
    zh: "请给其中一条边加上 \"isDefault\": true。",
    en: "Mark one of its edges with \"isDefault\": true.",
  },
  keep_one_default: {
    zh: "请只在一条边上保留 \"isDefault\": true。",
    en: "Keep \"isDefault\": true on one of them.",
  },
  add_choice: {
    zh: "请添加另一条边，或把节点设为 `step`。",
    en: "Add another edge, or make the node a `step`.",
  },
  compare_hash: {
    zh: "请把此报告的内容哈希与作者公布的比较。",
    en: "Compare the content hash of this report with the one the author published.",
  },
  correct_first: {
    zh: "请先更正以上各项。",
    en: "Correct those above first.",
  },
  remove_property: {
    zh: "请删除或重命名属性 {names}。",
    en: "Remove or rename the unknown property {names}.",
  },
  add_property: {
    zh: "请添加属性 `{name}`。",
    en: "Add the missing property `{name}`.",
  },
  use_one_of: {
    zh: "请使用 {values} 之一。",
    en: "Use one of {values}.",
  },
  write_in_quotes: {
    zh: "请加上引号：\"{value}\"。",
    en: "Write it in quotes: \"{value}\".",
  },
  write_type: {
    zh: "请写类型为 {wanted} 的值。",
    en: "Write a value of type {wanted}.",
  },
  write_format_version: {
    zh: "此程序读取 1.1 格式的流程包：请写 \"1.1\"。",
    en: "This runtime reads packages of format 1.1: write \"1.1\".",
  },
  write_version: {
    zh: "请写由三个数组成的版本，例如 1.0.0 或 1.0.0-beta.1。",
    en: "Use a version of three numbers, for example 1.0.0 or 1.0.0-beta.1.",
  },
  write_id: {
    zh: "请以字母或数字开头，只用字母、数字和 `. _ : -`。",
    en: "Start with a letter or digit; use only letters, digits and `. _ : -`.",
  },
  write_hash: {
    zh: "请写 64 个十六进制字符。",
    en: "Write 64 hexadecimal characters.",
  },
  match_pattern: {
    zh: "文本必须符合 {pattern}。",
    en: "The text must match {pattern}.",
  },
  write_time: {
    zh: "请写带时区的日期和时间，例如 2026-01-31T09:30:00Z。",
    en: "Write a date and time with a time zone, for example 2026-01-31T09:30:00Z.",
  },
  write_something: {
    zh: "请写非空的文本。",
    en: "Write a text that is not empty.",
  },
  write_less: {
    zh: "最多写 {max} 个字符。",
    en: "Write at most {max} characters.",
  },
  add_entries: {
    zh: "列表至少需要 {limit} 项。",
    en: "The list needs at least {limit} entry.",
  },
  use_at_least: {
    zh: "请使用不小于 {limit} 的数。",
    en: "Use a number of at least {limit}.",
  },
  use_at_most: {
    zh: "请使用不大于 {limit} 的数。",
    en: "Use a number of at most {limit}.",
  },
  start_with_matter: {
    zh: "请以 `---` 开始文件，接着写 YAML 的键，再写第二行 `---`。",
    en: "Start the file with `---`, YAML keys, and a second `---` line.",
  },
  close_matter: {
    zh: "请在最后一个键之后加一行 `---`。",
    en: "Put a line `---` after the last front matter key.",
  },
  correct_matter: {
    zh: "请更正文件头中指出的位置。",
    en: "Correct the named place of the front matter.",
  },
  write_block_style: {
    zh: "请用块状写法书写文件头：每行一个 `键: 值`。",
    en: "Write the front matter in block style: one `key: value` a line.",
  },
  shown_too_briefly: {
    zh: "对 `{id}` 的回答没有被采用：它只显示了 {ms} 毫秒",
    en: "the answer to `{id}` was not taken: it had been shown for {ms} ms",
  },
  allow_change: {
    zh: "允许 {tool} 修改 {path} 吗？",
    en: "Allow {tool} to change {path}?",
  },
  allow_delete: {
    zh: "允许模型删除 {path} 吗？",
    en: "Allow the model to delete {path}?",
  },
  allow_move: {
    zh: "允许模型移动 {path} 吗？",
    en: "Allow the model to move {path}?",
  },
  new_file: {
    zh: "新文件，{lines} 行",
    en: "new file, {lines} lines",
  },
  lines: {
    zh: "+{added} −{removed} 行",
    en: "+{added} −{removed} lines",
  },
  new_unshown: {
    zh: "新文件，内容无法显示；修改后 {bytes} 字节",
    en: "new file that cannot be shown; {bytes} bytes afterwards",
  },
  replaced_unshown: {
    zh: "替换一个文件，内容无法显示；修改后 {bytes} 字节",
    en: "replaces a file that cannot be shown; {bytes} bytes afterwards",
  },
  diff_cut: {
    zh: "差异太长，无法一次全部显示",
    en: "the diff is too long to be shown at once",
  },
  too_long_to_open: {
    zh: "{path} 的改动太长，无法全部打开：+{added} −{removed} 行；最多显示 {bytes}、{lines} 行",
    en: "the change of {path} is too long to be opened: +{added} −{removed} lines; at most {bytes} and {lines} lines are shown",
  },
  nothing_to_open: {
    zh: "没有可以打开的内容：{path} 不是文本，或者太大",
    en: "there is nothing to open: {path} is no text, or too large",
  },
  changed_since_asked: {
    zh: "{path} 在提问之后有改动，所问的已不是现在的修改",
    en: "{path} was changed after the question, which therefore means another change",
  },
  no_such_change: {
    zh: "没有等待回答的修改 `{id}`",
    en: "no change `{id}` waits for an answer",
  },
  allow_unseen_or_not: {
    zh: "可以不看全就允许，或不允许。",
    en: "Allow it unseen, or not at all.",
  },
  is_asked_anew: {
    zh: "仍可回答：此时不会写入，运行时会按现在的内容重新询问。",
    en: "Answer all the same: nothing is written then, and the change is asked about anew as it is now.",
  },
  marks_folders: {
    zh: "{marks} 代表本机的文件夹，写入文件的是它的真实路径",
    en: "{marks} stands for a folder of this machine; the file gets its real path",
  },
  moves: {
    zh: "移动到 {to}",
    en: "moves it to {to}",
  },
  holds_lines: {
    zh: "内容共 {lines} 行",
    en: "it holds {lines} lines",
  },
  holds_unshown: {
    zh: "内容无法显示；{bytes} 字节",
    en: "what it holds cannot be shown; {bytes} bytes",
  },
  holds_files: {
    zh: "{files} 个文件，见列表",
    en: "{files} files, as listed",
  },
  holds_one_file: {
    zh: "1 个文件，见列表",
    en: "1 file, as listed",
  },
  deletes_empty_folder: {
    zh: "删除一个空文件夹",
    en: "deletes an empty folder",
  },
  deletes_files: {
    zh: "删除 {files} 个文件，共 {bytes} 字节：{names}",
    en: "deletes {files} files, {bytes} bytes: {names}",
  },
  deletes_the_file: {
    zh: "删除这个文件，{bytes} 字节",
    en: "deletes the file, {bytes} bytes",
  },
  deletes_one_file: {
    zh: "删除 1 个文件，共 {bytes} 字节：{name}",
    en: "deletes 1 file, {bytes} bytes: {name}",
  },
  deletes_listed_files: {
    zh: "删除 {files} 个文件，共 {bytes} 字节，见列表",
    en: "deletes {files} files, {bytes} bytes, as listed",
  },
  deletes_more_files: {
    zh: "删除 {files} 个文件，共 {bytes} 字节：{names}，以及另外 {more} 个",
    en: "deletes {files} file(s), {bytes} bytes: {names} and {more} more",
  },
  node_moved: {
    zh: "当前步骤 {from} → {to}",
    en: "currentNodeId {from} → {to}",
  },
  node_entered: {
    zh: "当前步骤（起点）→ {to}",
    en: "currentNodeId (start) → {to}",
  },
  node_reset: {
    zh: "当前步骤 {from} →（起点）",
    en: "currentNodeId {from} → (start)",
  },
  steps: {
    zh: "已完成步骤 {steps}",
    en: "stepsCompleted {steps}",
  },
  artifact: {
    zh: "产物 {change}",
    en: "{change} artifact",
  },
  artifacts: {
    zh: "产物 {change}",
    en: "{change} artifacts",
  },
  artifacts_changed: {
    zh: "产物有变化",
    en: "artifacts changed",
  },
  decision: {
    zh: "决策记录 {change}",
    en: "{change} decision",
  },
  decisions: {
    zh: "决策记录 {change}",
    en: "{change} decisions",
  },
  decisions_changed: {
    zh: "决策记录有变化",
    en: "decisions changed",
  },
  member_changed: {
    zh: "{name}：{from} → {to}",
    en: "{name} {from} → {to}",
  },
  member_set: {
    zh: "{name} 设为 {to}",
    en: "{name} = {to}",
  },
  member_removed: {
    zh: "{name} 已移除",
    en: "{name} removed",
  },
  text_changed: {
    zh: "正文有修改",
    en: "text changed",
  },
  layout_only: {
    zh: "仅 updatedAt 或排版有变化",
    en: "only updatedAt or layout changed",
  },
  no_change: {
    zh: "没有变化",
    en: "no change",
  },
  goes_back: {
    zh: "{path} 将恢复为当时的内容",
    en: "{path} goes back",
  },
  goes_back_over_others: {
    zh: "{path} 将恢复为当时的内容，尽管之后有人改过它",
    en: "{path} goes back, although someone else changed it",
  },
  is_removed: {
    zh: "{path} 将被移除",
    en: "{path} is removed",
  },
  is_removed_over_others: {
    zh: "{path} 将被移除，尽管之后有人改过它",
    en: "{path} is removed, although someone else changed it",
  },
  stays: {
    zh: "{path} 保持不变：{why}",
    en: "{path} stays: {why}",
  },
  stays_changed: {
    zh: "之后有人改过它",
    en: "someone else changed it",
  },
  stays_not_kept: {
    zh: "内容没有保留",
    en: "its content is not kept",
  },
  stays_not_allowed: {
    zh: "运行时不能写入它",
    en: "it may not be written",
  },
  stays_failed: {
    zh: "无法写入",
    en: "it cannot be written",
  },
  not_changed_unconfirmed: {
    zh: "{path} 没有任何改动：此改动需要你的确认",
    en: "Nothing was changed in {path}: that needs your confirmation",
  },
  not_changed_refused: {
    zh: "{path} 没有任何改动：你没有允许",
    en: "Nothing was changed in {path}: you did not allow it",
  },
  not_changed: {
    zh: "{path} 没有任何改动：此调用未被执行",
    en: "Nothing was changed in {path}: the call was turned down",
  },
  not_gone_back_unconfirmed: {
    zh: "没有任何改动：返回之前的步骤需要你的确认",
    en: "Nothing was changed: going back needs your confirmation",
  },
  not_gone_back: {
    zh: "没有任何改动：没有返回之前的步骤",
    en: "Nothing was changed: going back was turned down",
  },
  has_a_run: {
    zh: "这个会话已经有一个运行",
    en: "the conversation has a run already",
  },
  has_no_run: {
    zh: "这个会话没有运行",
    en: "the conversation has no run",
  },
  nothing_to_send: {
    zh: "没有可以发送的内容",
    en: "there is nothing to send",
  },
  input_too_long: {
    zh: "内容超过 {size}，没有发送",
    en: "this is longer than {size}; it was not sent",
  },
  say_it_in_a_file: {
    zh: "请把它放进项目的文件里并告诉模型文件名，或缩短内容。",
    en: "Put it into a file of the project and name the file, or send less.",
  },
  own_model_already: {
    zh: "运行已经在使用你自己的模型",
    en: "the run asks your own model already",
  },
  nothing_running: {
    zh: "没有正在进行的运行",
    en: "nothing is running",
  },
  call_waits: {
    zh: "有一个调用正在等待你的批准",
    en: "a call waits for your approval",
  },
  allow_or_refuse: {
    zh: "请允许或拒绝它，或停止运行。",
    en: "Allow it or refuse it, or stop the run.",
  },
  run_is_working: {
    zh: "运行正在进行；请先停止它，或稍等",
    en: "the run is working; stop it first or wait",
  },
  no_such_approval: {
    zh: "没有这样的授权在生效",
    en: "no such approval is in force",
  },
  answered_before: {
    zh: "这个问题已经回答过了",
    en: "the widget was answered before",
  },
  no_such_widget: {
    zh: "这个会话中没有这样的问题在等待",
    en: "no such widget waits in this conversation",
  },
  not_wanted: {
    zh: "不再需要这个操作",
    en: "the effect is not wanted any more",
  },
  stopped_by_user: {
    zh: "已被你停止",
    en: "stopped by the user",
  },
  output_cut: {
    zh: "回答在模型的输出上限处被截断",
    en: "the answer was cut at the model's output limit",
  },
  asked_too_often: {
    zh: "已请求模型 {limit} 次，仍未结束",
    en: "the model was asked {limit} times without coming to an end",
  },
  repeats_itself: {
    zh: "`{tool}` 已调用 {times} 次，结果都相同",
    en: "`{tool}` was called {times} times with the same outcome",
  },
  conversation_too_long: {
    zh: "对话超过 {size}，没有模型能读这么多",
    en: "the conversation is over {size}, more than any model reads",
  },
  context_too_small: {
    zh: "这次请求约需 {used} 个词元，模型的上下文只有 {budget} 个",
    en: "the request needs about {used} tokens, the model's context has {budget}",
  },
  state_unreadable: {
    zh: "无法读取 @state/workflow.md",
    en: "@state/workflow.md cannot be read",
  },
  workflow_lost: {
    zh: "流程包中的工作流不见了",
    en: "the package has lost its workflow",
  },
  run_has_no_agent: {
    zh: "这个运行没有智能体",
    en: "the run has no agent",
  },
  step_file_missing: {
    zh: "缺少步骤文件 @pkg/{file}",
    en: "the step file @pkg/{file} is missing",
  },
  package_no_agent: {
    zh: "流程包没有智能体 `{agent}`",
    en: "the package has no agent `{agent}`",
  },
  package_no_workflow: {
    zh: "流程包没有工作流 `{workflow}`",
    en: "the package has no workflow `{workflow}`",
  },
  no_persona: {
    zh: "流程包没有可用于这一轮的智能体，无法确定以谁的身份说话",
    en: "the package has no agent for this turn, so there is no persona to speak as",
  },
  choose_an_agent: {
    zh: "请选择流程包中的智能体，或导入含有它的流程包。",
    en: "Choose an agent of the package, or import a package that has it.",
  },
  template_broken: {
    zh: "无法生成提示词模板 {name}：{why}",
    en: "the prompt template {name} cannot be rendered: {why}",
  },
  report_template: {
    zh: "这是程序的问题。请附上这条信息报告。",
    en: "This is a fault of the program. Report it with this message.",
  },
  correct_the_path: {
    zh: "请更正流程包或项目文件中的路径：它必须是相对路径。",
    en: "Correct the path in the package or the project file: it must be relative.",
  },
  state_missing_restored: {
    zh: "@state/workflow.md 不见了，已恢复",
    en: "@state/workflow.md was missing and is restored",
  },
  state_edited_meanwhile: {
    zh: "模型修改 @state/workflow.md 时你也编辑了它；你的编辑已另行保留",
    en: "@state/workflow.md was edited while the model was changing it; the edit is kept aside",
  },
  look_at_rejected: {
    zh: "请查看最新的 workflow.md.rejected 文件，并在运行等待时重新编辑。",
    en: "Look at the newest workflow.md.rejected file, and make the edit again while the run waits.",
  },
  state_no_plain_file: {
    zh: "{path} 不是普通文件",
    en: "{path} is not a plain file",
  },
  state_too_long: {
    zh: "{path} 超过 {size}",
    en: "{path} is over {size}",
  },
  shorten_state: {
    zh: "请缩短它；长的内容请放进项目的文件里。",
    en: "Shorten it; long notes belong into files of the project.",
  },
  state_not_text: {
    zh: "{path} 不是 UTF-8 文本",
    en: "{path} is not UTF-8 text",
  },
  save_or_delete: {
    zh: "请存为 UTF-8 文本，或删除它以恢复已接受的版本。",
    en: "Save it as UTF-8, or delete it to get the accepted version back.",
  },
  state_not_written: {
    zh: "无法写入 @state/workflow.md：{why}",
    en: "@state/workflow.md cannot be written: {why}",
  },
  free_and_resume: {
    zh: "请腾出一些磁盘空间，然后继续运行。",
    en: "Free some disk space, then resume the run.",
  },
  writable_and_resume: {
    zh: "请让数据文件夹可写，然后继续运行。",
    en: "Make the program's data folder writable, then resume the run.",
  },
  check_disk_and_resume: {
    zh: "请检查磁盘，然后继续运行。",
    en: "Check the disk, then resume the run.",
  },
  node_unknown: {
    zh: "@state/workflow.md 写的步骤 `{node}` 不在流程图中",
    en: "@state/workflow.md names the node `{node}`, which the graph does not have",
  },
  current_unknown: {
    zh: "{file}：currentNodeId 写的是 `{node}`，流程图中没有这个步骤",
    en: "{file}: currentNodeId names `{node}`, which the graph does not have",
  },
  set_current: {
    zh: "请把 currentNodeId 改为其中之一：{nodes}。",
    en: "Set currentNodeId to one of: {nodes}.",
  },
  steps_unknown: {
    zh: "{file}：stepsCompleted 中的 {steps} 不在流程图中",
    en: "{file}: stepsCompleted names {steps}: the graph has no such node",
  },
  only_these_steps: {
    zh: "stepsCompleted 中只能用这些编号：{steps}。",
    en: "Use only these ids in stepsCompleted: {steps}.",
  },
  front_not_schema: {
    zh: "{file}：文件头部不符合规定的格式：{why}",
    en: "{file}: the front matter does not fit its schema: {why}",
  },
  schema_broken: {
    zh: "文件头部的格式定义有误：{why}",
    en: "the schema of the front matter is broken: {why}",
  },
  artifacts_no_path: {
    zh: "{file}：artifacts 中的 {names} 不是项目内的路径",
    en: "{file}: artifacts names {names}: not a path of the project",
  },
  list_project_paths: {
    zh: "请列出文件在项目中的路径，例如 artifacts/report.md。",
    en: "List files of the project by their path in it, for example artifacts/report.md.",
  },
  correct_the_fields: {
    zh: "请更正指出的字段，然后重新提交。",
    en: "Correct the named fields and send the change again.",
  },
  answer_does_not_fit: {
    zh: "这个回答不适用于问题 `{widget}`：{why}",
    en: "the answer does not fit the widget `{widget}`: {why}",
  },
  value_list: {
    zh: "应为选项值的列表",
    en: "expected a list of option values",
  },
  value_option_text: {
    zh: "应为某个选项的值（文字）",
    en: "expected the value of an option, a text",
  },
  value_no_option: {
    zh: "`{text}` 不是选项；选项有：{known}",
    en: "`{text}` is none of the options: {known}",
  },
  value_twice: {
    zh: "`{text}` 选了两次",
    en: "`{text}` was chosen twice",
  },
  value_one_option: {
    zh: "只能选一个选项，收到了 {count} 个",
    en: "expected exactly one option, got {count}",
  },
  value_confirmation: {
    zh: "应为 {shape}",
    en: "expected {shape}",
  },
  value_unseen: {
    zh: "该修改未完整显示，同意时必须说明是否已全部打开：应为 {shape}",
    en: "the change is not shown whole, and a yes says whether it was opened: expected {shape}",
  },
  another_whole: {
    zh: "`whole` 指的不是所问的这个修改",
    en: "`whole` names another change than the one asked about",
  },
  value_unknown_field: {
    zh: "未知的字段：应为 {shape}",
    en: "unknown field: expected {shape}",
  },
  value_text: {
    zh: "应为文字",
    en: "expected a text",
  },
  value_approval_feedback: {
    zh: "同意时不能附带意见；要提意见请选择“要求修改”",
    en: "an approval has no feedback: request changes instead",
  },
  value_feedback_empty: {
    zh: "请写明要改什么：意见是空的",
    en: "say what to change: the feedback is empty",
  },
  value_items: {
    zh: "应为条目编号和文字组成的对象",
    en: "expected an object of item ids and texts",
  },
  value_unknown_item: {
    zh: "未知的条目；条目有：{known}",
    en: "unknown item: the items are {known}",
  },
  value_no_action: {
    zh: "`{text}` 不是可选的操作；操作有：{known}",
    en: "`{text}` is none of the actions: {known}",
  },
  value_action_text: {
    zh: "应为某个操作的编号（文字）：{known}",
    en: "expected the id of an action, a text: {known}",
  },
  value_other: {
    zh: "{why}",
    en: "{why}",
  },
  the_export: {
    zh: "写入导出文件",
    en: "writing the export",
  },
  export_ended: {
    zh: "导出提前结束了",
    en: "the export ended early",
  },
  free_or_elsewhere: {
    zh: "请腾出一些空间或选择另一个位置，然后重新导出。",
    en: "Free some space or choose another place, then export again.",
  },
  not_packed: {
    zh: "无法打包导出内容",
    en: "the export cannot be packed",
  },
  exists: {
    zh: "`{name}` 已经存在",
    en: "`{name}` exists already",
  },
  other_name_or_force: {
    zh: "请换一个名称，或加 --force 替换它。",
    en: "Choose another name, or pass --force to replace it.",
  },
  export_part: {
    zh: "导出内容的一部分：{why}",
    en: "a part of the export: {why}",
  },
  no_run_in_journal: {
    zh: "日志不是以运行开始的",
    en: "the journal does not begin with a run",
  },
  holds: {
    zh: "{entry} 第 {line} 行含有{what}；没有导出任何内容",
    en: "{entry}, line {line}, holds {what}; nothing was exported",
  },
  a_key: {
    zh: "API 密钥",
    en: "an API key",
  },
  the_runs_file: {
    zh: "运行的文件 `{name}`",
    en: "the run's file `{name}`",
  },
  over_export_limit: {
    zh: "导出内容超出上限 `{limit}`（{max}）：{found}",
    en: "the export is over the limit `{limit}` of {max}: {found}",
  },
  free_temp: {
    zh: "请在系统的临时文件夹中腾出空间，然后重试。",
    en: "Free space in the system's temporary folder, then try again.",
  },
  not_usable: {
    zh: "无法使用导出的运行：{why}",
    en: "the exported run cannot be used: {why}",
  },
  the_exported_run: {
    zh: "导出的运行 `{name}`",
    en: "the exported run `{name}`",
  },
  choose_exported: {
    zh: "请选择由 `crewagent runs export` 生成的文件。",
    en: "Choose a file made by `crewagent runs export`.",
  },
  run_entry_unsafe: {
    zh: "导出的运行中的 `{entry}`：{why}",
    en: "the exported run's entry `{entry}`: {why}",
  },
  run_over_limit: {
    zh: "导出的运行超出上限 `{limit}`（{max}）",
    en: "the exported run is over the limit `{limit}` of {max}",
  },
  run_over_limit_at: {
    zh: "导出的运行在 `{entry}` 处超出上限 `{limit}`（{max}）",
    en: "the exported run is over the limit `{limit}` of {max} at `{entry}`",
  },
  entry_missing: {
    zh: "缺少 `{name}`",
    en: "`{name}` is missing",
  },
  journal_not_utf8: {
    zh: "journal.jsonl 不是 UTF-8 文本",
    en: "journal.jsonl is not UTF-8 text",
  },
  header_broken: {
    zh: "crewrun.json：{why}",
    en: "crewrun.json: {why}",
  },
  header_says_not: {
    zh: "crewrun.json 没有说明它是导出的运行",
    en: "crewrun.json does not say that it is one",
  },
  header_no_version: {
    zh: "crewrun.json 没有本程序认识的版本",
    en: "crewrun.json has no version this program knows",
  },
  run_format: {
    zh: "导出的运行的格式是 {version}，本程序只认识到 {known}",
    en: "the exported run has format {version}, this program knows up to {known}",
  },
  journal_lines: {
    zh: "journal.jsonl 应有 {should} 行，只有 {has} 行",
    en: "journal.jsonl has {has} of {should} lines",
  },
  journal_order: {
    zh: "journal.jsonl 的第 {line} 行与前一行不连续",
    en: "line {line} of journal.jsonl does not follow the one before",
  },
  journal_empty: {
    zh: "journal.jsonl 是空的",
    en: "journal.jsonl is empty",
  },
  journal_format: {
    zh: "journal.jsonl 第 {line} 行的格式是 {format}，本程序只认识到 {known}",
    en: "line {line} of journal.jsonl has format {format}, this program knows up to {known}",
  },
  journal_unreadable: {
    zh: "无法读取 journal.jsonl 的第 {line} 行：{why}",
    en: "line {line} of journal.jsonl cannot be read: {why}",
  },
  update_or_export: {
    zh: "请更新程序；如果已是最新版本，请重新导出。",
    en: "Update the program; if it is the newest, export again.",
  },
  package_of_another: {
    zh: "其中的流程包不是这个运行的",
    en: "the package in it is not the one of the run",
  },
  its_artifacts_folder: {
    zh: "产物文件夹：{why}",
    en: "the artifacts folder: {why}",
  },
  the_scratch_folder: {
    zh: "重放用的临时文件夹",
    en: "the scratch folder of the replay",
  },
  not_made_here: {
    zh: "文件或文件夹中有不是这个运行写的内容",
    en: "the file or folder held what this run did not make",
  },
  changed_by_others: {
    zh: "别人修改了这个文件",
    en: "someone else changed the file",
  },
  never_found_out: {
    zh: "无法得知它是否发生过",
    en: "nobody could find out whether it had happened",
  },
  holds_folders: {
    zh: "文件中写有当时那台机器的文件夹",
    en: "the file names folders of the machine it was written on",
  },
  disk_refused: {
    zh: "当时磁盘拒绝了它",
    en: "the disk refused it then",
  },
  outside_files: {
    zh: "它涉及本机文件之外的内容",
    en: "it reached outside this machine's files",
  },
  other_context: {
    zh: "当时的 model.contextTokens 不同",
    en: "model.contextTokens was another one then",
  },
  lost_edit: {
    zh: "导出中没有被拒绝的那次人工修改",
    en: "the refused text of a person's edit is not in the export",
  },
  taken_over: {
    zh: "它是从另一个程序的数据导入的",
    en: "it was taken over from another program's store",
  },
  other_limit: {
    zh: "当时的 engine.maxTurns 不同",
    en: "engine.maxTurns was another one then",
  },
  found_in: {
    zh: "{file}：{says}",
    en: "{file}: {says}",
  },
  no_manifest: {
    zh: "流程包的顶层没有 bmad.json",
    en: "the package has no bmad.json at its top",
  },
  classic_package: {
    zh: "这是旧格式的工作流（YAML 或 XML），只能运行 1.1 格式的流程包",
    en: "this is a classic workflow (YAML or XML); only packages of format 1.1 can be run",
  },
  outside_package: {
    zh: "`{path}` 不是流程包内的路径：{why}",
    en: "`{path}` is not a path inside the package: {why}",
  },
  not_in_package: {
    zh: "流程包中没有 `{path}`",
    en: "`{path}` is not in the package",
  },
  file_too_large: {
    zh: "文件有 {bytes} 字节，最多读取 {max} 字节",
    en: "the file has {bytes} bytes; at most {max} are read",
  },
  file_not_text: {
    zh: "文件不是 UTF-8 文本",
    en: "the file is not UTF-8 text",
  },
  json_broken: {
    zh: "不是有效的 JSON，第 {line} 行第 {column} 列（解析器：{why}）",
    en: "not valid JSON at line {line}, column {column} (the parser: {why})",
  },
  duplicate_agent: {
    zh: "智能体 id `{id}` 出现了两次",
    en: "the agent id `{id}` is used twice",
  },
  hidden_character: {
    zh: "名称 `{name}` 含有看不见的字符",
    en: "the name `{name}` holds a character that cannot be seen",
  },
  duplicate_workflow: {
    zh: "工作流 id `{id}` 出现了两次",
    en: "the workflow id `{id}` is used twice",
  },
  duplicate_node: {
    zh: "节点 id `{id}` 出现了两次",
    en: "the node id `{id}` is used twice",
  },
  unknown_entry: {
    zh: "入口节点 `{id}` 不在图中",
    en: "the entry node `{id}` is not in the graph",
  },
  dangling_edge: {
    zh: "一条边指向节点 `{id}`，但它不在图中",
    en: "an edge names the node `{id}`, which is not in the graph",
  },
  unknown_agent: {
    zh: "节点 `{node}` 需要智能体 `{agent}`，但 agents.json 中没有",
    en: "node `{node}` wants the agent `{agent}`, which agents.json does not have",
  },
  step_unknown_agent: {
    zh: "文件头指定了智能体 `{agent}`，但 agents.json 中没有",
    en: "the front matter names the agent `{agent}`, which agents.json does not have",
  },
  not_markdown: {
    zh: "文件名不以 .md 结尾",
    en: "the file name does not end in .md",
  },
  node_id_mismatch: {
    zh: "文件头的 nodeId 是 `{said}`，图中是 `{graph}`",
    en: "the front matter says nodeId `{said}`, the graph says `{graph}`",
  },
  type_mismatch: {
    zh: "文件头的 type 是 `{said}`，图中是 `{graph}`",
    en: "the front matter says type `{said}`, the graph says `{graph}`",
  },
  output_unchecked: {
    zh: "节点 `{node}` 的产出 `{output}` 无法检查：{why}",
    en: "the output `{output}` of node `{node}` cannot be checked: {why}",
  },
  input_outside: {
    zh: "节点 `{node}` 的输入 `{input}` 无法从项目中读取：{why}",
    en: "the input `{input}` of node `{node}` cannot be read from the project: {why}",
  },
  duplicate_output: {
    zh: "节点 `{first}` 和 `{second}` 都声明了 `{path}`",
    en: "nodes `{first}` and `{second}` both declare `{path}`",
  },
  condition_broken: {
    zh: "条件 {from} → {to} 无法求值：{why}",
    en: "the condition {from} → {to} cannot be evaluated: {why}",
  },
  no_such_operator: {
    zh: "没有运算符 `{name}`",
    en: "there is no operator `{name}`",
  },
  operator_not_alone: {
    zh: "一个对象只能有一个运算符",
    en: "an object holds one operator and nothing else",
  },
  variable_not_named: {
    zh: "`var` 和 `missing` 要用普通文本指明变量",
    en: "`var` and `missing` name variables by plain texts",
  },
  condition_too_long: {
    zh: "它超过 {parts} 个部分，或有一段文本超过 {bytes} 字节",
    en: "it has more than {parts} parts, or a text of more than {bytes} bytes",
  },
  condition_too_deep: {
    zh: "它的嵌套超过 {levels} 层",
    en: "it has more than {levels} levels",
  },
  too_many: {
    zh: "`{what}` 有 {count} 项，最多读取 {max} 项",
    en: "`{what}` has {count} entries; at most {max} are read",
  },
  too_much_to_read: {
    zh: "流程包引用的文件合计超过 {bytes} 字节（重复引用按次数计算）",
    en: "the files that this package names are more than {bytes} bytes in all, counted as often as they are named",
  },
  too_heavy_to_read: {
    zh: "流程包引用的文件中的值占用内存超过 {bytes} 字节（重复引用按次数计算）",
    en: "the values of the files that this package names take more than {bytes} bytes of memory, counted as often as they are named",
  },
  variable_never_set: {
    zh: "条件 {from} → {to} 用到变量 `{name}`，但没有步骤设置它",
    en: "the condition {from} → {to} asks for the variable `{name}`, which no step sets",
  },
  runs_as_step: {
    zh: "节点 `{node}` 是子工作流，会作为普通步骤运行",
    en: "node `{node}` is a subworkflow; it runs as a plain step",
  },
  step_too_long: {
    zh: "约 {tokens} 个词元；小模型上下文的四分之一是 {max}",
    en: "about {tokens} tokens; a quarter of a small model's context is {max}",
  },
  updated_at_empty: {
    zh: "`updatedAt` 为空，运行开始时会写入",
    en: "`updatedAt` is empty; the start of a run writes it",
  },
  agent_without_files: {
    zh: "节点 `{node}` 由智能体 `{agent}` 执行，该智能体没有文件工具，因此永远无法离开此节点",
    en: "node `{node}` is done by the agent `{agent}`, which has no file tools, so it can never be left",
  },
  no_agent_with_files: {
    zh: "没有一个智能体有文件工具，因此永远无法离开节点 `{node}`",
    en: "no agent has file tools, so node `{node}` can never be left",
  },
  node_unreachable: {
    zh: "从入口没有路径到达节点 `{node}`",
    en: "no path leads from the entry to node `{node}`",
  },
  never_ends: {
    zh: "从这些节点无法到达 end 节点：{nodes}",
    en: "no end node can be reached from {nodes}",
  },
  several_entries: {
    zh: "有多个节点没有入边：{nodes}",
    en: "several nodes have no edge leading to them: {nodes}",
  },
  loop_without_decision: {
    zh: "循环 {nodes} 中没有决策节点",
    en: "the loop {nodes} has no decision node",
  },
  loop_without_exit: {
    zh: "没有边离开循环 {nodes}",
    en: "no edge leaves the loop {nodes}",
  },
  no_default_edge: {
    zh: "决策节点 `{node}` 没有默认边",
    en: "decision node `{node}` has no default edge",
  },
  several_default_edges: {
    zh: "节点 `{node}` 有 {count} 条默认边",
    en: "node `{node}` has {count} default edges",
  },
  one_choice: {
    zh: "决策节点 `{node}` 只有一条出边，没有可选择的",
    en: "decision node `{node}` has only one edge, so there is nothing to decide",
  },
  integrity_unknown: {
    zh: "`integrity.sha256` 无法从流程包内验证",
    en: "`integrity.sha256` cannot be verified from inside the package",
  },
  more_findings: {
    zh: "至少还有 {count} 条结果未显示",
    en: "at least {count} more findings are not shown",
  },
  about: {
    zh: "{thing}：{why}",
    en: "{thing}: {why}",
  },
  in_its_words: {
    zh: "原文：{why}",
    en: "{why}",
  },
  ended_early: {
    zh: "运行时的一个任务提前结束了",
    en: "a task of the runtime ended early",
  },
  report_defect: {
    zh: "请报告此问题：这是程序的缺陷。",
    en: "Report this: it is a defect of the program.",
  },
  window_malformed: {
    zh: "窗口发出的请求格式不对：{why}",
    en: "the window asked for something malformed: {why}",
  },
  reload_window: {
    zh: "请重新加载窗口（Ctrl+R）。如果再次发生，请报告此问题。",
    en: "Reload the window (Ctrl+R). If it happens again, please report it.",
  },
  refresh_the_list: {
    zh: "请刷新列表。",
    en: "Refresh the list.",
  },
  update_the_program: {
    zh: "请更新程序。",
    en: "Update the program.",
  },
  free_some_space: {
    zh: "请腾出一些空间，然后重试。",
    en: "Free some space, then try again.",
  },
  one_of: {
    zh: "请使用其中之一：{names}。",
    en: "Use one of {names}.",
  },
  disk_not_found: {
    zh: "不存在",
    en: "not found",
  },
  disk_permission_denied: {
    zh: "没有权限",
    en: "permission denied",
  },
  disk_read_only: {
    zh: "磁盘是只读的",
    en: "the disk is read only",
  },
  disk_full: {
    zh: "磁盘已满",
    en: "the disk is full",
  },
  disk_already_exists: {
    zh: "已经存在",
    en: "already exists",
  },
  disk_is_a_folder: {
    zh: "是一个文件夹",
    en: "is a folder",
  },
  disk_is_no_folder: {
    zh: "不是文件夹",
    en: "is not a folder",
  },
  disk_other: {
    zh: "系统报告：{words}",
    en: "{words}",
  },
  source_unreadable: {
    zh: "无法读取所选的文件夹：{why}",
    en: "the chosen folder cannot be read: {why}",
  },
  source_is_ours: {
    zh: "所选的文件夹是本程序的数据文件夹，不是 Electron 版的",
    en: "the chosen folder is a store of this program, not of an Electron runtime",
  },
  source_is_another: {
    zh: "所选的文件夹中没有 Electron 版的数据",
    en: "the chosen folder holds none of the files of an Electron runtime's store",
  },
  choose_old_store: {
    zh: "请选择旧程序的 runtime-store 文件夹，或它的上一级。",
    en: "Choose the old program's runtime-store folder, or the one above it.",
  },
  the_state_folder_of_a_run: {
    zh: "运行的状态文件夹",
    en: "the state folder of a run",
  },
  allow_and_import: {
    zh: "请腾出磁盘空间或允许写入数据文件夹，然后重新导入。",
    en: "Free disk space or allow writing to the store, then import again.",
  },
  too_many_names: {
    zh: "文件夹中的名称太多",
    en: "the folder holds too many names",
  },
  import_not_text: {
    zh: "它不是 UTF-8 文本",
    en: "it is not UTF-8 text",
  },
  file_over: {
    zh: "它超过 {limit} 字节",
    en: "it has more than {limit} bytes",
  },
  json_cut: {
    zh: "它中途结束了",
    en: "it ends too early",
  },
  json_no_array: {
    zh: "它不是 JSON 数组",
    en: "it is no JSON array",
  },
  json_wrong: {
    zh: "它不是有效的 JSON",
    en: "it is not valid JSON",
  },
  at_place: {
    zh: "{why}（第 {line} 行第 {column} 列）",
    en: "{why} (line {line}, column {column})",
  },
  no_plain_file: {
    zh: "{name} 是链接，或不是普通文件",
    en: "{name} is a link or another thing that is no plain file",
  },
  no_plain_folder: {
    zh: "那里是链接，或不是文件夹",
    en: "a link or another thing that is no folder stands there",
  },
  folder_is_no_id: {
    zh: "文件夹的名称不能作为编号",
    en: "the name of the folder is no id",
  },
  no_list: {
    zh: "它不是列表",
    en: "it is no list",
  },
  no_list_nor_map: {
    zh: "它既不是列表，也不是键值映射",
    en: "it is neither a list nor a map",
  },
  no_object: {
    zh: "它不是 JSON 对象",
    en: "it is no JSON object",
  },
  only_state_and_logs: {
    zh: "运行中只导入状态文档和日志",
    en: "only the state document and the logs of a run are taken over",
  },
  name_unusable: {
    zh: "它的名称不是在所有系统上都能用",
    en: "its name cannot be used on every system",
  },
  folders_too_deep: {
    zh: "文件夹嵌套太深",
    en: "folders lie too deep in each other",
  },
  special_file: {
    zh: "它是链接或特殊文件",
    en: "it is a link or a special file",
  },
  entry_without: {
    zh: "条目 {entry} 没有 `{name}`",
    en: "the entry {entry} has no `{name}`",
  },
  entry_unsafe_id: {
    zh: "条目 {entry} 的 `{name}` 不能用作文件名",
    en: "the `{name}` of the entry {entry} cannot name a file",
  },
  entry_no_object: {
    zh: "条目 {entry} 不是 JSON 对象",
    en: "the entry {entry} is not a JSON object",
  },
  package_unsafe_id: {
    zh: "登记的流程包的编号不能用作文件名",
    en: "the id of a registered package cannot name a file",
  },
  package_without_folder: {
    zh: "流程包已登记，但它的文件夹不见了",
    en: "the package is registered, but its folder is missing",
  },
  package_twice: {
    zh: "流程包登记了两次",
    en: "the package is registered twice",
  },
  package_no_object: {
    zh: "条目不是含有 `packageId` 的对象",
    en: "the entry is no object with a `packageId`",
  },
  package_unlisted: {
    zh: "packages.json 中没有这个流程包，它是在磁盘上找到的",
    en: "packages.json does not know the package; it was found on the disk",
  },
  project_twice: {
    zh: "项目列出了两次",
    en: "the project is listed twice",
  },
  project_unlisted: {
    zh: "projects.json 中没有这个项目，所以也不知道它的文件夹：请重新打开文件夹来绑定",
    en: "projects.json does not know the project, so its folder is not known either: open the folder again to bind it",
  },
  project_not_named: {
    zh: "没有写明它的文件夹，或写得不完整：请重新打开它来绑定",
    en: "its folder is not named, or not in full: open it again to bind it",
  },
  project_gone: {
    zh: "它的文件夹已不在那里：请在新位置打开它来绑定",
    en: "its folder is not there any more: open it at its new place to bind it",
  },
  run_twice: {
    zh: "已经有一个同样编号的运行",
    en: "a run of this id was met before",
  },
  run_already: {
    zh: "它的会话已在这里，但没有这个运行",
    en: "its conversation is here already, without it",
  },
  run_no_state: {
    zh: "缺少它的状态文档 workflow.md",
    en: "its state document, workflow.md, is missing",
  },
  run_no_package: {
    zh: "它的流程包不在可用的流程包之中",
    en: "its package is not among the usable ones",
  },
  run_wrong_names: {
    zh: "它的工作流或智能体的名称不是有效的名称",
    en: "its workflow or its agent has a name that is none",
  },
  run_phase: {
    zh: "它的 `phase` 不是五种之一：按等待你处理",
    en: "its `phase` is none of the five: it waits for the person",
  },
  run_read_only: {
    zh: "运行 {run} 只能阅读，不能继续：{why}",
    en: "the run {run} was taken over to be read only: {why}",
  },
  conversation_twice: {
    zh: "已经有一个同样编号的会话",
    en: "a conversation of this id was met before",
  },
  conversation_without_folder: {
    zh: "会话已列出，但它的文件夹不见了",
    en: "the conversation is listed, but its folder is missing",
  },
  conversation_empty: {
    zh: "它没有 messages.json，是空的",
    en: "it has no messages.json and is empty",
  },
  conversation_unlisted: {
    zh: "conversations/index.json 中没有它，它是在磁盘上找到的",
    en: "conversations/index.json does not know it; it was found on the disk",
  },
  messages_read: {
    zh: "{why}；能读出 {count} 条消息",
    en: "{why}; {count} messages could be read",
  },
  nothing_read: {
    zh: "它的内容都无法读取",
    en: "nothing of it could be read",
  },
  more_problems: {
    zh: "这个文件还有 {count} 个问题没有列出",
    en: "{count} more problems of this file are not listed",
  },
  repaired: {
    zh: "{what}",
    en: "{what}",
  },
  message_role: {
    zh: "`role` 不是四种之一",
    en: "the `role` is none of the four",
  },
  message_content: {
    zh: "`content` 不是文字",
    en: "the `content` is not a text",
  },
  message_no_content: {
    zh: "用户的消息没有 `content`",
    en: "a message of a person has no `content`",
  },
  message_no_id: {
    zh: "它没有编号",
    en: "it has no id",
  },
  message_twice: {
    zh: "消息 {message} 的编号与之前的相同",
    en: "the message {message} has the id of an earlier one",
  },
  message_widget: {
    zh: "它的控件不是六种之一：显示它的文字",
    en: "its widget is none of the six: its words are shown",
  },
  message_no_call: {
    zh: "它没有指明调用，所以不会再给模型看",
    en: "it names no call, so no model sees it again",
  },
  message_no_time: {
    zh: "`createdAt` 不是时间：用前一条的时间代替",
    en: "`createdAt` is no time: the one before stands in",
  },
  message_older: {
    zh: "它早于前一条：以文件中的顺序为准",
    en: "it is older than the one before: the order of the file holds",
  },
  message_new_id: {
    zh: "它的 `id` 缺少或不能使用：已换成新的",
    en: "its `id` is missing or unsafe: it has a new one",
  },
  message_calls_no_list: {
    zh: "`tool_calls` 不是列表，已略去",
    en: "`tool_calls` is no list and was dropped",
  },
  message_call_nameless: {
    zh: "调用 {call} 没有指明工具，已略去",
    en: "the call {call} names no tool and was dropped",
  },
  message_call_new_id: {
    zh: "调用 {call} 的编号之前用过：已换成新的",
    en: "the id of call {call} was used before: it has a new one",
  },
  message_part: {
    zh: "`partType` 不是五种之一，已推断出来",
    en: "`partType` is none of the five and was inferred",
  },
  message_widget_no_object: {
    zh: "`widget` 不是对象，已略去",
    en: "`widget` is no object and was dropped",
  },
  message_no_such_id: {
    zh: "`{name}` 不是编号，已略去",
    en: "`{name}` is no id and was dropped",
  },
  message_no_output: {
    zh: "`fullOutputPath` 不是别名路径，已略去",
    en: "`fullOutputPath` is no alias path and was dropped",
  },
  setting_no_text: {
    zh: "它不是文字",
    en: "it is no text",
  },
  setting_default_budget: {
    zh: "它是所有模型的默认值；现在改为询问服务器",
    en: "it was the default of every model; the server is asked instead",
  },
  setting_no_theme: {
    zh: "这里没有这个主题",
    en: "there is no such theme here",
  },
  setting_no_language: {
    zh: "这里没有这个语言",
    en: "there is no such language here",
  },
  setting_group: {
    zh: "这组设置在这里没有对应项",
    en: "this group has no counterpart here",
  },
  setting_unknown: {
    zh: "这里没有这个设置项",
    en: "this field is not known here",
  },
  setting_custom: {
    zh: "这里称为 `custom`",
    en: "it is called `custom` here",
  },
  setting_no_provider: {
    zh: "这里没有这个服务商",
    en: "there is no such provider here",
  },
  setting_end_cut: {
    zh: "去掉了末尾的 `/chat/completions`",
    en: "the end `/chat/completions` was taken off",
  },
  setting_v1: {
    zh: "补上了路径 `/v1`",
    en: "the path `/v1` was added",
  },
  key_of_other_server: {
    zh: "它属于另一台服务器，不是这里设置的那台",
    en: "it is for another server than the one that is set here",
  },
  keys_on_request: {
    zh: "只有你要求时才会导入密钥",
    en: "keys are taken over only when you ask for it",
  },
  unknown_property: {
    zh: "这里没有属性 {names}",
    en: "the format has no property {names} here",
  },
  missing_property: {
    zh: "缺少属性 `{name}`",
    en: "the property `{name}` is missing",
  },
  value_not_allowed: {
    zh: "{value} 不是允许的值",
    en: "{value} is not an allowed value",
  },
  value_of_other_type: {
    zh: "{value} 的类型不对",
    en: "{value} is of the wrong type",
  },
  value_malformed: {
    zh: "{value} 的格式不对",
    en: "{value} is not of the right form",
  },
  text_empty: {
    zh: "文本为空",
    en: "the text is empty",
  },
  text_too_long: {
    zh: "文本超过 {max} 个字符",
    en: "the text is longer than {max} characters",
  },
  list_too_short: {
    zh: "列表的项太少",
    en: "the list has too few entries",
  },
  number_too_small: {
    zh: "{value} 太小",
    en: "{value} is too small",
  },
  number_too_large: {
    zh: "{value} 太大",
    en: "{value} is too large",
  },
  value_unfit: {
    zh: "值不符合流程包的格式：{why}",
    en: "the value does not fit the package format: {why}",
  },
  matter_missing: {
    zh: "缺少文件头：文件必须以一行 `---` 开始",
    en: "the front matter is missing: the file must start with a line `---`",
  },
  matter_not_first: {
    zh: "文件头前面有空白：`---` 必须是文件最前面的字符",
    en: "there is blank space before the front matter: `---` must be the very first characters",
  },
  matter_not_closed: {
    zh: "文件头没有结束：没有第二行 `---`",
    en: "the front matter is not closed: there is no second `---` line",
  },
  matter_too_large: {
    zh: "文件头有 {bytes} 字节，超过允许的 {max} 字节",
    en: "the front matter has {bytes} bytes, more than the {max} allowed",
  },
  matter_too_deep: {
    zh: "文件头的括号嵌套过深",
    en: "the front matter nests brackets too deeply",
  },
  matter_too_much: {
    zh: "文件头展开别名后超过 {values} 个值或 {bytes} 字节文本",
    en: "the front matter holds more than {values} values or {bytes} bytes of text when its aliases are written out",
  },
  matter_change_too_large: {
    zh: "在 {bytes} 字节的文件头中一次修改 {keys} 个键太多了",
    en: "{keys} keys at once are too many to change in a front matter of {bytes} bytes",
  },
  matter_not_yaml: {
    zh: "文件头不是有效的 YAML：{why}",
    en: "the front matter is not valid YAML: {why}",
  },
  matter_no_map: {
    zh: "文件头必须是键值映射",
    en: "the front matter must be a map of keys to values",
  },
  matter_number: {
    zh: "文件头 {at}：{value} 不是有限的数",
    en: "front matter {at}: {value} is not a finite number",
  },
  matter_key: {
    zh: "文件头 {at}：键必须是纯文本",
    en: "front matter {at}: a key must be a plain text",
  },
  matter_key_twice: {
    zh: "文件头 {at}：键 `{key}` 出现了两次",
    en: "front matter {at}: the key `{key}` stands twice",
  },
  matter_key_stuck: {
    zh: "无法只修改文件头中的 `{key}` 而不影响其他键",
    en: "the front matter key `{key}` cannot be changed without touching others",
  },
  matter_tag: {
    zh: "文件头 {at}：不支持标签 {tag}",
    en: "front matter {at}: the tag {tag} is not supported",
  },
  path_unknown_mount: {
    zh: "路径必须以 @project、@pkg 或 @state 开头",
    en: "a path must start with @project, @pkg or @state",
  },
  path_absolute: {
    zh: "不允许绝对路径",
    en: "absolute paths are not allowed",
  },
  path_climbs: {
    zh: "不允许 `..`",
    en: "`..` is not allowed",
  },
  path_control: {
    zh: "不允许控制字符",
    en: "control characters are not allowed",
  },
  path_hidden: {
    zh: "不允许看不见的字符",
    en: "characters that cannot be seen are not allowed",
  },
  path_device: {
    zh: "这是系统保留的设备名",
    en: "this is a reserved device name",
  },
  path_colon: {
    zh: "文件名中不允许 `:`",
    en: "`:` is not allowed in a file name",
  },
  path_dot_or_space: {
    zh: "文件名不能以点结尾，也不能以空格开头或结尾",
    en: "a file name must not end in a dot, nor begin or end with a space",
  },
  path_too_long: {
    zh: "路径过长",
    en: "the path is too long",
  },
  no_id: {
    zh: "`{text}` 不是有效的{kind}：{why}",
    en: "`{text}` is not a valid {kind}: {why}",
  },
  id_of_package: {
    zh: "流程包编号",
    en: "package id",
  },
  id_of_workflow: {
    zh: "工作流编号",
    en: "workflow id",
  },
  id_of_agent: {
    zh: "智能体编号",
    en: "agent id",
  },
  id_of_node: {
    zh: "节点编号",
    en: "node id",
  },
  id_of_project: {
    zh: "项目编号",
    en: "project id",
  },
  id_of_run: {
    zh: "运行编号",
    en: "run id",
  },
  id_of_conversation: {
    zh: "会话编号",
    en: "conversation id",
  },
  id_of_message: {
    zh: "消息编号",
    en: "message id",
  },
  id_of_change: {
    zh: "改动编号",
    en: "change id",
  },
  id_empty: {
    zh: "它是空的",
    en: "it is empty",
  },
  id_too_long: {
    zh: "它太长",
    en: "it is too long",
  },
  id_start: {
    zh: "它必须以字母或数字开头",
    en: "it must start with a letter or a digit",
  },
  id_characters: {
    zh: "只能含字母、数字和 . _ : -",
    en: "only letters, digits and . _ : - are allowed",
  },
  output_elsewhere: {
    zh: "只有项目中的文件才能是产出",
    en: "only files of the project can be outputs",
  },
  output_folder: {
    zh: "它是文件夹，不是文件",
    en: "it names a folder, not a file",
  },
  output_pattern: {
    zh: "它是模式，不是一个文件的名称",
    en: "it is a pattern, not the name of one file",
  },
  output_words: {
    zh: "它像一段描述，不像路径",
    en: "it reads like a description, not like a path",
  },
  answered: {
    zh: "{host} 的回应是 {status}",
    en: "{host} answered {status}",
  },
  ended_with_error: {
    zh: "{host} 以错误结束了回答",
    en: "{host} ended its answer with an error",
  },
  no_connection: {
    zh: "未能及时连接到 {host}",
    en: "no connection to {host} in time",
  },
  unreachable: {
    zh: "无法连接到 {host}：{why}",
    en: "{host} cannot be reached: {why}",
  },
  connection_broke: {
    zh: "与 {host} 的连接中断：{why}",
    en: "the connection to {host} broke: {why}",
  },
  was_silent: {
    zh: "{host} 已有 {seconds} 秒{what}",
    en: "{host} sent {what} for {seconds} s",
  },
  silent_nothing: {
    zh: "没有发来任何内容",
    en: "nothing",
  },
  silent_nothing_more: {
    zh: "没有再发来内容",
    en: "nothing more",
  },
  silent_no_whole_answer: {
    zh: "没有发来完整的回答",
    en: "no whole answer",
  },
  unreadable_answer: {
    zh: "无法读取 {host} 的回答：{why}",
    en: "the answer of {host} cannot be read: {why}",
  },
  answer_web_page: {
    zh: "它是一个网页",
    en: "it is a web page",
  },
  answer_longer_than: {
    zh: "它超过 {size}",
    en: "it is longer than {size}",
  },
  answer_cut_off: {
    zh: "它中途断开了",
    en: "it was cut off in the middle",
  },
  answer_not_json: {
    zh: "它不是 JSON（{why}）",
    en: "it is not JSON ({why})",
  },
  answer_no_choices: {
    zh: "其中没有 `choices`",
    en: "it has no `choices`",
  },
  answer_event_not_json: {
    zh: "有一个事件不是 JSON（{why}）",
    en: "an event is not JSON ({why})",
  },
  answer_ended_early: {
    zh: "模型还没有说完它就结束了",
    en: "it ended before the model was done",
  },
  answer_no_stream: {
    zh: "它不是事件流（{why}）",
    en: "it is no event stream ({why})",
  },
  a_web_page: {
    zh: "一个网页",
    en: "a web page",
  },
  answered_nothing: {
    zh: "模型什么也没有回答",
    en: "the model answered nothing",
  },
  only_thought: {
    zh: "模型只思考，没有回答",
    en: "the model thought, and answered nothing",
  },
  too_many_calls: {
    zh: "模型一次请求了超过 {max} 个调用",
    en: "the model asked for more than {max} calls at once",
  },
  arguments_too_long: {
    zh: "模型发出的一个调用的参数超过 {bytes} 字节",
    en: "the model sent a call with arguments of more than {bytes} bytes",
  },
  call_name_too_long: {
    zh: "模型发出的一个调用的名称超过 {bytes} 字节",
    en: "the model sent a call with a name of more than {bytes} bytes",
  },
  calls_too_long: {
    zh: "模型发出的调用的参数总共超过 {size}",
    en: "the model sent calls with arguments of more than {size} in all",
  },
  reply_too_long: {
    zh: "模型的回复超过 {size}",
    en: "the model's reply is longer than {size}",
  },
  answer_withheld: {
    zh: "模型服务商没有给出这个回答",
    en: "the model's provider withheld the answer",
  },
  try_or_choose_another: {
    zh: "请重试；如果仍然如此，请换一个模型。",
    en: "Try again; if it stays, choose another model.",
  },
  say_otherwise: {
    zh: "请换一种说法，或换一个模型。",
    en: "Say it in other words, or choose another model.",
  },
  called_in_turn: {
    zh: "{tools} 已被轮流调用 {times} 次，结果都一样",
    en: "{tools} were called in turn {times} times with the same outcome",
  },
  check_server_runs: {
    zh: "请检查服务器是否在运行、地址是否正确。",
    en: "Check that the server runs and the address is right.",
  },
  nothing_listens: {
    zh: "{address} 上没有服务器在监听。",
    en: "Nothing is listening on {address}.",
  },
  no_such_server: {
    zh: "没有名为 {address} 的服务器。",
    en: "There is no server called {address}.",
  },
  is_it_started: {
    zh: "{server} 启动了吗？请启动它，或在设置中更正地址。",
    en: "Is {server} started? Start it, or correct the address in the settings.",
  },
  is_the_server_started: {
    zh: "模型服务器启动了吗？请启动它，或在设置中更正地址。",
    en: "Is the model server started? Start it, or correct the address in the settings.",
  },
  check_network: {
    zh: "请检查网络，以及设置中的服务器地址。",
    en: "Check the network and the server's address in the settings.",
  },
  raise_time_limits: {
    zh: "请重试；如果模型较慢，请在设置中提高时限。",
    en: "Try again; for a slow model raise the time limits in the settings.",
  },
  check_v1_again: {
    zh: "请重试；如果仍然如此，请检查服务器地址：它通常以 /v1 结尾。",
    en: "Try again; if it stays, check the server's address: it usually ends in /v1.",
  },
  check_v1: {
    zh: "请检查设置中的服务器地址：它通常以 /v1 结尾。",
    en: "Check the server's address in the settings: it usually ends in /v1.",
  },
  check_key: {
    zh: "请检查设置中的 API 密钥。",
    en: "Check the API key in the settings.",
  },
  wait_or_quota: {
    zh: "请稍等片刻，或检查你账户的额度。",
    en: "Wait a little, or check the quota of your account.",
  },
  try_again: {
    zh: "请重试。",
    en: "Try again.",
  },
  shorten_or_larger: {
    zh: "请缩短会话，或选择上下文更大的模型。",
    en: "Shorten the conversation, or choose a model with a larger context.",
  },
  choose_a_model: {
    zh: "请选择服务器上已有的模型；那里没有 `{model}`。",
    en: "Choose a model the server has; `{model}` is not there.",
  },
  see_servers_log: {
    zh: "请重试；如果仍然如此，服务器的日志里有更多信息。",
    en: "Try again; if it stays, the server's log says more.",
  },
  not_configured: {
    zh: "没有配置模型：{why}",
    en: "no model is configured: {why}",
  },
  no_address: {
    zh: "没有设置服务器地址",
    en: "no server address is set",
  },
  no_model_name: {
    zh: "没有设置模型名称",
    en: "no model name is set",
  },
  set_address_and_name: {
    zh: "请在设置中填写服务器地址和模型名称。",
    en: "Set the server's address and the model's name in the settings.",
  },
  not_connected: {
    zh: "没有连接模型：服务器地址或模型名称是空的",
    en: "no model is connected: the endpoint or the model name is empty",
  },
  key_characters: {
    zh: "API 密钥中有密钥不会有的字符；请重新输入",
    en: "the API key holds characters that no key has; enter it again",
  },
  no_http_client: {
    zh: "无法建立 HTTP 客户端：{why}",
    en: "the HTTP client cannot be made: {why}",
  },
  request_stopped: {
    zh: "对模型的请求已停止",
    en: "the request to the model was stopped",
  },
  test_silent: {
    zh: "它没有回答。",
    en: "It does not answer.",
  },
  test_silent_why: {
    zh: "它没有回答：{why}",
    en: "It does not answer: {why}",
  },
  test_refuses_tools: {
    zh: "它能回答，但提供工具时不回答：工作流将无法运行。{why}",
    en: "It answers, but not when it is offered a tool: workflows will not run. {why}",
  },
  test_no_tools: {
    zh: "它能回答，但这个模型没有调用工具：工作流将无法正常运行。",
    en: "It answers, but this model didn't call the tool: workflows will not run well.",
  },
  test_good: {
    zh: "它能回答，也会调用工具。首个回答用时 {ms} 毫秒。",
    en: "It answers and calls tools. The first answer took {ms} ms.",
  },
  test_was_stopped: {
    zh: "测试已停止",
    en: "the test was stopped",
  },
  demo_at_its_end: {
    zh: "演示由脚本播放，脚本已经播放完毕",
    en: "the demo was played by a script, and the script is at its end",
  },
  demo_does_not_fit: {
    zh: "演示脚本与请求不符",
    en: "the demo trace does not fit",
  },
  demo_invalid: {
    zh: "演示脚本无效：{why}",
    en: "the demo trace is not valid: {why}",
  },
  demo_format: {
    zh: "它的 schemaVersion 是 `{found}`，本程序认识 `{known}`",
    en: "its schemaVersion is `{found}`, this program reads `{known}`",
  },
  demo_says_nothing: {
    zh: "turns[{turn}].reply 既没有文字也没有调用",
    en: "turns[{turn}].reply has neither text nor calls",
  },
  demo_nameless_call: {
    zh: "turns[{turn}].reply 中有一个没有名称的调用",
    en: "turns[{turn}].reply has a call without a name",
  },
  demo_expects: {
    zh: "演示脚本第 {turn} 轮要求 {name} 为 {expected}，实际是 {got}",
    en: "turn {turn} of the demo trace expects {name} {expected}, but got {got}",
  },
  change_the_trace: {
    zh: "请修改脚本的 `when`，或查看这一轮之前有什么变化。",
    en: "Change the trace's `when`, or look at what changed before this turn.",
  },
  demo_cannot_listen: {
    zh: "演示服务器无法监听 {address}：{why}",
    en: "the demo server cannot listen on {address}: {why}",
  },
  demo_other_port: {
    zh: "请选择 127.0.0.1 上的另一个端口；0 表示任取一个空闲端口。",
    en: "Choose another port on 127.0.0.1; 0 takes a free one.",
  },
  demo_loopback_only: {
    zh: "它只为本机服务",
    en: "it serves this machine only",
  },
  cannot_be_used: {
    zh: "这个流程包无法使用：{why}",
    en: "the package cannot be used: {why}",
  },
  no_usable_id: {
    zh: "它没有可用的编号",
    en: "it has no usable id",
  },
  correct_findings: {
    zh: "请更正检查结果中列出的问题，然后重新导入。",
    en: "Correct what the findings name, then import again.",
  },
  the_package_called: {
    zh: "流程包 `{name}`",
    en: "the package `{name}`",
  },
  the_packages_entry: {
    zh: "流程包中的 `{name}`",
    en: "the package's `{name}`",
  },
  choose_a_package: {
    zh: "请选择一个 .bmad 文件，或含有 bmad.json 的文件夹。",
    en: "Choose a .bmad file, or a folder that holds bmad.json.",
  },
  check_the_folder: {
    zh: "请检查文件夹是否存在、是否可读。",
    en: "Check that the folder exists and may be read.",
  },
  no_demo: {
    zh: "流程包的 {folder} 中没有演示脚本",
    en: "the package has no demo trace in {folder}",
  },
  no_demo_for: {
    zh: "流程包的 {folder} 中没有工作流 `{workflow}` 的演示脚本",
    en: "the package has no demo trace for the workflow `{workflow}` in {folder}",
  },
  demo_or_model: {
    zh: "请选择带演示的流程包，或连接模型。",
    en: "Choose a package with a demo, or connect a model.",
  },
  no_zip: {
    zh: "它不是完整的 Zip 压缩包",
    en: "it is no whole Zip archive",
  },
  not_unpacked: {
    zh: "无法解压 `{what}`：{why}",
    en: "`{what}` cannot be unpacked: {why}",
  },
  must_be_zip: {
    zh: "请重新下载或导出流程包；它必须是 ZIP 文件。",
    en: "Download or export the package again; it must be a ZIP file.",
  },
  entry_unsafe: {
    zh: "流程包中的 `{entry}`：{why}",
    en: "the package entry `{entry}`: {why}",
  },
  clean_package: {
    zh: "请向作者索取正确的流程包，或用 `crewagent package pack` 重新打包。",
    en: "Ask the author for a clean package, or pack it again with `crewagent package pack`.",
  },
  entry_same_name: {
    zh: "有两个条目同名",
    en: "two entries have the same name",
  },
  entry_overlaps: {
    zh: "归档中的条目互相重叠",
    en: "entries overlap in the archive",
  },
  entry_not_utf8: {
    zh: "名称不是 UTF-8",
    en: "the name is not UTF-8",
  },
  entry_encrypted: {
    zh: "它是加密的",
    en: "it is encrypted",
  },
  entry_link: {
    zh: "它是链接或其他不是文件的东西",
    en: "it is a link or another thing that is no file",
  },
  entry_same_case: {
    zh: "不区分大小写时，另一个条目与它同名",
    en: "another entry has the same name when upper and lower case are not told apart",
  },
  entry_backslash: {
    zh: "不允许反斜杠",
    en: "backslashes are not allowed",
  },
  entry_relative: {
    zh: "它必须是相对路径，不含空段、`.` 或 `..`",
    en: "it must be relative, without empty parts, `.` or `..`",
  },
  entry_not_plain: {
    zh: "它不是普通的相对路径",
    en: "it is not a plain relative path",
  },
  over_limit: {
    zh: "流程包超出上限 `{limit}`（{max}）",
    en: "the package is over the limit `{limit}` of {max}",
  },
  over_limit_at: {
    zh: "流程包在 `{entry}` 处超出上限 `{limit}`（{max}）",
    en: "the package is over the limit `{limit}` of {max} at `{entry}`",
  },
  leave_data_out: {
    zh: "流程包存放的是说明而不是数据；请不要放入大文件。",
    en: "A package holds instructions, not data; leave large files out.",
  },
  installing: {
    zh: "安装 {id}",
    en: "installing {id}",
  },
  removing: {
    zh: "移除 {id}",
    en: "removing {id}",
  },
  free_and_import: {
    zh: "请腾出磁盘空间或允许写入数据文件夹，然后重新导入。",
    en: "Free disk space or allow writing to the store, then import again.",
  },
  not_installed: {
    zh: "流程包 {id} 没有安装",
    en: "the package {id} is not installed",
  },
  import_it_again: {
    zh: "请重新导入它。",
    en: "Import it again.",
  },
  changed_since: {
    zh: "它在显示之后被改动过，因此没有安装任何内容",
    en: "it changed after it was shown, so nothing was installed",
  },
  changed_meanwhile: {
    zh: "流程包在读取过程中被改动",
    en: "the package changed while it was being read",
  },
  changed_on_disk: {
    zh: "已安装的流程包 {id} 在磁盘上被修改过",
    en: "the installed package {id} was changed on disk",
  },
  id_taken: {
    zh: "已有内容不同的流程包以 {id} 安装，因此没有安装任何内容",
    en: "a package with other content is installed as {id}, so nothing was installed",
  },
  remove_the_other: {
    zh: "请核对两者的来源。若信任新的，请先移除已安装的那个。",
    en: "Check where both come from. To trust the new one, remove the installed one first.",
  },
  import_replaces: {
    zh: "请重新导入这个流程包；损坏的副本会被替换。",
    en: "Import the package again; that replaces the damaged copy.",
  },
  the_packages_folder: {
    zh: "数据文件夹中的流程包文件夹",
    en: "the store's packages folder",
  },
  no_bundled: {
    zh: "没有内置的流程包 `{name}`",
    en: "there is no bundled package `{name}`",
  },
  writing: {
    zh: "写入 `{name}`",
    en: "writing `{name}`",
  },
  choose_writable_folder: {
    zh: "请选择一个可以写入的文件夹。",
    en: "Choose a folder that can be written.",
  },
  used_by: {
    zh: "流程包 `{package}` 正被这些运行使用：{runs}",
    en: "the package `{package}` belongs to {runs}",
  },
  used_by_more: {
    zh: "流程包 `{package}` 正被这些运行使用：{runs}，以及另外 {count} 次",
    en: "the package `{package}` belongs to {runs} and {count} more",
  },
  delete_its_runs: {
    zh: "请先用 `crewagent runs delete RUN` 删除使用它的运行，再移除它。",
    en: "Delete the runs that use it with `crewagent runs delete RUN`, then remove it.",
  },
  the_project_folder: {
    zh: "项目文件夹",
    en: "the project folder",
  },
  projects_busy: {
    zh: "另一个进程正在打开项目",
    en: "another process is opening a project",
  },
  choose_usable_folder: {
    zh: "请选择一个存在且可以读写的文件夹。",
    en: "Choose a folder that exists and may be read and written.",
  },
  folder_of_own_data: {
    zh: "这个文件夹属于本程序自己的数据",
    en: "the folder belongs to this program's own data",
  },
  choose_a_folder_of_yours: {
    zh: "请选择存放自己文件的文件夹。",
    en: "Choose a folder with your own files.",
  },
  allow_artifacts: {
    zh: "请允许写入项目文件夹，或更正其中 .crewagent.json 的 artifactsDir。",
    en: "Allow writing to the project folder, or correct artifactsDir in its .crewagent.json.",
  },
  make_writable_once: {
    zh: "这个文件夹需要可写一次，以便建立项目文件。请选择另一个文件夹，或修改它的权限。",
    en: "The folder needs to be writable once, so that the project file can be made. Choose another folder or change its permissions.",
  },
  key_of_file: {
    zh: "{file} 的 `{key}`",
    en: "{file}, key `{key}`",
  },
  correct_project_key: {
    zh: "请用文本编辑器更正或删除它，然后重新打开文件夹。",
    en: "Correct or remove it in a text editor, then open the folder again.",
  },
  correct_project_file: {
    zh: "请用文本编辑器更正这个文件，或删除它重新开始。",
    en: "Correct the file in a text editor, or delete it to start afresh.",
  },
  larger_than: {
    zh: "它超过 {size}",
    en: "it is larger than {size}",
  },
  must_be_an_object: {
    zh: "其中必须是一个 JSON 对象",
    en: "it must hold a JSON object",
  },
  not_valid_json: {
    zh: "它不是有效的 JSON：{why}",
    en: "it is not valid JSON: {why}",
  },
  must_be_a_text: {
    zh: "它必须是文字",
    en: "it must be a text",
  },
  must_name_a_folder: {
    zh: "它必须是项目内的一个文件夹",
    en: "it must name a folder below the project",
  },
  no_dot_folder: {
    zh: "它不能是以点开头的文件夹：其他程序会读取这类文件夹",
    en: "it must not name a folder that begins with a dot: other programs read those",
  },
  is_it_artifacts_dir: {
    zh: "没有这个键；有的是 `artifactsDir`",
    en: "there is no such key; `artifactsDir` is one",
  },
  no_setting_of_a_project: {
    zh: "项目不能设置这一项：请在程序的设置中修改",
    en: "a project sets nothing of the kind: the program's settings do",
  },
  no_home_folder: {
    zh: "没有主文件夹可以存放演示项目",
    en: "there is no home folder to put the demo project into",
  },
  no_free_demo_folder: {
    zh: "没有可用的文件夹存放演示项目",
    en: "no free folder for the demo project",
  },
  known_elsewhere: {
    zh: "项目“{name}”原来的文件夹还在",
    en: "the project `{name}` is known in another folder that is there",
  },
  known_before: {
    zh: "项目“{name}”上次在另一个文件夹中打开，现在在那里找不到它",
    en: "the project `{name}` was last opened in another folder, and is not found there now",
  },
  copy_or_moved: {
    zh: "副本，使用新的项目编号：`crewagent projects open DIR --as copy`。项目本身，连同运行移到了这里：`crewagent projects open DIR --as moved`。",
    en: "A copy with a project id of its own: `crewagent projects open DIR --as copy`. The project itself, moved with its runs: `crewagent projects open DIR --as moved`.",
  },
  belongs_to_another: {
    zh: "这个文件夹属于项目“{other}”，不属于“{name}”",
    en: "the folder belongs to the project `{other}`, not to `{name}`",
  },
  belongs_to_none: {
    zh: "这个文件夹不属于任何项目，也不属于“{name}”",
    en: "the folder belongs to no project, so not to `{name}`",
  },
  adopt_folder: {
    zh: "请指定项目移动后的文件夹。仍要使用这个文件夹：`crewagent projects rebind {id} DIR --adopt`。",
    en: "Name the folder the project was moved to. To use this one all the same: `crewagent projects rebind {id} DIR --adopt`.",
  },
  open_as_what_it_is: {
    zh: "请指定项目移动后的文件夹，或按它本来的项目打开：`crewagent projects open DIR`。",
    en: "Name the folder the project was moved to, or open this one as what it is: `crewagent projects open DIR`.",
  },
  see_projects: {
    zh: "请查看 `crewagent projects list`。",
    en: "See `crewagent projects list`.",
  },
  writable_then_open: {
    zh: "请允许写入项目文件夹，然后重新打开。",
    en: "Allow writing to the project folder, then open it again.",
  },
  no_word_about_a_project: {
    zh: "这不是关于项目的指令",
    en: "no word about a project",
  },
  folder_not_opened: {
    zh: "无法打开文件夹 {folder}：{why}",
    en: "the folder {folder} cannot be opened: {why}",
  },
  choose_again: {
    zh: "请重新选择这个文件夹，或把它放回原处。",
    en: "Choose the folder again, or put it back where it was.",
  },
  run_folder_not_opened: {
    zh: "无法打开运行的文件夹：{why}",
    en: "the folder of the run cannot be opened: {why}",
  },
  start_new_run: {
    zh: "请开始一个新的运行。",
    en: "Start a new run.",
  },
  name_a_workflow: {
    zh: "{package} 有 {count} 个工作流，请指定一个",
    en: "{package} has {count} workflows; name one",
  },
  workflow_called_otherwise: {
    zh: "{package} 的工作流不叫 `{workflow}`",
    en: "the workflow of {package} is not called `{workflow}`",
  },
  no_workflow: {
    zh: "{package} 没有工作流 `{workflow}`",
    en: "{package} has no workflow `{workflow}`",
  },
  no_agent: {
    zh: "{package} 没有智能体 `{agent}`",
    en: "{package} has no agent `{agent}`",
  },
  choose_one_of: {
    zh: "请选择其中之一：{names}。",
    en: "Choose one of: {names}.",
  },
  state_of_new_run: {
    zh: "新运行的状态文件夹",
    en: "the state folder of the new run",
  },
  state_of_run: {
    zh: "运行的状态文件夹",
    en: "the state folder of the run",
  },
  free_and_start_again: {
    zh: "请腾出磁盘空间或允许写入数据文件夹，然后重新开始。",
    en: "Free disk space or allow writing to the store, then start again.",
  },
  no_run_to_go_on: {
    zh: "会话 {id} 没有可以继续的运行",
    en: "the conversation {id} has no run to go on with",
  },
  only_readable: {
    zh: "它可以阅读。要继续，请在它的项目中开始一个流程包的运行。",
    en: "It can be read. To go on, start a run of a package in its project.",
  },
  must_begin_with_a_line: {
    zh: "运行必须以一行开始",
    en: "a run must begin with a line",
  },
  must_have_a_manifest: {
    zh: "已安装的流程包必须有清单",
    en: "an installed package must have a manifest",
  },
  no_word_to_a_run: {
    zh: "这不是给运行的指令",
    en: "no word to a run",
  },
  task_has_ended: {
    zh: "会话的任务已经结束",
    en: "the conversation's task has ended",
  },
  nothing_to_watch: {
    zh: "只有项目、流程包、日志和程序本身可以这样观察",
    en: "only projects, packages, the log and the program have words for this",
  },
  the_watched_package: {
    zh: "流程包",
    en: "the package",
  },
  watches_limited: {
    zh: "系统不允许再监视更多文件夹；每隔几秒查看一次文件的变化，大项目中不是每个文件夹都会查看",
    en: "the system allows no more folders to be watched; changes of files are looked for every few seconds, and not in every folder of a large project",
  },
  raise_watch_limit: {
    zh: "请提高上限（Linux：fs.inotify.max_user_watches），或把大文件夹写进 .gitignore。",
    en: "Raise the limit (Linux: fs.inotify.max_user_watches), or list large folders in .gitignore.",
  },
  cannot_be_watched: {
    zh: "无法监视 {what}：{why}",
    en: "{what} cannot be watched: {why}",
  },
  watch_not_there: {
    zh: "它不存在",
    en: "it is not there",
  },
  watch_refused: {
    zh: "系统拒绝了",
    en: "the system refuses it",
  },
  changes_seen_later: {
    zh: "在外部做的修改会在重新打开列表时显示。",
    en: "Changes made outside are seen when the list is opened again.",
  },
  the_log_folder: {
    zh: "日志文件夹",
    en: "the log folder",
  },
  the_stores_log_folder: {
    zh: "数据文件夹中的日志文件夹：{why}",
    en: "the log folder of the store: {why}",
  },
  cannot_be_written: {
    zh: "无法写入",
    en: "it cannot be written",
  },
  writable_or_store: {
    zh: "请让数据文件夹可写，或用 --store 选择另一个。",
    en: "Make the store's folder writable, or choose another one with --store.",
  },
  setting_invalid: {
    zh: "设置项 `{name}` 无效：{why}",
    en: "the setting `{name}` is not valid: {why}",
  },
  setting_object: {
    zh: "它必须是 JSON 对象",
    en: "it must be a JSON object",
  },
  setting_number: {
    zh: "它必须是数字",
    en: "it must be a number",
  },
  setting_whole_number: {
    zh: "它必须是整数，不能为负，也不能太大",
    en: "it must be a whole number, neither negative nor too large",
  },
  setting_switch: {
    zh: "它必须是 true 或 false",
    en: "it must be true or false",
  },
  setting_text: {
    zh: "它必须是文字",
    en: "it must be a text",
  },
  settings_object: {
    zh: "设置必须是 JSON 对象",
    en: "the settings must be a JSON object",
  },
  setting_one_of: {
    zh: "它必须是其中之一：{known}",
    en: "it must be one of {known}",
  },
  setting_range: {
    zh: "它必须在 {min} 到 {max} 之间",
    en: "it must be from {min} to {max}",
  },
  url_scheme: {
    zh: "它必须以 http:// 或 https:// 开头，例如 http://127.0.0.1:11434/v1",
    en: "it must start with http:// or https://, for example http://127.0.0.1:11434/v1",
  },
  url_no_host: {
    zh: "它没有主机名",
    en: "it names no host",
  },
  url_no_secrets: {
    zh: "它不能含有用户名或密钥；密钥有自己的输入栏",
    en: "it must not hold a user name or a key; the key has a field of its own",
  },
  url_white_space: {
    zh: "它不能含有空白字符",
    en: "it must not hold white space",
  },
  model_name: {
    zh: "它必须是模型在服务器上的名称，不能含有换行等控制字符",
    en: "it must be the model's name there, without line breaks and other control characters",
  },
  header_name: {
    zh: "请求头的名称只能含字母、数字和 -",
    en: "a header's name holds letters, digits and - only",
  },
  header_value: {
    zh: "请求头的值必须是可打印的 ASCII 字符",
    en: "a header's value must be printable ASCII",
  },
  settings_internal: {
    zh: "设置：{why}",
    en: "the settings: {why}",
  },
  settings_unreadable: {
    zh: "无法读取 {file}：{why}",
    en: "{file} cannot be read: {why}",
  },
  settings_no_object: {
    zh: "它不是 JSON 对象",
    en: "it is not a JSON object",
  },
  correct_file: {
    zh: "请更正 {file}；在此之前旧的设置仍然有效，保护你文件的设置则取最严格的值。",
    en: "Correct {file}; until then the old values hold, and the strictest ones where they guard your files.",
  },
  key_in_the_clear: {
    zh: "密钥会以未加密的方式发送给 {server}：途中的任何人都能读到。如果服务器支持，请使用 https://。",
    en: "The key goes to {server} unencrypted: whoever sits on the way can read it. Use https:// where the server has it.",
  },
  strictest_holds: {
    zh: "请更正它；在此之前取最严格的值。",
    en: "Correct it; until then the strictest value holds.",
  },
  strictest_of: {
    zh: "请在 settings.json 中更正或删除它（`crewagent settings set` 设为 null 即可删除）；在此之前，它可能指的设置取最严格的值：{names}。",
    en: "Correct or remove it in settings.json (`crewagent settings set` with the value null removes it); until then the strictest value holds of what it may mean: {names}.",
  },
  sets_nothing: {
    zh: "请在 settings.json 中更正或删除它（`crewagent settings set` 设为 null 即可删除）：它不起任何作用。",
    en: "Correct or remove it in settings.json (`crewagent settings set` with the value null removes it): it sets nothing.",
  },
  headers_for_another: {
    zh: "model.headers 是为 {server} 填写的；它们不会发送给别的服务器",
    en: "model.headers were entered for {server}; they are not sent to another server",
  },
  set_headers_again: {
    zh: "请设置这台服务器需要的请求头，或删除 model.headers。",
    en: "Set the headers that this server needs, or remove model.headers.",
  },
  settings_busy: {
    zh: "另一个进程正在修改 {file}",
    en: "{file} is being changed by another process",
  },
  no_setting: {
    zh: "没有设置项 `{key}`",
    en: "there is no setting `{key}`",
  },
  no_setting_but: {
    zh: "没有设置项 `{key}`；有的是：{names}",
    en: "there is no setting `{key}`; there is: {names}",
  },
  setting_in_one_name: {
    zh: "`{key}` 在那里是一个名称；设置项应写在所属的组内：{written}",
    en: "`{key}` is one name there; a setting stands in its group: {written}",
  },
  setting_is_key: {
    zh: "`{key}` 没有保存：密钥不放在设置中",
    en: "`{key}` is not kept: keys do not stand among the settings",
  },
  no_key: {
    zh: "没有给出密钥；没有任何改动",
    en: "no key was given; nothing was changed",
  },
  give_a_key: {
    zh: "请在询问时输入、用管道传入，或使用 --forget。",
    en: "Type it when asked, pipe it in, or say --forget.",
  },
  not_a_key: {
    zh: "这不是密钥：其中有空格或密钥不会有的字符；没有任何改动",
    en: "this is no key: it holds spaces or characters that no key has; nothing was changed",
  },
  key_too_long: {
    zh: "这不是密钥：它超过 {size}；没有任何改动",
    en: "this is no key: it is longer than {size}; nothing was changed",
  },
  give_the_key_alone: {
    zh: "请只给出密钥本身。",
    en: "Give the key alone.",
  },
  key_for_another: {
    zh: "设置中的服务器地址是另一个：{url}",
    en: "the endpoint of the settings is another one: {url}",
  },
  key_for_none: {
    zh: "设置中没有服务器地址",
    en: "the settings name no endpoint",
  },
  set_endpoint_first: {
    zh: "请先设置：crewagent settings set model.baseUrl 地址",
    en: "Set it first: crewagent settings set model.baseUrl URL",
  },
  the_key_file: {
    zh: "密钥文件",
    en: "the key file of the store",
  },
  no_files: {
    zh: "不能访问文件",
    en: "No access to files",
  },
  may_change_files: {
    zh: "可以修改项目文件夹中的任何文件，且不询问（依你的设置）",
    en: "May change any file in the project folder without asking (your setting)",
  },
  may_change_files_asks_outside: {
    zh: "可以修改项目文件夹中的任何文件；在产物文件夹与当前步骤声明的文件之外会先询问你",
    en: "May change any file in the project folder; asks you first outside the artifacts folder and the files its step declares",
  },
  may_change_files_asks: {
    zh: "可以修改项目文件夹中的任何文件；每次修改前都会询问你",
    en: "May change any file in the project folder; asks you before every change",
  },
  asks_for_self_starting: {
    zh: "对其他程序会自动运行的文件（.vscode、.bashrc、Git 钩子等）始终询问",
    en: "Always asks for files that other programs run by themselves (.vscode, .bashrc, Git hooks and the like)",
  },
  reads_at_most: {
    zh: "单次最多读取 {size}",
    en: "Reads at most {size} at once",
  },
  writes_at_most: {
    zh: "单次最多写入 {size}",
    en: "Writes at most {size} at once",
  },
  says_it_writes: {
    zh: "声明会写入：{folders}",
    en: "Says it writes to: {folders}",
  },
  says_not_where: {
    zh: "没有声明会写入哪些文件",
    en: "Does not say which files it writes",
  },
  may_use_servers: {
    zh: "可以使用这些服务器的外部工具：{servers}",
    en: "May use outside tools of: {servers}",
  },
  may_use_all_servers: {
    zh: "可以使用所有已配置的外部工具",
    en: "May use every configured outside tool",
  },
  may_use_no_server: {
    zh: "不能使用任何外部工具",
    en: "May use no outside tool",
  },
  nobody_allows: {
    zh: "没有人可以允许此流程包的权限；没有安装任何内容",
    en: "nobody is there to allow what the package may do; nothing was installed",
  },
  inspect_then_yes: {
    zh: "请先用 `crewagent package inspect FILE` 查看，再加上 --yes 导入。",
    en: "Look at it with `crewagent package inspect FILE`, then import it with --yes.",
  },
  says_it_needs_network: {
    zh: "声明需要联网",
    en: "Says it needs the network",
  },
  being_made_ready: {
    zh: "另一个程序准备数据目录已超过 {seconds} 秒",
    en: "another program has been making the store ready for more than {seconds} seconds",
  },
  the_conversation: {
    zh: "会话 {id}",
    en: "conversation {id}",
  },
  the_messages_of: {
    zh: "会话 {id} 的消息",
    en: "the messages of conversation {id}",
  },
  the_messages: {
    zh: "消息",
    en: "the messages",
  },
  the_journal_of: {
    zh: "会话 {id} 的日志",
    en: "the journal of conversation {id}",
  },
  the_line_of: {
    zh: "会话 {id} 的第 {seq} 行",
    en: "line {seq} of conversation {id}",
  },
  the_fold_of: {
    zh: "会话 {id} 的快照",
    en: "a fold of conversation {id}",
  },
  the_answer_in: {
    zh: "会话 {id} 中的一个回答",
    en: "an answer in conversation {id}",
  },
  the_deletion_of: {
    zh: "删除会话 {id} 的操作",
    en: "the deletion of conversation {id}",
  },
  the_title_of: {
    zh: "{id} 的标题",
    en: "the title of {id}",
  },
  the_titles: {
    zh: "会话的标题",
    en: "the titles of conversations",
  },
  the_imported_conversation: {
    zh: "导入的会话 {id}",
    en: "the imported conversation {id}",
  },
  the_run: {
    zh: "运行 {id}",
    en: "run {id}",
  },
  the_project: {
    zh: "项目 {id}",
    en: "project {id}",
  },
  the_package: {
    zh: "流程包 {id}",
    en: "package {id}",
  },
  the_list_of: {
    zh: "列表（{what}）",
    en: "the list of {what}",
  },
  the_removed_runs: {
    zh: "已删除运行的列表",
    en: "the list of removed runs",
  },
  the_search_index: {
    zh: "搜索索引",
    en: "the search index",
  },
  the_lease_of: {
    zh: "会话 {id} 的占用记录",
    en: "the lease of conversation {id}",
  },
  the_wish_to_stop: {
    zh: "停止的请求",
    en: "the wish to stop",
  },
  not_stopped_yet: {
    zh: "{busy}；已请求它停止，但尚未停止",
    en: "{busy}; it was asked to stop and has not yet",
  },
  wait_or_end_it: {
    zh: "请等待，或结束那个进程：运行会保留。",
    en: "Wait, or end that process: the run is kept.",
  },
  the_lease: {
    zh: "占用记录",
    en: "a lease",
  },
  the_end_of_a_lease: {
    zh: "占用记录的解除",
    en: "the end of a lease",
  },
  the_change: {
    zh: "这次修改",
    en: "the change",
  },
  the_draft: {
    zh: "正在填写的内容",
    en: "what is being written",
  },
  draft_too_large: {
    zh: "正在填写的内容有 {size}，超过了上限 {limit}，没有保留",
    en: "a draft of {size} is not kept: the limit is {limit}",
  },
  draft_elsewhere: {
    zh: "请发送它，或把它放进项目的文件里。",
    en: "Send it, or put it into a file of the project.",
  },
  the_database: {
    zh: "数据库",
    en: "the database",
  },
  the_left_over: {
    zh: "上一次会话遗留的内容",
    en: "what an earlier session left",
  },
  the_stores_folder: {
    zh: "数据文件夹",
    en: "the store's folder",
  },
  not_written: {
    zh: "无法把{what}写入数据文件",
    en: "{what} could not be written to the store",
  },
  not_read: {
    zh: "无法从数据文件读取{what}",
    en: "{what} could not be read from the store",
  },
  not_opened: {
    zh: "无法打开数据文件",
    en: "the store could not be opened",
  },
  sql_numbered: {
    zh: "{why}（SQLite {number}）",
    en: "{why} (SQLite {number})",
  },
  sql_disk_full: {
    zh: "磁盘已满",
    en: "the disk is full",
  },
  sql_read_only: {
    zh: "它是只读的",
    en: "it is read only",
  },
  sql_make_writable: {
    zh: "请让数据文件夹可写，然后重试。",
    en: "Make the store's folder writable, then try again.",
  },
  sql_denied: {
    zh: "没有权限",
    en: "permission denied",
  },
  sql_give_access: {
    zh: "请给你的账户访问数据文件夹的权限。",
    en: "Give your account access to the store's folder.",
  },
  sql_cannot_open: {
    zh: "它的数据库文件打不开",
    en: "its database file cannot be opened",
  },
  sql_check_folder: {
    zh: "请检查数据文件夹是否存在、是否属于你。",
    en: "Check that the store's folder is there and yours.",
  },
  sql_busy: {
    zh: "另一个程序占用它太久",
    en: "another program kept it busy for too long",
  },
  sql_try_and_close: {
    zh: "请重试；如果再次发生，请关闭本程序的其他窗口。",
    en: "Try again; close other copies of the program if it happens again.",
  },
  sql_io: {
    zh: "磁盘报告了错误",
    en: "the disk reported an error",
  },
  sql_check_disk: {
    zh: "请检查磁盘及其连接，然后重试。",
    en: "Check the disk and its connection, then try again.",
  },
  sql_damaged: {
    zh: "它的数据库已损坏",
    en: "its database is damaged",
  },
  sql_restart: {
    zh: "请重新启动程序：能读出的内容会被保存下来。",
    en: "Restart the program: what can be read is saved then.",
  },
  sql_constraint: {
    zh: "有一条记录与已有的不相容",
    en: "an entry does not fit those already there",
  },
  sql_refresh: {
    zh: "请刷新列表后重试。",
    en: "Refresh the list and try again.",
  },
  sql_too_large: {
    zh: "有一条记录太大",
    en: "an entry is too large",
  },
  sql_less_text: {
    zh: "请减少文字后重试。",
    en: "Try again with less text.",
  },
  sql_unexpected: {
    zh: "意外的数据库错误",
    en: "an unexpected database error",
  },
  sql_try_and_restart: {
    zh: "请重试；如果再次发生，请重新启动程序。",
    en: "Try again; restart the program if it happens again.",
  },
  sql_no_entry: {
    zh: "没有这条记录",
    en: "there is no such entry",
  },
  sql_unknown_shape: {
    zh: "有一条记录的格式本程序不认识",
    en: "an entry has a shape this program does not know",
  },
  folder_action: {
    zh: "请让这个文件夹可写，或用 --store 或 CREWAGENT_STORE 选择另一个。",
    en: "Make the folder writable, or choose another one with --store or CREWAGENT_STORE.",
  },
  damaged_and_in_use: {
    zh: "数据文件已损坏，但另一个程序正打开着它，现在无法修复",
    en: "the store is damaged and another program has it open, so it cannot be repaired now",
  },
  close_the_others: {
    zh: "请关闭本程序的其他窗口，然后重新启动。",
    en: "Close the other copies of the program, then start it again.",
  },
  damaged_not_saved: {
    zh: "无法保存损坏的数据文件",
    en: "the damaged store could not be saved",
  },
  free_and_start: {
    zh: "请腾出一些空间，然后重新启动程序。",
    en: "Free some space and start the program again.",
  },
  was_damaged: {
    zh: "数据文件曾损坏：已保存 {runs} 个运行，共 {lines} 行；运行中损坏处之后的内容已丢失",
    en: "the store was damaged: {runs} runs with {lines} lines were saved; what came after a damaged place in a run is missing",
  },
  damaged_kept_as: {
    zh: "损坏的文件以 {name} 保留在数据文件夹中。",
    en: "The damaged file is kept as {name} in the store's folder.",
  },
  no_fresh_store: {
    zh: "无法建立新的数据文件：磁盘没有保留写入的内容",
    en: "a fresh store could not be made: the disk does not keep what is written",
  },
  check_disk_or_store: {
    zh: "请检查磁盘，或用 --store 使用另一个数据文件夹。",
    en: "Check the disk, or use another store with --store.",
  },
  no_wal: {
    zh: "无法打开数据文件：它所在的磁盘不支持预写日志",
    en: "the store could not be opened: its disk does not allow a write-ahead log",
  },
  use_local_disk: {
    zh: "请把数据文件放到本地磁盘；环境变量 CREWAGENT_STORE 指定它的文件夹。",
    en: "Put the store on a local disk; CREWAGENT_STORE names its folder.",
  },
  too_new: {
    zh: "数据文件的格式是 {found}，本程序只认识到 {known}",
    en: "the store has format {found}; this program knows formats up to {known}",
  },
  not_migrated: {
    zh: "无法把数据文件转换成本程序的格式",
    en: "the store could not be brought to this program's format",
  },
  install_again: {
    zh: "请重新安装程序。",
    en: "Install the program again.",
  },
  closing: {
    zh: "无法读取数据：程序正在关闭",
    en: "the store could not be read: the program is closing",
  },
  start_again: {
    zh: "请重新启动程序。",
    en: "Start the program again.",
  },
  stopped_writing: {
    zh: "数据文件已停止写入",
    en: "the store has stopped writing",
  },
  restart_nothing_lost: {
    zh: "请重新启动程序；已确认的内容不会丢失。",
    en: "Restart the program; nothing that was confirmed is lost.",
  },
  place_unknown: {
    zh: "会话列表中的这个位置不是本程序给出的",
    en: "the place in the list of conversations is not one this program has given out",
  },
  read_from_beginning: {
    zh: "请从头读取列表。",
    en: "Read the list from its beginning.",
  },
  no_conversation: {
    zh: "没有会话 {id}",
    en: "there is no conversation {id} in the store",
  },
  no_project: {
    zh: "没有项目 {id}",
    en: "there is no project {id}",
  },
  open_folder_again: {
    zh: "请重新打开项目的文件夹。",
    en: "Open the project's folder again.",
  },
  project_not_listed: {
    zh: "列表中没有项目 {id}",
    en: "there is no project {id} in the list",
  },
  no_package: {
    zh: "流程包 {id} 没有安装",
    en: "package {id} is not installed",
  },
  import_the_package: {
    zh: "请导入这个流程包。",
    en: "Import the package.",
  },
  no_run: {
    zh: "没有运行 {id}",
    en: "there is no run {id}",
  },
  list_the_runs: {
    zh: "请列出运行，看看有哪些。",
    en: "List the runs to see which there are.",
  },
  conversation_busy: {
    zh: "会话 {id} 自 {since} 起由 {holder} 占用（进程 {pid}）",
    en: "conversation {id} is being worked on by the {holder} (process {pid}) since {since}",
  },
  close_it_there: {
    zh: "请先在那里关闭它，或等它结束。",
    en: "Close it there first, or wait until it is done.",
  },
  line_says_nothing: {
    zh: "没有内容",
    en: "says nothing",
  },
  line_not_json: {
    zh: "无法写成 JSON：{why}",
    en: "cannot be written as JSON: {why}",
  },
  line_wrong: {
    zh: "{line}{why}",
    en: "{line} {why}",
  },
  line_behind: {
    zh: "{line}没有写入：日志应从第 {expected} 行继续",
    en: "{line} was not written: the journal goes on with {expected}",
  },
  open_run_again: {
    zh: "请重新打开这个运行：它可能已被另一个程序继续。",
    en: "Open the run again: another program may have continued it.",
  },
  line_unreadable: {
    zh: "无法读取会话 {id} 的第 {seq} 行：{why}",
    en: "line {seq} of conversation {id} cannot be read: {why}",
  },
  line_format: {
    zh: "它的格式是 {format}，本程序只认识到 {known}",
    en: "it has format {format}, this program knows up to {known}",
  },
  line_missing: {
    zh: "它不见了",
    en: "it is missing",
  },
  journal_no_import: {
    zh: "导入的日志必须以 `conversation_imported` 开始",
    en: "an imported journal must begin with `conversation_imported`",
  },
  line_of_another: {
    zh: "它的内容不属于这一行",
    en: "its content is not that of this line",
  },
  start_a_new_run: {
    zh: "请开始一个新的运行；之前的消息仍然可以读。",
    en: "Start a new run; the earlier messages can still be read.",
  },
  sizes_not_counted: {
    zh: "无法统计占用空间",
    en: "the sizes could not be counted",
  },
  pruning_ended: {
    zh: "清理提前结束了",
    en: "the pruning ended early",
  },
  another_answer: {
    zh: "得到的不是所问的内容",
    en: "another answer than the one asked for",
  },
  terminal_lost: {
    zh: "终端断开了",
    en: "the terminal was lost",
  },
  the_terminal: {
    zh: "终端",
    en: "the terminal",
  },
  stdin_lost: {
    zh: "标准输入断开了",
    en: "stdin was lost",
  },
  the_folder: {
    zh: "文件夹",
    en: "the folder",
  },
  no_id_came_back: {
    zh: "命令返回时没有编号",
    en: "the command came back without its id",
  },
  settings_lost: {
    zh: "设置丢失了",
    en: "the settings were lost",
  },
  see_help: {
    zh: "请看 `crewagent --help`。",
    en: "See `crewagent --help`.",
  },
  no_command: {
    zh: "没有命令 `{name}`",
    en: "there is no command `{name}`",
  },
  no_option: {
    zh: "没有选项 `{name}`",
    en: "there is no option `{name}`",
  },
  missing_arguments: {
    zh: "缺少必需的参数：{names}",
    en: "required arguments are missing: {names}",
  },
  missing_command: {
    zh: "缺少命令；有：{names}",
    en: "a command is missing; there are: {names}",
  },
  wrong_value: {
    zh: "`{value}` 不是 {name} 可用的值",
    en: "`{value}` is no value of {name}",
  },
  wrong_value_of: {
    zh: "`{value}` 不是 {name} 可用的值；可以是：{known}",
    en: "`{value}` is no value of {name}; it may be: {known}",
  },
  value_missing: {
    zh: "{name} 需要一个值",
    en: "{name} needs a value",
  },
  given_twice: {
    zh: "{name} 给了不止一次",
    en: "{name} is given more than once",
  },
  not_together: {
    zh: "{name} 不能与 {other} 一起使用",
    en: "{name} cannot be used together with {other}",
  },
  wrong_command_line: {
    zh: "命令行：{why}",
    en: "the command line: {why}",
  },
  no_home_for_store: {
    zh: "没有主文件夹可以存放数据",
    en: "there is no home folder to put the store into",
  },
  pass_store: {
    zh: "请用 --store 指定文件夹，或设置 CREWAGENT_STORE。",
    en: "Pass --store DIR or set CREWAGENT_STORE.",
  },
  no_endpoint_named: {
    zh: "没有指定服务器：--model 需要 --base-url，或名称 `demo`",
    en: "no endpoint is named: --model needs --base-url, or the name `demo`",
  },
  pass_base_url: {
    zh: "请同时给出 --base-url，或用 `crewagent settings set` 设置服务器。",
    en: "Pass --base-url URL too, or set the endpoint with `crewagent settings set`.",
  },
  no_such_package: {
    zh: "没有叫做 `{name}` 的已安装流程包、文件或文件夹",
    en: "no installed package, file or folder is called `{name}`",
  },
  see_package_list: {
    zh: "请看 `crewagent package list`，或指定一个 .bmad 文件。",
    en: "See `crewagent package list`, or name a .bmad file.",
  },
  the_file: {
    zh: "这个文件",
    en: "the file",
  },
  see_conversations_list: {
    zh: "请看 `crewagent conversations list`。",
    en: "See `crewagent conversations list`.",
  },
  nobody_confirms: {
    zh: "没有人可以确认删除",
    en: "nobody is there to confirm the deletion",
  },
  say_yes_to_delete: {
    zh: "要不经询问就删除，请加 --yes。",
    en: "Say --yes to delete without a question.",
  },
  name_a_trace: {
    zh: "请指定演示脚本文件、含有它的流程包文件夹或文件，或内置的流程包。",
    en: "Name a trace file, a package folder or file that carries one, or a bundled package.",
  },
  not_replayable: {
    zh: "无法重放导出的运行：它已损坏",
    en: "the exported run cannot be replayed: it is damaged",
  },
  longer_than: {
    zh: "它超过 {size}",
    en: "it is longer than {size}",
  },
  answers_file: {
    zh: "--answers：{why}",
    en: "--answers: {why}",
  },
  write_a_list: {
    zh: "请写成列表：纯文字，或 {shape}。",
    en: "Write a list of plain texts and of {shape}.",
  },
  correct_answers: {
    zh: "请更正文件；运行在等待，用 `crewagent runs resume` 继续。",
    en: "Correct the file; the run waits, `crewagent runs resume` goes on.",
  },
  answer_for_none: {
    zh: "下一个回答是给问题 `{widget}` 的，但没有问题在等待",
    en: "the next answer is for the widget `{widget}`, and none waits",
  },
  answer_for_another: {
    zh: "等待的是问题 `{waits}`，下一个回答是给 `{widget}` 的",
    en: "the widget `{waits}` waits, the next answer is for `{widget}`",
  },
  answer_of_another_type: {
    zh: "问题 `{widget}` 的类型是 {kind}，下一个回答是另一种类型",
    en: "the widget `{widget}` is a {kind}, the next answer is for another type",
  },
  value_not_json: {
    zh: "--value 不是 JSON：{why}",
    en: "--value is not JSON: {why}",
  },
  quote_the_value: {
    zh: "请在命令行的引号内再给文字加引号：--value '\"a\"'。",
    en: "Write a text in quotes inside the shell's quotes: --value '\"a\"'.",
  },
  no_widget_waits: {
    zh: "没有问题在等待",
    en: "no widget waits",
  },
  no_such_widget_waits: {
    zh: "没有问题 `{widget}` 在等待",
    en: "no widget `{widget}` waits",
  },
  that_one_waits: {
    zh: "等待的是问题 `{widget}`；请回答它。",
    en: "The widget `{widget}` waits; answer that one.",
  },
  nothing_is_asked: {
    zh: "现在没有提问；请看 `crewagent runs show`，或用 `crewagent say`。",
    en: "Nothing is asked now; see `crewagent runs show`, or use `crewagent say`.",
  },
  revoke_wrong: {
    zh: "--revoke {folder}：{why}",
    en: "--revoke {folder}: {why}",
  },
  name_the_folder: {
    zh: "请按 `runs approvals` 列出的写法指定文件夹，例如 @project/docs。",
    en: "Name the folder as `runs approvals` lists it, such as @project/docs.",
  },
  no_approval_for: {
    zh: "{folder} 没有生效的授权",
    en: "no approval is in force for {folder}",
  },
  check_version: {
    zh: "版本",
    en: "version",
  },
  check_store: {
    zh: "数据文件",
    en: "store",
  },
  check_data: {
    zh: "占用空间",
    en: "data",
  },
  check_packages: {
    zh: "流程包",
    en: "packages",
  },
  check_logs: {
    zh: "日志",
    en: "logs",
  },
  check_model: {
    zh: "模型",
    en: "model",
  },
  check_api_key: {
    zh: "API 密钥",
    en: "api key",
  },
  found_as_is: {
    zh: "{what}",
    en: "{what}",
  },
  found_opened: {
    zh: "已打开",
    en: "opened",
  },
  found_none: {
    zh: "无",
    en: "none",
  },
  found_data: {
    zh: "数据库 {rows}，{projects} 个项目中的文件 {files}",
    en: "{rows} in the database, {files} in {projects} projects",
  },
  found_installed: {
    zh: "已安装 {count} 个",
    en: "{count} installed",
  },
  key_in_keychain: {
    zh: "系统钥匙串",
    en: "keychain",
  },
  key_in_environment: {
    zh: "环境变量",
    en: "environment",
  },
  key_in_file: {
    zh: "文件",
    en: "file",
  },
  key_of_another_server: {
    zh: "属于另一台服务器",
    en: "kept for another server",
  },
  read_the_notice: {
    zh: "请阅读这条提示；项目里的文件没有受影响。",
    en: "Read the notice; the files of your projects are not touched.",
  },
  set_an_endpoint: {
    zh: "请在设置中填写服务器，或给出 --base-url 和 --model。",
    en: "Set an endpoint in Settings, or pass --base-url and --model.",
  },
  store_a_key: {
    zh: "请在设置中保存密钥，或设置 CREWAGENT_API_KEY。",
    en: "Store a key in Settings, or set CREWAGENT_API_KEY.",
  },
  size_of_all: {
    zh: "数据库 {database}，流程包 {packages}，日志 {logs}",
    en: "database {database}, packages {packages}, logs {logs}",
  },
  size_of_project: {
    zh: "{name}：数据 {rows}，文件 {files}（其中检查点 {checkpoints}）；{conversations} 个会话，{messages} 条消息",
    en: "{name}: {rows} rows, {files} files ({checkpoints} checkpoints); {conversations} conversations, {messages} messages",
  },
  policy_system: {
    zh: "系统：{limits}，{approval}，未绑定的确认{unbound}",
    en: "system: {limits}, {approval}, unbound confirmations {unbound}",
  },
  policy_agent: {
    zh: "{package} {agent}：{limits}，{approval}",
    en: "{package} {agent}: {limits}, {approval}",
  },
  policy_limits: {
    zh: "文件{files}，读取 {read} B，写入 {write} B，密钥文件{secrets}",
    en: "files {files}, read {read} B, write {write} B, secrets {secrets}",
  },
  switched_on: {
    zh: "开启",
    en: "on",
  },
  switched_off: {
    zh: "关闭",
    en: "off",
  },
  unbound_allowed: {
    zh: "允许",
    en: "allowed",
  },
  unbound_refused: {
    zh: "拒绝",
    en: "refused",
  },
  writes_auto: {
    zh: "写入时不询问",
    en: "writes without asking",
  },
  writes_ask: {
    zh: "每次写入都询问",
    en: "every write asks",
  },
  writes_ask_outside: {
    zh: "写入声明的产出和产物文件夹之外时询问",
    en: "writes outside the outputs and the artifacts folder ask",
  },
  more_before: {
    zh: "  更多：--before {seq}",
    en: "  more: --before {seq}",
  },
  more_after: {
    zh: "  更多：--after {place}",
    en: "  more: --after {place}",
  },
  still_indexing: {
    zh: "  有些消息还在建立索引：请稍后再搜索",
    en: "  some messages are still being indexed: search again in a moment",
  },
  deleted: {
    zh: "已删除 {what}",
    en: "deleted {what}",
  },
  forgotten: {
    zh: "已从列表中移除 {what}",
    en: "forgotten {what}",
  },
  removed: {
    zh: "已移除 {what}",
    en: "removed {what}",
  },
  installed: {
    zh: "已安装 {what}",
    en: "installed {what}",
  },
  now_files: {
    zh: "{agent} 现在可以使用文件工具",
    en: "{agent} may now use file tools",
  },
  new_agent_files: {
    zh: "新智能体 {agent} 可以使用文件工具",
    en: "new agent {agent} may use file tools",
  },
  now_reads_more: {
    zh: "{agent} 现在一次可以读取 {bytes} 字节（之前为 {was}）",
    en: "{agent} may now read {bytes} bytes at once (was {was})",
  },
  now_writes_more: {
    zh: "{agent} 现在一次可以写入 {bytes} 字节（之前为 {was}）",
    en: "{agent} may now write {bytes} bytes at once (was {was})",
  },
  no_read_limit: {
    zh: "{agent} 不再有自己的读取上限（之前为 {was} 字节）",
    en: "{agent} has no read limit of its own any more (was {was} bytes)",
  },
  no_write_limit: {
    zh: "{agent} 不再有自己的写入上限（之前为 {was} 字节）",
    en: "{agent} has no write limit of its own any more (was {was} bytes)",
  },
  now_all_servers: {
    zh: "{agent} 现在可以使用所有已配置的 MCP 服务器",
    en: "{agent} may now use every configured MCP server",
  },
  new_agent_all_servers: {
    zh: "新智能体 {agent} 可以使用所有已配置的 MCP 服务器",
    en: "new agent {agent} may use every configured MCP server",
  },
  now_server: {
    zh: "{agent} 现在可以使用 MCP 服务器 {server}",
    en: "{agent} may now use the MCP server {server}",
  },
  new_agent_server: {
    zh: "新智能体 {agent} 可以使用 MCP 服务器 {server}",
    en: "new agent {agent} may use the MCP server {server}",
  },
  now_folder: {
    zh: "{agent} 现在会写入 {folder}",
    en: "{agent} now writes into {folder}",
  },
  new_agent_folder: {
    zh: "新智能体 {agent} 会写入 {folder}",
    en: "new agent {agent} writes into {folder}",
  },
  now_network: {
    zh: "流程包现在声明需要网络",
    en: "the package now says it needs the network",
  },
};
