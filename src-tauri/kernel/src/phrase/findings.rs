//! What is found in a package.

super::phrases! {
    found_in(file, says) "{file}: {says}" "{file}：{says}";
    no_manifest()
        "the package has no bmad.json at its top"
        "流程包的顶层没有 bmad.json";
    classic_package()
        "this is a classic workflow (YAML or XML); only packages of format 1.1 can be run"
        "这是旧格式的工作流（YAML 或 XML），只能运行 1.1 格式的流程包";
    outside_package(path, why)
        "`{path}` is not a path inside the package: {why}"
        "`{path}` 不是流程包内的路径：{why}";
    not_in_package(path)
        "`{path}` is not in the package"
        "流程包中没有 `{path}`";
    file_too_large(bytes, max)
        "the file has {bytes} bytes; at most {max} are read"
        "文件有 {bytes} 字节，最多读取 {max} 字节";
    file_not_text()
        "the file is not UTF-8 text"
        "文件不是 UTF-8 文本";
    json_broken(line, column, why)
        "not valid JSON at line {line}, column {column} (the parser: {why})"
        "不是有效的 JSON，第 {line} 行第 {column} 列（解析器：{why}）";
    duplicate_agent(id)
        "the agent id `{id}` is used twice"
        "智能体 id `{id}` 出现了两次";
    hidden_character(name)
        "the name `{name}` holds a character that cannot be seen"
        "名称 `{name}` 含有看不见的字符";
    duplicate_workflow(id)
        "the workflow id `{id}` is used twice"
        "工作流 id `{id}` 出现了两次";
    duplicate_node(id)
        "the node id `{id}` is used twice"
        "节点 id `{id}` 出现了两次";
    unknown_entry(id)
        "the entry node `{id}` is not in the graph"
        "入口节点 `{id}` 不在图中";
    dangling_edge(id)
        "an edge names the node `{id}`, which is not in the graph"
        "一条边指向节点 `{id}`，但它不在图中";
    unknown_agent(node, agent)
        "node `{node}` wants the agent `{agent}`, which agents.json does not have"
        "节点 `{node}` 需要智能体 `{agent}`，但 agents.json 中没有";
    step_unknown_agent(agent)
        "the front matter names the agent `{agent}`, which agents.json does not have"
        "文件头指定了智能体 `{agent}`，但 agents.json 中没有";
    not_markdown()
        "the file name does not end in .md"
        "文件名不以 .md 结尾";
    node_id_mismatch(said, graph)
        "the front matter says nodeId `{said}`, the graph says `{graph}`"
        "文件头的 nodeId 是 `{said}`，图中是 `{graph}`";
    type_mismatch(said, graph)
        "the front matter says type `{said}`, the graph says `{graph}`"
        "文件头的 type 是 `{said}`，图中是 `{graph}`";
    output_unchecked(output, node, why)
        "the output `{output}` of node `{node}` cannot be checked: {why}"
        "节点 `{node}` 的产出 `{output}` 无法检查：{why}";
    input_outside(input, node, why)
        "the input `{input}` of node `{node}` cannot be read from the project: {why}"
        "节点 `{node}` 的输入 `{input}` 无法从项目中读取：{why}";
    duplicate_output(first, second, path)
        "nodes `{first}` and `{second}` both declare `{path}`"
        "节点 `{first}` 和 `{second}` 都声明了 `{path}`";
    condition_broken(from, to, why)
        "the condition {from} → {to} cannot be evaluated: {why}"
        "条件 {from} → {to} 无法求值：{why}";
    no_such_operator(name)
        "there is no operator `{name}`"
        "没有运算符 `{name}`";
    operator_not_alone()
        "an object holds one operator and nothing else"
        "一个对象只能有一个运算符";
    variable_not_named()
        "`var` and `missing` name variables by plain texts"
        "`var` 和 `missing` 要用普通文本指明变量";
    condition_too_long(parts, bytes)
        "it has more than {parts} parts, or a text of more than {bytes} bytes"
        "它超过 {parts} 个部分，或有一段文本超过 {bytes} 字节";
    condition_too_deep(levels)
        "it has more than {levels} levels"
        "它的嵌套超过 {levels} 层";
    too_many(what, count, max)
        "`{what}` has {count} entries; at most {max} are read"
        "`{what}` 有 {count} 项，最多读取 {max} 项";
    too_much_to_read(bytes)
        "the files that this package names are more than {bytes} bytes in all, counted as often as they are named"
        "流程包引用的文件合计超过 {bytes} 字节（重复引用按次数计算）";
    too_heavy_to_read(bytes)
        "the values of the files that this package names take more than {bytes} bytes of memory, counted as often as they are named"
        "流程包引用的文件中的值占用内存超过 {bytes} 字节（重复引用按次数计算）";
    variable_never_set(from, to, name)
        "the condition {from} → {to} asks for the variable `{name}`, which no step sets"
        "条件 {from} → {to} 用到变量 `{name}`，但没有步骤设置它";
    runs_as_step(node)
        "node `{node}` is a subworkflow; it runs as a plain step"
        "节点 `{node}` 是子工作流，会作为普通步骤运行";
    step_too_long(tokens, max)
        "about {tokens} tokens; a quarter of a small model's context is {max}"
        "约 {tokens} 个词元；小模型上下文的四分之一是 {max}";
    updated_at_empty()
        "`updatedAt` is empty; the start of a run writes it"
        "`updatedAt` 为空，运行开始时会写入";
    agent_without_files(node, agent)
        "node `{node}` is done by the agent `{agent}`, which has no file tools, so it can never be left"
        "节点 `{node}` 由智能体 `{agent}` 执行，该智能体没有文件工具，因此永远无法离开此节点";
    no_agent_with_files(node)
        "no agent has file tools, so node `{node}` can never be left"
        "没有一个智能体有文件工具，因此永远无法离开节点 `{node}`";
    node_unreachable(node)
        "no path leads from the entry to node `{node}`"
        "从入口没有路径到达节点 `{node}`";
    never_ends(nodes)
        "no end node can be reached from {nodes}"
        "从这些节点无法到达 end 节点：{nodes}";
    several_entries(nodes)
        "several nodes have no edge leading to them: {nodes}"
        "有多个节点没有入边：{nodes}";
    loop_without_decision(nodes)
        "the loop {nodes} has no decision node"
        "循环 {nodes} 中没有决策节点";
    loop_without_exit(nodes)
        "no edge leaves the loop {nodes}"
        "没有边离开循环 {nodes}";
    no_default_edge(node)
        "decision node `{node}` has no default edge"
        "决策节点 `{node}` 没有默认边";
    several_default_edges(node, count)
        "node `{node}` has {count} default edges"
        "节点 `{node}` 有 {count} 条默认边";
    one_choice(node)
        "decision node `{node}` has only one edge, so there is nothing to decide"
        "决策节点 `{node}` 只有一条出边，没有可选择的";
    integrity_unknown()
        "`integrity.sha256` cannot be verified from inside the package"
        "`integrity.sha256` 无法从流程包内验证";
    more_findings(count)
        "at least {count} more findings are not shown"
        "至少还有 {count} 条结果未显示";
}
