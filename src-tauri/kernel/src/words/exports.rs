//! Words about exported runs.

use super::Entry;

pub(super) const EXPORT_UNSAFE: Entry = Entry::new(
    "导出的内容会泄露密钥或本机的路径，因此没有导出。",
    "请查看提示的位置；把密钥或路径从内容中去掉后，重新运行再导出。",
    "The export would give away a key or a folder of this machine, so nothing was exported.",
    "Look at the named place. Keep the key or the folder out of it, run again, then export that run.",
);
pub(super) const EXPORT_TOO_LARGE: Entry = Entry::new(
    "这次运行太大，无法导出。",
    "请导出一次较短的运行。",
    "The run is too large to be exported.",
    "Export a shorter run.",
);
pub(super) const EXPORT_EXISTS: Entry = Entry::new(
    "目标文件已经存在。",
    "请换一个文件名，或者允许覆盖它。",
    "The file to export to exists already.",
    "Choose another name, or allow the file to be replaced.",
);
pub(super) const CREWRUN_INVALID: Entry = Entry::new(
    "这不是完整的运行导出文件。",
    "请重新导出这次运行，并完整地传送文件。",
    "This is not a whole exported run.",
    "Export the run again, and make sure that the whole file arrives.",
);
pub(super) const CREWRUN_TOO_NEW: Entry = Entry::new(
    "这次运行是由更新版本的程序导出的。",
    "请升级到最新版本后再重放。",
    "The run was exported by a newer version of the program.",
    "Install the newest version, then replay it again.",
);
