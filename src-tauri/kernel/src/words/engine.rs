//! Words about the engine, confirmations and widgets.

use super::Entry;

pub(super) const ENGINE_ABORTED: Entry = Entry::new(
    "已按你的要求停止。",
    "需要时可以继续，之前的内容都还在。",
    "Stopped, as you asked.",
    "Continue when you like. Nothing was lost.",
);
pub(super) const ENGINE_MAX_TURNS_EXCEEDED: Entry = Entry::new(
    "一次输入内的模型请求次数已达上限。",
    "可以选择继续，或在设置中提高上限。",
    "The limit of model requests for one input is reached.",
    "Continue, or raise the limit in the settings.",
);
pub(super) const ENGINE_LOOP_DETECTED: Entry = Entry::new(
    "模型在重复同样的操作，已暂停。",
    "请告诉它换一种做法，或提供它缺少的信息。",
    "The model repeats the same call, so it was paused.",
    "Tell it to try another way, or give it what it is missing.",
);
pub(super) const ENGINE_PRECONDITION_FAILED: Entry = Entry::new(
    "这一轮无法开始：流程包或运行状态不完整。",
    "请查看详细信息，修正缺少的智能体、步骤文件或状态后重试。",
    "The turn cannot start because the package or the state is not complete.",
    "Look at the details, correct the agent, step file or state and try again.",
);
pub(super) const CONTEXT_STILL_TOO_LARGE: Entry = Entry::new(
    "会话超出了模型的上下文。",
    "请换用上下文更大的模型，在设置中更正上下文长度，或开始新的运行。",
    "The conversation does not fit the context of the model.",
    "Use a model with a larger context, correct the context in the settings, or start a new run.",
);
pub(super) const STATE_CHANGE_REQUIRES_CONFIRMATION: Entry = Entry::new(
    "工作流已完成，修改状态需要你的确认。",
    "请在确认框中查看具体修改，再决定是否同意。",
    "The workflow is complete, so a change of its state needs your confirmation.",
    "Look at the exact change in the dialog, then confirm or cancel.",
);
pub(super) const USER_REFUSED: Entry = Entry::new(
    "你没有允许这次修改，它没有执行。",
    "可以告诉模型你希望怎么做。",
    "You did not allow this change; it was not made.",
    "Tell the model what you would like instead.",
);
pub(super) const APPROVAL_NOT_FOUND: Entry = Entry::new(
    "这项授权已经失效。",
    "无需再撤销；下次写入会重新询问你。",
    "This approval is not in force any more.",
    "There is nothing to take back: the next write asks you again.",
);
pub(super) const INTERRUPTED: Entry = Entry::new(
    "程序在操作中途关闭了，这一步可能已经执行。",
    "请检查结果，再决定继续还是重做。",
    "The program ended in the middle, so this may have happened.",
    "Check the result, then continue or do it again.",
);
pub(super) const NOT_NOW: Entry = Entry::new(
    "现在还不能这样做。",
    "请查看运行的状态，然后再试。",
    "This cannot be done right now.",
    "See where the run stands, then try again.",
);
pub(super) const WIDGET_NOT_FOUND: Entry = Entry::new(
    "没有正在等待回答的问题。",
    "请刷新会话，查看最新的内容。",
    "No such question is waiting.",
    "Open the conversation again to see what is new.",
);
pub(super) const WIDGET_ALREADY_SUBMITTED: Entry = Entry::new(
    "这个问题已经回答过了。",
    "不需要再次提交，可以直接继续对话。",
    "This question was answered before.",
    "There is nothing to submit. Go on with the conversation.",
);
pub(super) const WIDGET_VALUE_INVALID: Entry = Entry::new(
    "填写的内容不符合要求。",
    "请按标出的提示修改后再提交。",
    "The answer does not fit the question.",
    "Correct the marked fields and submit again.",
);
pub(super) const WIDGET_TOO_SOON: Entry = Entry::new(
    "这个问题刚刚出现，你的回答没有被采用。",
    "请先看清要授权的内容，再回答一次。",
    "This question had only just appeared, so the answer was not taken.",
    "Read what it is about, then answer it again.",
);
