//! Words about taking over an older store.

use super::Entry;

pub(super) const SOURCE_INVALID: Entry = Entry::new(
    "这个文件夹不是旧版运行时的数据。",
    "请选择旧版程序的 runtime-store 文件夹，或包含它的文件夹。",
    "This folder is not the data of an Electron runtime.",
    "Choose its runtime-store folder, or the folder that holds it.",
);
pub(super) const NOT_JSON: Entry = Entry::new(
    "这个文件不是完整的数据文件。",
    "可读的部分已尽量导入；如有备份，请先恢复再导入。",
    "The file is broken or ends too early.",
    "What could be read was taken over. If you have a copy of the file, put it back first.",
);
pub(super) const MALFORMED: Entry = Entry::new(
    "这一条的格式不正确。",
    "它没有被导入，其余内容不受影响。",
    "The entry does not have the shape it should have.",
    "It was left out. Everything else is not affected.",
);
pub(super) const ID_UNSAFE: Entry = Entry::new(
    "这个编号不能用作文件名。",
    "请在旧数据中改掉它，然后再次导入。",
    "The id cannot be used as the name of a file.",
    "Change it in the old data, then import again.",
);
pub(super) const DUPLICATE: Entry = Entry::new(
    "这个编号前面已经出现过。",
    "只保留了第一个。",
    "The id was there before.",
    "Only the first one was kept.",
);
pub(super) const TOO_LARGE: Entry = Entry::new(
    "这个文件太大。",
    "它没有被导入；原文件仍在旧数据中。",
    "The file is too large to be taken over.",
    "It was left out. The original is still in the old data.",
);
pub(super) const LINK: Entry = Entry::new(
    "这是一个链接或特殊文件，不会被读取。",
    "如果需要它，请把链接换成真正的文件，然后再次导入。",
    "This is a link or a special file, which is never followed.",
    "If it is needed, put the real file in its place and import again.",
);
pub(super) const UNLISTED: Entry = Entry::new(
    "索引里没有它，但在磁盘上找到了。",
    "它已经按找到的内容处理，请核对名称。",
    "The index does not know it, but it was found on the disk.",
    "It was treated as it was found. Check its name.",
);
pub(super) const CHANGED: Entry = Entry::new(
    "导入时做了小的修正。",
    "无需处理，说明里写了改动。",
    "It was taken over with a small repair.",
    "Nothing needs to be done. The details say what was changed.",
);
pub(super) const READ_ONLY: Entry = Entry::new(
    "这次运行可以查看，但不能继续。",
    "请按说明中的原因处理，或重新开始一次运行。",
    "The run can be read, but not continued.",
    "The details say why. Start a new run to go on.",
);
pub(super) const NOT_SUPPORTED: Entry = Entry::new(
    "这一项在这里没有对应的功能。",
    "它留在旧数据中；如有需要，请在设置中另行配置。",
    "This has no counterpart here.",
    "It stays in the old data. If you need it, look for it in the settings.",
);
pub(super) const KEY_LEFT: Entry = Entry::new(
    "密钥没有被导入。",
    "请在设置中重新输入密钥。",
    "The key was not taken over.",
    "Enter it again in the settings.",
);
