//! Words about projects, runs and the store.

use super::Entry;

pub(super) const PROJECT_ROOT_INVALID: Entry = Entry::new(
    "项目文件夹不存在，或者不是文件夹。",
    "请选择一个现有的文件夹；如果它被移动过，请重新指定位置。",
    "The project folder does not exist or is not a folder.",
    "Choose an existing folder. If it was moved, show its new place.",
);
pub(super) const PROJECT_NOT_FOUND: Entry = Entry::new(
    "找不到这个项目。",
    "请重新打开项目文件夹。",
    "There is no such project.",
    "Open the project folder again.",
);
pub(super) const PROJECT_COPIED: Entry = Entry::new(
    "这个文件夹带着另一个文件夹中项目的编号。",
    "请说明它是副本（会得到新的编号），还是移动过来的项目。",
    "This folder has the id of a project that is known in another folder.",
    "Say whether it is a copy, which gets an id of its own, or the project that was moved.",
);
pub(super) const PROJECT_MISMATCH: Entry = Entry::new(
    "这个文件夹不是要找的项目。",
    "请选择项目移动后的文件夹。",
    "This folder is not the project that is looked for.",
    "Choose the folder the project was moved to.",
);
pub(super) const PROJECT_FILE_INVALID: Entry = Entry::new(
    "项目的配置文件无法使用。",
    "请修正它的格式；也可以删除它，程序会重新创建。",
    "The project file cannot be used.",
    "Correct its format, or delete it and a new one is made.",
);
pub(super) const RUN_NOT_FOUND: Entry = Entry::new(
    "找不到这次运行。",
    "请从运行列表中选择。",
    "There is no such run.",
    "Choose one from the list of runs.",
);
pub(super) const CONVERSATION_NOT_FOUND: Entry = Entry::new(
    "找不到这个会话。",
    "请从会话列表中选择。",
    "There is no such conversation.",
    "Choose one from the list of conversations.",
);
pub(super) const RUN_BUSY: Entry = Entry::new(
    "这次运行正在进行中。",
    "请等它结束或先停止它；也请确认没有在另一个窗口中打开。",
    "The run is being worked on.",
    "Wait until it pauses or stop it, and check that no other window works on it.",
);
pub(super) const STATE_INIT_FAILED: Entry = Entry::new(
    "无法创建运行的状态文件夹。",
    "请检查磁盘空间和写入权限，然后重试。",
    "The state folder of the run could not be made.",
    "Check free space and write permission, then try again.",
);
pub(super) const STATE_FILE_NOT_FOUND: Entry = Entry::new(
    "运行的状态文件不见了。",
    "请恢复这个文件，或重新开始一次运行。",
    "The state document of the run is missing.",
    "Bring the file back, or start a new run.",
);
pub(super) const CURRENT_NODE_INVALID: Entry = Entry::new(
    "状态文件指向的节点不在工作流图中。",
    "请把当前节点改成图中已有的节点，或回退到较早的节点。",
    "The state document names a node that the graph does not have.",
    "Set the current node to one of the graph, or rewind to an earlier node.",
);
pub(super) const STORE_OPEN_FAILED: Entry = Entry::new(
    "无法打开程序的数据文件。",
    "请检查磁盘空间和权限，并关闭本程序的其他窗口后重试。",
    "The data of the program cannot be opened.",
    "Check free space and permissions, close other windows of the program and try again.",
);
pub(super) const STORE_BUSY: Entry = Entry::new(
    "另一个程序正在准备数据文件。",
    "请稍等片刻再试；如果仍然如此，请关闭本程序的其他窗口和命令。",
    "Another program is making the data ready.",
    "Wait a little and try again. If it stays, close other windows and commands of the program.",
);
pub(super) const STORE_TOO_NEW: Entry = Entry::new(
    "数据是由更新版本的程序写入的。",
    "请关闭窗口，安装最新版本后再启动；数据没有被改动。",
    "The data was written by a newer version of the program.",
    "Close the window, install the newest version and start it again. Nothing was changed.",
);
pub(super) const STORE_WRITE_FAILED: Entry = Entry::new(
    "无法保存数据。",
    "请检查磁盘空间和写入权限，然后重试；已保存的内容不会丢失。",
    "The data could not be saved.",
    "Check free space and write permission, then try again. What was saved before is safe.",
);
pub(super) const STORE_READ_FAILED: Entry = Entry::new(
    "无法读取数据。",
    "请重试；如果仍然失败，请附上日志报告。",
    "The data could not be read.",
    "Try again. If it still fails, report it with the log.",
);
pub(super) const WATCH_LIMITED: Entry = Entry::new(
    "系统不允许再监视更多文件夹。",
    "文件的变化会稍晚显示；可提高系统的监视上限（Linux：fs.inotify.max_user_watches）。",
    "The system allows no more folders to be watched.",
    "Changes of files are seen a little later; raise the system's limit (Linux: fs.inotify.max_user_watches).",
);
