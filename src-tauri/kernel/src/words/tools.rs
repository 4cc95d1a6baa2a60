//! Words about tools and files.

use super::Entry;

pub(super) const TOOL_ARGS_INVALID_JSON: Entry = Entry::new(
    "工具参数不是有效的 JSON。",
    "请发送一个符合工具格式的 JSON 对象。",
    "The arguments of the tool are not valid JSON.",
    "Send one JSON object that fits the schema of the tool.",
);
pub(super) const INVALID_ARGS: Entry = Entry::new(
    "工具参数不符合要求。",
    "请按提示修正标出的字段。",
    "The arguments do not fit the tool.",
    "Correct the named field as the details say.",
);
pub(super) const TOOL_NOT_AVAILABLE: Entry = Entry::new(
    "这个工具不存在或已关闭。",
    "请使用列出的工具；需要时在设置中开启它。",
    "This tool does not exist or is switched off.",
    "Use one of the listed tools, or switch it on in the settings.",
);
pub(super) const TOOL_EXEC_FAILED: Entry = Entry::new(
    "工具执行失败。",
    "请查看详细信息，换一种方式重试。",
    "The tool failed.",
    "Look at the details and try in another way.",
);
pub(super) const SANDBOX_VIOLATION: Entry = Entry::new(
    "这个位置不允许工具访问。",
    "请使用项目、流程包或状态别名下的位置。",
    "Tools may not touch this place.",
    "Name a place below the project, package or state alias.",
);
pub(super) const NOT_FOUND: Entry = Entry::new(
    "没有这个文件或文件夹。",
    "请先列出文件夹，确认名称后重试。",
    "There is no such file or folder.",
    "List the folder, check the name and try again.",
);
pub(super) const ALREADY_EXISTS: Entry = Entry::new(
    "这个位置已经有文件或文件夹。",
    "请换一个名称，或先移走原来的内容。",
    "There is a file or folder already.",
    "Choose another name, or move away what is there.",
);
pub(super) const NOT_EMPTY: Entry = Entry::new(
    "这个文件夹不是空的。",
    "如果确实要连同内容一起删除，请明确说明。",
    "The folder is not empty.",
    "Say clearly if it is to go with everything in it.",
);
pub(super) const READ_LIMIT: Entry = Entry::new(
    "要读取的内容超出上限。",
    "请先搜索，再只读取需要的几行。",
    "This is more than may be read at once.",
    "Search first, then read only the lines you need.",
);
pub(super) const WRITE_LIMIT: Entry = Entry::new(
    "要写入的内容超出上限。",
    "请分成几次写入。",
    "This is more than may be written at once.",
    "Write it in several parts.",
);
pub(super) const NOT_TEXT: Entry = Entry::new(
    "这个文件不是 UTF-8 文本。",
    "请选择文本文件，或先转换编码。",
    "This file is not UTF-8 text.",
    "Choose a text file, or convert it first.",
);
pub(super) const SECRET_FILE: Entry = Entry::new(
    "这个文件可能含有密钥，不允许工具访问。",
    "如果确实需要，请在设置中允许机密文件。",
    "This file may hold secrets, so tools may not touch it.",
    "If it is really needed, allow secret files in the settings.",
);
pub(super) const SELF_STARTING: Entry = Entry::new(
    "这个文件夹移动后，其中的文件会被其他程序自动执行。",
    "请让模型逐个移动文件：每个文件的内容会先显示给你。",
    "Other programs would start files of this folder by themselves after the move.",
    "Have the files moved one by one: you are shown the content of each first.",
);
pub(super) const PATCH_FAILED: Entry = Entry::new(
    "修改与文件的现有内容对不上。",
    "请重新读取文件，再按原文修改。",
    "The change does not fit the file as it is.",
    "Read the file again and repeat the change with its exact text.",
);
pub(super) const UNKNOWN_MARK: Entry = Entry::new(
    "内容里有一个不代表任何文件夹的标记。",
    "请原样照抄读取结果中的标记；什么都没有写入。",
    "The content holds a mark that stands for no folder.",
    "Copy marks exactly as they were read; nothing was written.",
);
pub(super) const PRECONDITION_FAILED: Entry = Entry::new(
    "文件在这期间已被修改。",
    "请重新读取文件，再做修改。",
    "The file changed in the meantime.",
    "Read the file again, then repeat the change.",
);
pub(super) const INVALID_FRONTMATTER: Entry = Entry::new(
    "文件开头的元数据无法解析。",
    "请修正其中的 YAML 格式。",
    "The front matter of the file cannot be read.",
    "Correct its YAML.",
);
pub(super) const SCHEMA_VALIDATION: Entry = Entry::new(
    "文档的内容不符合规定的格式。",
    "请按详细信息逐项修正。",
    "The document does not fit its schema.",
    "Correct every entry the details name.",
);
pub(super) const INVALID_TRANSITION: Entry = Entry::new(
    "工作流图不允许这样跳转。",
    "请从允许的下一步中选择一个。",
    "The graph does not have this move.",
    "Choose one of the allowed next nodes.",
);
pub(super) const CONDITION_NOT_MET: Entry = Entry::new(
    "这条路径的条件还不满足。",
    "请先满足条件，或选择另一条路径。",
    "The condition of this edge does not hold.",
    "Make the condition true first, or choose another edge.",
);
pub(super) const NOT_AT_END: Entry = Entry::new(
    "流程还没有走到终点，不能标记为完成。",
    "请继续走完剩下的步骤；要提前结束，可由你自己在运行状态文档里写明。",
    "The workflow is not at its end, so it cannot be marked as complete.",
    "Let it go on to its end. To end it earlier, say so in its state document yourself.",
);
pub(super) const ARTIFACT_UNKNOWN: Entry = Entry::new(
    "产物列表里有项目中不存在的文件。",
    "请先写出这个文件，或把它从列表里去掉。",
    "The list of artifacts names what is no file of the project.",
    "Have the file written first, or leave it out of the list.",
);
pub(super) const REWIND_NOT_CONFIRMED: Entry = Entry::new(
    "回退需要明确的确认。",
    "请先确认要回退，然后重试。",
    "Going back needs a clear confirmation.",
    "Confirm the rewind, then try again.",
);
pub(super) const IO: Entry = Entry::new(
    "读写磁盘时出错。",
    "请检查磁盘空间和权限，然后重试。",
    "The disk could not be read or written.",
    "Check free space and permissions, then try again.",
);
