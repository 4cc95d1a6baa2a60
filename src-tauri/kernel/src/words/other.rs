//! Words about settings, requests and faults.

use super::Entry;

pub(super) const SETTING_IS_KEY: Entry = Entry::new(
    "密钥不能作为设置保存；没有写入任何内容。",
    "请在“设置 → 模型”中填写密钥，或运行 crewagent settings set-key。",
    "A key is not kept among the settings. Nothing was written.",
    "Store it in Settings, Model, or with `crewagent settings set-key`.",
);
pub(super) const SETTING_INVALID: Entry = Entry::new(
    "这项设置无效。",
    "请按提示修改；原来的值仍然有效。",
    "This setting is not valid.",
    "Correct the named field. The old value still holds.",
);
pub(super) const BAD_REQUEST: Entry = Entry::new(
    "请求的格式不正确。",
    "请检查命令或参数后重试。",
    "The request is malformed.",
    "Check the command and its arguments, then try again.",
);
pub(super) const INTERNAL: Entry = Entry::new(
    "程序内部出错。",
    "请重试；如果仍然失败，请附上日志报告。",
    "Something went wrong inside the program.",
    "Try again. If it still fails, report it with the log.",
);
