//! Values, front matter and paths that are not as they should be.

super::phrases! {
    unknown_property(names)
        "the format has no property {names} here"
        "这里没有属性 {names}";
    missing_property(name)
        "the property `{name}` is missing"
        "缺少属性 `{name}`";
    value_not_allowed(value)
        "{value} is not an allowed value"
        "{value} 不是允许的值";
    value_of_other_type(value)
        "{value} is of the wrong type"
        "{value} 的类型不对";
    value_malformed(value)
        "{value} is not of the right form"
        "{value} 的格式不对";
    text_empty()
        "the text is empty"
        "文本为空";
    text_too_long(max)
        "the text is longer than {max} characters"
        "文本超过 {max} 个字符";
    list_too_short()
        "the list has too few entries"
        "列表的项太少";
    number_too_small(value)
        "{value} is too small"
        "{value} 太小";
    number_too_large(value)
        "{value} is too large"
        "{value} 太大";
    value_unfit(why)
        "the value does not fit the package format: {why}"
        "值不符合流程包的格式：{why}";
    matter_missing()
        "the front matter is missing: the file must start with a line `---`"
        "缺少文件头：文件必须以一行 `---` 开始";
    matter_not_first()
        "there is blank space before the front matter: `---` must be the very first characters"
        "文件头前面有空白：`---` 必须是文件最前面的字符";
    matter_not_closed()
        "the front matter is not closed: there is no second `---` line"
        "文件头没有结束：没有第二行 `---`";
    matter_too_large(bytes, max)
        "the front matter has {bytes} bytes, more than the {max} allowed"
        "文件头有 {bytes} 字节，超过允许的 {max} 字节";
    matter_too_deep()
        "the front matter nests brackets too deeply"
        "文件头的括号嵌套过深";
    matter_too_much(values, bytes)
        "the front matter holds more than {values} values or {bytes} bytes of text when its aliases are written out"
        "文件头展开别名后超过 {values} 个值或 {bytes} 字节文本";
    matter_change_too_large(keys, bytes)
        "{keys} keys at once are too many to change in a front matter of {bytes} bytes"
        "在 {bytes} 字节的文件头中一次修改 {keys} 个键太多了";
    matter_not_yaml(why)
        "the front matter is not valid YAML: {why}"
        "文件头不是有效的 YAML：{why}";
    matter_no_map()
        "the front matter must be a map of keys to values"
        "文件头必须是键值映射";
    matter_number(at, value)
        "front matter {at}: {value} is not a finite number"
        "文件头 {at}：{value} 不是有限的数";
    matter_key(at)
        "front matter {at}: a key must be a plain text"
        "文件头 {at}：键必须是纯文本";
    matter_key_twice(at, key)
        "front matter {at}: the key `{key}` stands twice"
        "文件头 {at}：键 `{key}` 出现了两次";
    matter_key_stuck(key)
        "the front matter key `{key}` cannot be changed without touching others"
        "无法只修改文件头中的 `{key}` 而不影响其他键";
    matter_tag(at, tag)
        "front matter {at}: the tag {tag} is not supported"
        "文件头 {at}：不支持标签 {tag}";
    path_unknown_mount()
        "a path must start with @project, @pkg or @state"
        "路径必须以 @project、@pkg 或 @state 开头";
    path_absolute()
        "absolute paths are not allowed"
        "不允许绝对路径";
    path_climbs()
        "`..` is not allowed"
        "不允许 `..`";
    path_control()
        "control characters are not allowed"
        "不允许控制字符";
    path_hidden()
        "characters that cannot be seen are not allowed"
        "不允许看不见的字符";
    path_device()
        "this is a reserved device name"
        "这是系统保留的设备名";
    path_colon()
        "`:` is not allowed in a file name"
        "文件名中不允许 `:`";
    path_dot_or_space()
        "a file name must not end in a dot, nor begin or end with a space"
        "文件名不能以点结尾，也不能以空格开头或结尾";
    path_too_long()
        "the path is too long"
        "路径过长";
    no_id(text, kind, why) "`{text}` is not a valid {kind}: {why}" "`{text}` 不是有效的{kind}：{why}";
    id_of_package() "package id" "流程包编号";
    id_of_workflow() "workflow id" "工作流编号";
    id_of_agent() "agent id" "智能体编号";
    id_of_node() "node id" "节点编号";
    id_of_project() "project id" "项目编号";
    id_of_run() "run id" "运行编号";
    id_of_conversation() "conversation id" "会话编号";
    id_of_message() "message id" "消息编号";
    id_of_change() "change id" "改动编号";
    id_empty() "it is empty" "它是空的";
    id_too_long() "it is too long" "它太长";
    id_start() "it must start with a letter or a digit" "它必须以字母或数字开头";
    id_characters() "only letters, digits and . _ : - are allowed" "只能含字母、数字和 . _ : -";
    output_elsewhere()
        "only files of the project can be outputs"
        "只有项目中的文件才能是产出";
    output_folder()
        "it names a folder, not a file"
        "它是文件夹，不是文件";
    output_pattern()
        "it is a pattern, not the name of one file"
        "它是模式，不是一个文件的名称";
    output_words()
        "it reads like a description, not like a path"
        "它像一段描述，不像路径";
}
