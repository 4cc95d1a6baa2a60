//! Words about talking to models.

use super::Entry;

pub(super) const LLM_NOT_CONFIGURED: Entry = Entry::new(
    "还没有配置模型。",
    "请在设置中连接一个模型，或先试玩演示。",
    "No model is connected.",
    "Connect a model in the settings, or play the demo first.",
);
pub(super) const LLM_AUTH_FAILED: Entry = Entry::new(
    "模型服务器拒绝了密钥。",
    "请在设置中检查密钥和账号权限。",
    "The model server refused the key.",
    "Check the key and the rights of the account in the settings.",
);
pub(super) const LLM_RATE_LIMITED: Entry = Entry::new(
    "请求太频繁，或者额度已用完。",
    "请稍等片刻再重试，或检查账号额度。",
    "Too many requests, or the quota is used up.",
    "Wait a moment and try again, or check the quota of the account.",
);
pub(super) const LLM_TIMEOUT: Entry = Entry::new(
    "模型服务器没有及时回应。",
    "请重试；如果模型较慢，可以在设置中延长等待时间。",
    "The model server did not answer in time.",
    "Try again. For a slow model, raise the waiting times in the settings.",
);
pub(super) const LLM_CONTEXT_TOO_LONG: Entry = Entry::new(
    "请求超出了模型的上下文长度。",
    "请换用上下文更长的模型，或开始新的运行。",
    "The request is longer than the context of the model.",
    "Use a model with a larger context, or start a new run.",
);
pub(super) const LLM_MODEL_NOT_FOUND: Entry = Entry::new(
    "服务器上没有这个模型。",
    "请在设置中选择服务器提供的模型。",
    "The server does not have this model.",
    "Choose a model the server offers in the settings.",
);
pub(super) const LLM_HTTP_ERROR: Entry = Entry::new(
    "模型服务器返回了错误。",
    "请查看详细信息后重试；如果仍然失败，请检查服务器地址。",
    "The model server answered with an error.",
    "Look at the details and try again. If it still fails, check the address of the server.",
);
pub(super) const LLM_BAD_RESPONSE: Entry = Entry::new(
    "模型服务器的回复无法识别。",
    "请重试；如果仍然失败，请确认该地址兼容 OpenAI 接口。",
    "The answer of the model server makes no sense.",
    "Try again. If it still fails, check that the address speaks the OpenAI protocol.",
);
pub(super) const LLM_UNREACHABLE: Entry = Entry::new(
    "连接不上模型服务器。",
    "请检查网络和服务器地址，并确认本地服务器已经启动。",
    "Nobody answers at the address of the model.",
    "Check the network and the address, and that a local server is running.",
);
pub(super) const LLM_OUTPUT_CUT: Entry = Entry::new(
    "回复太长，被截断了。",
    "请继续，让模型接着写完；或者要求它分段写。",
    "The answer was too long and was cut.",
    "Continue so that the model can go on, or ask for smaller parts.",
);
pub(super) const DEMO_OVER: Entry = Entry::new(
    "演示脚本已经播放完毕。",
    "可以用自己的模型在这里继续，之前的内容都还在。",
    "The script of the demo has been played to its end.",
    "Go on here with a model of your own. Everything so far stays.",
);
pub(super) const DEMO_TRACE_MISMATCH: Entry = Entry::new(
    "演示脚本与实际请求不一致。",
    "请查看详细信息中的差异，然后重新录制或修正脚本。",
    "The demo trace does not fit what was asked.",
    "Look at the difference in the details, then record the trace again or correct it.",
);
