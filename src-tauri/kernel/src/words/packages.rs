//! Words about packages, workflows and agents.

use super::Entry;

pub(super) const ARCHIVE_INVALID: Entry = Entry::new(
    "这个文件不是可读取的压缩包。",
    "请重新下载或重新打包后再导入。",
    "This file is not a readable archive.",
    "Download it again or pack it again, then import it.",
);
pub(super) const ARCHIVE_LIMIT: Entry = Entry::new(
    "压缩包超出了允许的大小或文件数量。",
    "请删去不需要的文件，重新打包后再导入。",
    "The archive is larger than allowed.",
    "Leave out files that are not needed, pack it again and import it.",
);
pub(super) const ARCHIVE_UNSAFE: Entry = Entry::new(
    "压缩包里有不安全的文件名，已拒绝导入。",
    "请联系作者，或用可信来源的流程包重试。",
    "The archive has an unsafe file name and was refused.",
    "Ask its author, or use a package from a source you trust.",
);
pub(super) const PACKAGE_INVALID: Entry = Entry::new(
    "这个流程包有错误，不能安装。",
    "请查看检查结果，修正每一处错误后再导入。",
    "The package has errors and cannot be installed.",
    "Look at the findings, correct every error and import it again.",
);
pub(super) const PACKAGE_NOT_FOUND: Entry = Entry::new(
    "找不到这个流程包。",
    "请检查名称，或先导入它。",
    "There is no such package.",
    "Check the name, or import the package first.",
);
pub(super) const PACKAGE_IN_USE: Entry = Entry::new(
    "还有运行在使用这个流程包，不能移除。",
    "请先删除使用它的运行，再移除这个流程包。",
    "A run still uses this package.",
    "Delete the runs that use it, then remove the package.",
);
pub(super) const PACKAGE_CHANGED: Entry = Entry::new(
    "流程包不再是显示给你的那一个。",
    "请重新打开它，查看它现在可以做什么，再决定是否安装。",
    "The package is no longer the one you were shown.",
    "Open it again, look at what it may do now, and decide anew.",
);
pub(super) const PACKAGE_ID_TAKEN: Entry = Entry::new(
    "同一个 id 下已经安装了另一个流程包。",
    "其中一个可能是伪造的。请核对两者的来源；若信任新的，请先移除已安装的那个。",
    "Another package is installed under the same id.",
    "One of the two may be a forgery. Check where both come from; to trust the new one, remove the installed one first.",
);
pub(super) const MANIFEST_INVALID: Entry = Entry::new(
    "流程包的清单文件无法读取。",
    "请检查清单的格式，修正后重新打包。",
    "The package manifest cannot be read.",
    "Check the format of the manifest, correct it and pack again.",
);
pub(super) const NOT_SUPPORTED_CLASSIC_WORKFLOW: Entry = Entry::new(
    "不支持旧格式的工作流。",
    "请把它转换成带有工作流图的流程包后再导入。",
    "Classic workflow packages are not supported.",
    "Convert it to a package with a workflow graph, then import it.",
);
pub(super) const WORKFLOW_REF_REQUIRED: Entry = Entry::new(
    "这个流程包有多个工作流，需要选择一个。",
    "请选择要运行的工作流。",
    "The package has several workflows and none was chosen.",
    "Choose the workflow to run.",
);
pub(super) const WORKFLOW_REF_UNKNOWN: Entry = Entry::new(
    "流程包里没有这个工作流。",
    "请从流程包的工作流列表中选择。",
    "The package has no such workflow.",
    "Choose one from the list of its workflows.",
);
pub(super) const WORKFLOW_REF_MISMATCH: Entry = Entry::new(
    "流程包里唯一的工作流不是所选的那一个。",
    "请使用流程包里现有的工作流，或更换流程包。",
    "The only workflow of the package is not the one asked for.",
    "Use the workflow the package has, or choose another package.",
);
pub(super) const WORKFLOW_FILE_NOT_FOUND: Entry = Entry::new(
    "流程包里缺少工作流文件。",
    "请重新导入这个流程包。",
    "The workflow file is missing from the package.",
    "Import the package again.",
);
pub(super) const GRAPH_FILE_NOT_FOUND: Entry = Entry::new(
    "流程包里缺少工作流图文件。",
    "请重新导入这个流程包。",
    "The graph file is missing from the package.",
    "Import the package again.",
);
pub(super) const STEP_FILE_NOT_FOUND: Entry = Entry::new(
    "流程包里缺少这一步的说明文件。",
    "请重新导入这个流程包，或联系作者补上文件。",
    "The step file is missing from the package.",
    "Import the package again, or ask its author to add the file.",
);
pub(super) const AGENT_NOT_FOUND: Entry = Entry::new(
    "流程包里没有这个智能体。",
    "请从流程包的智能体列表中选择，或重新导入这个流程包。",
    "The package has no such agent.",
    "Choose one from the list of its agents, or import the package again.",
);
