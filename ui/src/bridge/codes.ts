// Generated from the kernel's words (src-tauri/kernel/src/words). Do not edit.
import type { ErrorCode } from "./wire";

export const codes = {
  ARCHIVE_INVALID: {
    zh: { title: "这个文件不是可读取的压缩包。", action: "请重新下载或重新打包后再导入。" },
    en: { title: "This file is not a readable archive.", action: "Download it again or pack it again, then import it." },
  },
  ARCHIVE_LIMIT: {
    zh: { title: "压缩包超出了允许的大小或文件数量。", action: "请删去不需要的文件，重新打包后再导入。" },
    en: { title: "The archive is larger than allowed.", action: "Leave out files that are not needed, pack it again and import it." },
  },
  ARCHIVE_UNSAFE: {
    zh: { title: "压缩包里有不安全的文件名，已拒绝导入。", action: "请联系作者，或用可信来源的流程包重试。" },
    en: { title: "The archive has an unsafe file name and was refused.", action: "Ask its author, or use a package from a source you trust." },
  },
  PACKAGE_INVALID: {
    zh: { title: "这个流程包有错误，不能安装。", action: "请查看检查结果，修正每一处错误后再导入。" },
    en: { title: "The package has errors and cannot be installed.", action: "Look at the findings, correct every error and import it again." },
  },
  PACKAGE_NOT_FOUND: {
    zh: { title: "找不到这个流程包。", action: "请检查名称，或先导入它。" },
    en: { title: "There is no such package.", action: "Check the name, or import the package first." },
  },
  PACKAGE_IN_USE: {
    zh: { title: "还有运行在使用这个流程包，不能移除。", action: "请先删除使用它的运行，再移除这个流程包。" },
    en: { title: "A run still uses this package.", action: "Delete the runs that use it, then remove the package." },
  },
  PACKAGE_CHANGED: {
    zh: { title: "流程包不再是显示给你的那一个。", action: "请重新打开它，查看它现在可以做什么，再决定是否安装。" },
    en: { title: "The package is no longer the one you were shown.", action: "Open it again, look at what it may do now, and decide anew." },
  },
  PACKAGE_ID_TAKEN: {
    zh: { title: "同一个 id 下已经安装了另一个流程包。", action: "其中一个可能是伪造的。请核对两者的来源；若信任新的，请先移除已安装的那个。" },
    en: { title: "Another package is installed under the same id.", action: "One of the two may be a forgery. Check where both come from; to trust the new one, remove the installed one first." },
  },
  MANIFEST_INVALID: {
    zh: { title: "流程包的清单文件无法读取。", action: "请检查清单的格式，修正后重新打包。" },
    en: { title: "The package manifest cannot be read.", action: "Check the format of the manifest, correct it and pack again." },
  },
  NOT_SUPPORTED_CLASSIC_WORKFLOW: {
    zh: { title: "不支持旧格式的工作流。", action: "请把它转换成带有工作流图的流程包后再导入。" },
    en: { title: "Classic workflow packages are not supported.", action: "Convert it to a package with a workflow graph, then import it." },
  },
  WORKFLOW_REF_REQUIRED: {
    zh: { title: "这个流程包有多个工作流，需要选择一个。", action: "请选择要运行的工作流。" },
    en: { title: "The package has several workflows and none was chosen.", action: "Choose the workflow to run." },
  },
  WORKFLOW_REF_UNKNOWN: {
    zh: { title: "流程包里没有这个工作流。", action: "请从流程包的工作流列表中选择。" },
    en: { title: "The package has no such workflow.", action: "Choose one from the list of its workflows." },
  },
  WORKFLOW_REF_MISMATCH: {
    zh: { title: "流程包里唯一的工作流不是所选的那一个。", action: "请使用流程包里现有的工作流，或更换流程包。" },
    en: { title: "The only workflow of the package is not the one asked for.", action: "Use the workflow the package has, or choose another package." },
  },
  WORKFLOW_FILE_NOT_FOUND: {
    zh: { title: "流程包里缺少工作流文件。", action: "请重新导入这个流程包。" },
    en: { title: "The workflow file is missing from the package.", action: "Import the package again." },
  },
  GRAPH_FILE_NOT_FOUND: {
    zh: { title: "流程包里缺少工作流图文件。", action: "请重新导入这个流程包。" },
    en: { title: "The graph file is missing from the package.", action: "Import the package again." },
  },
  STEP_FILE_NOT_FOUND: {
    zh: { title: "流程包里缺少这一步的说明文件。", action: "请重新导入这个流程包，或联系作者补上文件。" },
    en: { title: "The step file is missing from the package.", action: "Import the package again, or ask its author to add the file." },
  },
  AGENT_NOT_FOUND: {
    zh: { title: "流程包里没有这个智能体。", action: "请从流程包的智能体列表中选择，或重新导入这个流程包。" },
    en: { title: "The package has no such agent.", action: "Choose one from the list of its agents, or import the package again." },
  },
  PROJECT_ROOT_INVALID: {
    zh: { title: "项目文件夹不存在，或者不是文件夹。", action: "请选择一个现有的文件夹；如果它被移动过，请重新指定位置。" },
    en: { title: "The project folder does not exist or is not a folder.", action: "Choose an existing folder. If it was moved, show its new place." },
  },
  PROJECT_NOT_FOUND: {
    zh: { title: "找不到这个项目。", action: "请重新打开项目文件夹。" },
    en: { title: "There is no such project.", action: "Open the project folder again." },
  },
  PROJECT_COPIED: {
    zh: { title: "这个文件夹带着另一个文件夹中项目的编号。", action: "请说明它是副本（会得到新的编号），还是移动过来的项目。" },
    en: { title: "This folder has the id of a project that is known in another folder.", action: "Say whether it is a copy, which gets an id of its own, or the project that was moved." },
  },
  PROJECT_MISMATCH: {
    zh: { title: "这个文件夹不是要找的项目。", action: "请选择项目移动后的文件夹。" },
    en: { title: "This folder is not the project that is looked for.", action: "Choose the folder the project was moved to." },
  },
  PROJECT_FILE_INVALID: {
    zh: { title: "项目的配置文件无法使用。", action: "请修正它的格式；也可以删除它，程序会重新创建。" },
    en: { title: "The project file cannot be used.", action: "Correct its format, or delete it and a new one is made." },
  },
  RUN_NOT_FOUND: {
    zh: { title: "找不到这次运行。", action: "请从运行列表中选择。" },
    en: { title: "There is no such run.", action: "Choose one from the list of runs." },
  },
  CONVERSATION_NOT_FOUND: {
    zh: { title: "找不到这个会话。", action: "请从会话列表中选择。" },
    en: { title: "There is no such conversation.", action: "Choose one from the list of conversations." },
  },
  RUN_BUSY: {
    zh: { title: "这次运行正在进行中。", action: "请等它结束或先停止它；也请确认没有在另一个窗口中打开。" },
    en: { title: "The run is being worked on.", action: "Wait until it pauses or stop it, and check that no other window works on it." },
  },
  STATE_INIT_FAILED: {
    zh: { title: "无法创建运行的状态文件夹。", action: "请检查磁盘空间和写入权限，然后重试。" },
    en: { title: "The state folder of the run could not be made.", action: "Check free space and write permission, then try again." },
  },
  STATE_FILE_NOT_FOUND: {
    zh: { title: "运行的状态文件不见了。", action: "请恢复这个文件，或重新开始一次运行。" },
    en: { title: "The state document of the run is missing.", action: "Bring the file back, or start a new run." },
  },
  CURRENT_NODE_INVALID: {
    zh: { title: "状态文件指向的节点不在工作流图中。", action: "请把当前节点改成图中已有的节点，或回退到较早的节点。" },
    en: { title: "The state document names a node that the graph does not have.", action: "Set the current node to one of the graph, or rewind to an earlier node." },
  },
  STORE_OPEN_FAILED: {
    zh: { title: "无法打开程序的数据文件。", action: "请检查磁盘空间和权限，并关闭本程序的其他窗口后重试。" },
    en: { title: "The data of the program cannot be opened.", action: "Check free space and permissions, close other windows of the program and try again." },
  },
  STORE_BUSY: {
    zh: { title: "另一个程序正在准备数据文件。", action: "请稍等片刻再试；如果仍然如此，请关闭本程序的其他窗口和命令。" },
    en: { title: "Another program is making the data ready.", action: "Wait a little and try again. If it stays, close other windows and commands of the program." },
  },
  STORE_TOO_NEW: {
    zh: { title: "数据是由更新版本的程序写入的。", action: "请关闭窗口，安装最新版本后再启动；数据没有被改动。" },
    en: { title: "The data was written by a newer version of the program.", action: "Close the window, install the newest version and start it again. Nothing was changed." },
  },
  STORE_WRITE_FAILED: {
    zh: { title: "无法保存数据。", action: "请检查磁盘空间和写入权限，然后重试；已保存的内容不会丢失。" },
    en: { title: "The data could not be saved.", action: "Check free space and write permission, then try again. What was saved before is safe." },
  },
  STORE_READ_FAILED: {
    zh: { title: "无法读取数据。", action: "请重试；如果仍然失败，请附上日志报告。" },
    en: { title: "The data could not be read.", action: "Try again. If it still fails, report it with the log." },
  },
  WATCH_LIMITED: {
    zh: { title: "系统不允许再监视更多文件夹。", action: "文件的变化会稍晚显示；可提高系统的监视上限（Linux：fs.inotify.max_user_watches）。" },
    en: { title: "The system allows no more folders to be watched.", action: "Changes of files are seen a little later; raise the system's limit (Linux: fs.inotify.max_user_watches)." },
  },
  EXPORT_UNSAFE: {
    zh: { title: "导出的内容会泄露密钥或本机的路径，因此没有导出。", action: "请查看提示的位置；把密钥或路径从内容中去掉后，重新运行再导出。" },
    en: { title: "The export would give away a key or a folder of this machine, so nothing was exported.", action: "Look at the named place. Keep the key or the folder out of it, run again, then export that run." },
  },
  EXPORT_TOO_LARGE: {
    zh: { title: "这次运行太大，无法导出。", action: "请导出一次较短的运行。" },
    en: { title: "The run is too large to be exported.", action: "Export a shorter run." },
  },
  EXPORT_EXISTS: {
    zh: { title: "目标文件已经存在。", action: "请换一个文件名，或者允许覆盖它。" },
    en: { title: "The file to export to exists already.", action: "Choose another name, or allow the file to be replaced." },
  },
  CREWRUN_INVALID: {
    zh: { title: "这不是完整的运行导出文件。", action: "请重新导出这次运行，并完整地传送文件。" },
    en: { title: "This is not a whole exported run.", action: "Export the run again, and make sure that the whole file arrives." },
  },
  CREWRUN_TOO_NEW: {
    zh: { title: "这次运行是由更新版本的程序导出的。", action: "请升级到最新版本后再重放。" },
    en: { title: "The run was exported by a newer version of the program.", action: "Install the newest version, then replay it again." },
  },
  LLM_NOT_CONFIGURED: {
    zh: { title: "还没有配置模型。", action: "请在设置中连接一个模型，或先试玩演示。" },
    en: { title: "No model is connected.", action: "Connect a model in the settings, or play the demo first." },
  },
  LLM_AUTH_FAILED: {
    zh: { title: "模型服务器拒绝了密钥。", action: "请在设置中检查密钥和账号权限。" },
    en: { title: "The model server refused the key.", action: "Check the key and the rights of the account in the settings." },
  },
  LLM_RATE_LIMITED: {
    zh: { title: "请求太频繁，或者额度已用完。", action: "请稍等片刻再重试，或检查账号额度。" },
    en: { title: "Too many requests, or the quota is used up.", action: "Wait a moment and try again, or check the quota of the account." },
  },
  LLM_TIMEOUT: {
    zh: { title: "模型服务器没有及时回应。", action: "请重试；如果模型较慢，可以在设置中延长等待时间。" },
    en: { title: "The model server did not answer in time.", action: "Try again. For a slow model, raise the waiting times in the settings." },
  },
  LLM_CONTEXT_TOO_LONG: {
    zh: { title: "请求超出了模型的上下文长度。", action: "请换用上下文更长的模型，或开始新的运行。" },
    en: { title: "The request is longer than the context of the model.", action: "Use a model with a larger context, or start a new run." },
  },
  LLM_MODEL_NOT_FOUND: {
    zh: { title: "服务器上没有这个模型。", action: "请在设置中选择服务器提供的模型。" },
    en: { title: "The server does not have this model.", action: "Choose a model the server offers in the settings." },
  },
  LLM_HTTP_ERROR: {
    zh: { title: "模型服务器返回了错误。", action: "请查看详细信息后重试；如果仍然失败，请检查服务器地址。" },
    en: { title: "The model server answered with an error.", action: "Look at the details and try again. If it still fails, check the address of the server." },
  },
  LLM_BAD_RESPONSE: {
    zh: { title: "模型服务器的回复无法识别。", action: "请重试；如果仍然失败，请确认该地址兼容 OpenAI 接口。" },
    en: { title: "The answer of the model server makes no sense.", action: "Try again. If it still fails, check that the address speaks the OpenAI protocol." },
  },
  LLM_UNREACHABLE: {
    zh: { title: "连接不上模型服务器。", action: "请检查网络和服务器地址，并确认本地服务器已经启动。" },
    en: { title: "Nobody answers at the address of the model.", action: "Check the network and the address, and that a local server is running." },
  },
  LLM_OUTPUT_CUT: {
    zh: { title: "回复太长，被截断了。", action: "请继续，让模型接着写完；或者要求它分段写。" },
    en: { title: "The answer was too long and was cut.", action: "Continue so that the model can go on, or ask for smaller parts." },
  },
  DEMO_OVER: {
    zh: { title: "演示脚本已经播放完毕。", action: "可以用自己的模型在这里继续，之前的内容都还在。" },
    en: { title: "The script of the demo has been played to its end.", action: "Go on here with a model of your own. Everything so far stays." },
  },
  DEMO_TRACE_MISMATCH: {
    zh: { title: "演示脚本与实际请求不一致。", action: "请查看详细信息中的差异，然后重新录制或修正脚本。" },
    en: { title: "The demo trace does not fit what was asked.", action: "Look at the difference in the details, then record the trace again or correct it." },
  },
  ENGINE_ABORTED: {
    zh: { title: "已按你的要求停止。", action: "需要时可以继续，之前的内容都还在。" },
    en: { title: "Stopped, as you asked.", action: "Continue when you like. Nothing was lost." },
  },
  ENGINE_MAX_TURNS_EXCEEDED: {
    zh: { title: "一次输入内的模型请求次数已达上限。", action: "可以选择继续，或在设置中提高上限。" },
    en: { title: "The limit of model requests for one input is reached.", action: "Continue, or raise the limit in the settings." },
  },
  ENGINE_LOOP_DETECTED: {
    zh: { title: "模型在重复同样的操作，已暂停。", action: "请告诉它换一种做法，或提供它缺少的信息。" },
    en: { title: "The model repeats the same call, so it was paused.", action: "Tell it to try another way, or give it what it is missing." },
  },
  ENGINE_PRECONDITION_FAILED: {
    zh: { title: "这一轮无法开始：流程包或运行状态不完整。", action: "请查看详细信息，修正缺少的智能体、步骤文件或状态后重试。" },
    en: { title: "The turn cannot start because the package or the state is not complete.", action: "Look at the details, correct the agent, step file or state and try again." },
  },
  CONTEXT_STILL_TOO_LARGE: {
    zh: { title: "会话超出了模型的上下文。", action: "请换用上下文更大的模型，在设置中更正上下文长度，或开始新的运行。" },
    en: { title: "The conversation does not fit the context of the model.", action: "Use a model with a larger context, correct the context in the settings, or start a new run." },
  },
  STATE_CHANGE_REQUIRES_CONFIRMATION: {
    zh: { title: "工作流已完成，修改状态需要你的确认。", action: "请在确认框中查看具体修改，再决定是否同意。" },
    en: { title: "The workflow is complete, so a change of its state needs your confirmation.", action: "Look at the exact change in the dialog, then confirm or cancel." },
  },
  E_INTERRUPTED: {
    zh: { title: "程序在操作中途关闭了，这一步可能已经执行。", action: "请检查结果，再决定继续还是重做。" },
    en: { title: "The program ended in the middle, so this may have happened.", action: "Check the result, then continue or do it again." },
  },
  NOT_NOW: {
    zh: { title: "现在还不能这样做。", action: "请查看运行的状态，然后再试。" },
    en: { title: "This cannot be done right now.", action: "See where the run stands, then try again." },
  },
  USER_REFUSED: {
    zh: { title: "你没有允许这次修改，它没有执行。", action: "可以告诉模型你希望怎么做。" },
    en: { title: "You did not allow this change; it was not made.", action: "Tell the model what you would like instead." },
  },
  APPROVAL_NOT_FOUND: {
    zh: { title: "这项授权已经失效。", action: "无需再撤销；下次写入会重新询问你。" },
    en: { title: "This approval is not in force any more.", action: "There is nothing to take back: the next write asks you again." },
  },
  WIDGET_NOT_FOUND: {
    zh: { title: "没有正在等待回答的问题。", action: "请刷新会话，查看最新的内容。" },
    en: { title: "No such question is waiting.", action: "Open the conversation again to see what is new." },
  },
  WIDGET_ALREADY_SUBMITTED: {
    zh: { title: "这个问题已经回答过了。", action: "不需要再次提交，可以直接继续对话。" },
    en: { title: "This question was answered before.", action: "There is nothing to submit. Go on with the conversation." },
  },
  WIDGET_VALUE_INVALID: {
    zh: { title: "填写的内容不符合要求。", action: "请按标出的提示修改后再提交。" },
    en: { title: "The answer does not fit the question.", action: "Correct the marked fields and submit again." },
  },
  WIDGET_TOO_SOON: {
    zh: { title: "这个问题刚刚出现，你的回答没有被采用。", action: "请先看清要授权的内容，再回答一次。" },
    en: { title: "This question had only just appeared, so the answer was not taken.", action: "Read what it is about, then answer it again." },
  },
  TOOL_ARGS_INVALID_JSON: {
    zh: { title: "工具参数不是有效的 JSON。", action: "请发送一个符合工具格式的 JSON 对象。" },
    en: { title: "The arguments of the tool are not valid JSON.", action: "Send one JSON object that fits the schema of the tool." },
  },
  E_INVALID_ARGS: {
    zh: { title: "工具参数不符合要求。", action: "请按提示修正标出的字段。" },
    en: { title: "The arguments do not fit the tool.", action: "Correct the named field as the details say." },
  },
  TOOL_NOT_AVAILABLE: {
    zh: { title: "这个工具不存在或已关闭。", action: "请使用列出的工具；需要时在设置中开启它。" },
    en: { title: "This tool does not exist or is switched off.", action: "Use one of the listed tools, or switch it on in the settings." },
  },
  TOOL_EXEC_FAILED: {
    zh: { title: "工具执行失败。", action: "请查看详细信息，换一种方式重试。" },
    en: { title: "The tool failed.", action: "Look at the details and try in another way." },
  },
  E_SANDBOX_VIOLATION: {
    zh: { title: "这个位置不允许工具访问。", action: "请使用项目、流程包或状态别名下的位置。" },
    en: { title: "Tools may not touch this place.", action: "Name a place below the project, package or state alias." },
  },
  ENOENT: {
    zh: { title: "没有这个文件或文件夹。", action: "请先列出文件夹，确认名称后重试。" },
    en: { title: "There is no such file or folder.", action: "List the folder, check the name and try again." },
  },
  EEXIST: {
    zh: { title: "这个位置已经有文件或文件夹。", action: "请换一个名称，或先移走原来的内容。" },
    en: { title: "There is a file or folder already.", action: "Choose another name, or move away what is there." },
  },
  ENOTEMPTY: {
    zh: { title: "这个文件夹不是空的。", action: "如果确实要连同内容一起删除，请明确说明。" },
    en: { title: "The folder is not empty.", action: "Say clearly if it is to go with everything in it." },
  },
  E_READ_LIMIT: {
    zh: { title: "要读取的内容超出上限。", action: "请先搜索，再只读取需要的几行。" },
    en: { title: "This is more than may be read at once.", action: "Search first, then read only the lines you need." },
  },
  E_WRITE_LIMIT: {
    zh: { title: "要写入的内容超出上限。", action: "请分成几次写入。" },
    en: { title: "This is more than may be written at once.", action: "Write it in several parts." },
  },
  E_NOT_TEXT: {
    zh: { title: "这个文件不是 UTF-8 文本。", action: "请选择文本文件，或先转换编码。" },
    en: { title: "This file is not UTF-8 text.", action: "Choose a text file, or convert it first." },
  },
  E_SECRET_FILE: {
    zh: { title: "这个文件可能含有密钥，不允许工具访问。", action: "如果确实需要，请在设置中允许机密文件。" },
    en: { title: "This file may hold secrets, so tools may not touch it.", action: "If it is really needed, allow secret files in the settings." },
  },
  E_SELF_STARTING: {
    zh: { title: "这个文件夹移动后，其中的文件会被其他程序自动执行。", action: "请让模型逐个移动文件：每个文件的内容会先显示给你。" },
    en: { title: "Other programs would start files of this folder by themselves after the move.", action: "Have the files moved one by one: you are shown the content of each first." },
  },
  E_PATCH_FAILED: {
    zh: { title: "修改与文件的现有内容对不上。", action: "请重新读取文件，再按原文修改。" },
    en: { title: "The change does not fit the file as it is.", action: "Read the file again and repeat the change with its exact text." },
  },
  E_UNKNOWN_MARK: {
    zh: { title: "内容里有一个不代表任何文件夹的标记。", action: "请原样照抄读取结果中的标记；什么都没有写入。" },
    en: { title: "The content holds a mark that stands for no folder.", action: "Copy marks exactly as they were read; nothing was written." },
  },
  E_PRECONDITION_FAILED: {
    zh: { title: "文件在这期间已被修改。", action: "请重新读取文件，再做修改。" },
    en: { title: "The file changed in the meantime.", action: "Read the file again, then repeat the change." },
  },
  E_INVALID_FRONTMATTER: {
    zh: { title: "文件开头的元数据无法解析。", action: "请修正其中的 YAML 格式。" },
    en: { title: "The front matter of the file cannot be read.", action: "Correct its YAML." },
  },
  E_SCHEMA_VALIDATION: {
    zh: { title: "文档的内容不符合规定的格式。", action: "请按详细信息逐项修正。" },
    en: { title: "The document does not fit its schema.", action: "Correct every entry the details name." },
  },
  E_INVALID_TRANSITION: {
    zh: { title: "工作流图不允许这样跳转。", action: "请从允许的下一步中选择一个。" },
    en: { title: "The graph does not have this move.", action: "Choose one of the allowed next nodes." },
  },
  E_CONDITION_NOT_MET: {
    zh: { title: "这条路径的条件还不满足。", action: "请先满足条件，或选择另一条路径。" },
    en: { title: "The condition of this edge does not hold.", action: "Make the condition true first, or choose another edge." },
  },
  E_NOT_AT_END: {
    zh: { title: "流程还没有走到终点，不能标记为完成。", action: "请继续走完剩下的步骤；要提前结束，可由你自己在运行状态文档里写明。" },
    en: { title: "The workflow is not at its end, so it cannot be marked as complete.", action: "Let it go on to its end. To end it earlier, say so in its state document yourself." },
  },
  E_ARTIFACT_UNKNOWN: {
    zh: { title: "产物列表里有项目中不存在的文件。", action: "请先写出这个文件，或把它从列表里去掉。" },
    en: { title: "The list of artifacts names what is no file of the project.", action: "Have the file written first, or leave it out of the list." },
  },
  REWIND_NOT_CONFIRMED: {
    zh: { title: "回退需要明确的确认。", action: "请先确认要回退，然后重试。" },
    en: { title: "Going back needs a clear confirmation.", action: "Confirm the rewind, then try again." },
  },
  E_IO: {
    zh: { title: "读写磁盘时出错。", action: "请检查磁盘空间和权限，然后重试。" },
    en: { title: "The disk could not be read or written.", action: "Check free space and permissions, then try again." },
  },
  IMPORT_SOURCE_INVALID: {
    zh: { title: "这个文件夹不是旧版运行时的数据。", action: "请选择旧版程序的 runtime-store 文件夹，或包含它的文件夹。" },
    en: { title: "This folder is not the data of an Electron runtime.", action: "Choose its runtime-store folder, or the folder that holds it." },
  },
  IMPORT_NOT_JSON: {
    zh: { title: "这个文件不是完整的数据文件。", action: "可读的部分已尽量导入；如有备份，请先恢复再导入。" },
    en: { title: "The file is broken or ends too early.", action: "What could be read was taken over. If you have a copy of the file, put it back first." },
  },
  IMPORT_MALFORMED: {
    zh: { title: "这一条的格式不正确。", action: "它没有被导入，其余内容不受影响。" },
    en: { title: "The entry does not have the shape it should have.", action: "It was left out. Everything else is not affected." },
  },
  IMPORT_ID_UNSAFE: {
    zh: { title: "这个编号不能用作文件名。", action: "请在旧数据中改掉它，然后再次导入。" },
    en: { title: "The id cannot be used as the name of a file.", action: "Change it in the old data, then import again." },
  },
  IMPORT_DUPLICATE: {
    zh: { title: "这个编号前面已经出现过。", action: "只保留了第一个。" },
    en: { title: "The id was there before.", action: "Only the first one was kept." },
  },
  IMPORT_TOO_LARGE: {
    zh: { title: "这个文件太大。", action: "它没有被导入；原文件仍在旧数据中。" },
    en: { title: "The file is too large to be taken over.", action: "It was left out. The original is still in the old data." },
  },
  IMPORT_LINK: {
    zh: { title: "这是一个链接或特殊文件，不会被读取。", action: "如果需要它，请把链接换成真正的文件，然后再次导入。" },
    en: { title: "This is a link or a special file, which is never followed.", action: "If it is needed, put the real file in its place and import again." },
  },
  IMPORT_UNLISTED: {
    zh: { title: "索引里没有它，但在磁盘上找到了。", action: "它已经按找到的内容处理，请核对名称。" },
    en: { title: "The index does not know it, but it was found on the disk.", action: "It was treated as it was found. Check its name." },
  },
  IMPORT_CHANGED: {
    zh: { title: "导入时做了小的修正。", action: "无需处理，说明里写了改动。" },
    en: { title: "It was taken over with a small repair.", action: "Nothing needs to be done. The details say what was changed." },
  },
  IMPORT_READ_ONLY: {
    zh: { title: "这次运行可以查看，但不能继续。", action: "请按说明中的原因处理，或重新开始一次运行。" },
    en: { title: "The run can be read, but not continued.", action: "The details say why. Start a new run to go on." },
  },
  IMPORT_NOT_SUPPORTED: {
    zh: { title: "这一项在这里没有对应的功能。", action: "它留在旧数据中；如有需要，请在设置中另行配置。" },
    en: { title: "This has no counterpart here.", action: "It stays in the old data. If you need it, look for it in the settings." },
  },
  IMPORT_KEY_LEFT: {
    zh: { title: "密钥没有被导入。", action: "请在设置中重新输入密钥。" },
    en: { title: "The key was not taken over.", action: "Enter it again in the settings." },
  },
  SETTING_INVALID: {
    zh: { title: "这项设置无效。", action: "请按提示修改；原来的值仍然有效。" },
    en: { title: "This setting is not valid.", action: "Correct the named field. The old value still holds." },
  },
  SETTING_IS_KEY: {
    zh: { title: "密钥不能作为设置保存；没有写入任何内容。", action: "请在“设置 → 模型”中填写密钥，或运行 crewagent settings set-key。" },
    en: { title: "A key is not kept among the settings. Nothing was written.", action: "Store it in Settings, Model, or with `crewagent settings set-key`." },
  },
  BAD_REQUEST: {
    zh: { title: "请求的格式不正确。", action: "请检查命令或参数后重试。" },
    en: { title: "The request is malformed.", action: "Check the command and its arguments, then try again." },
  },
  E_INTERNAL: {
    zh: { title: "程序内部出错。", action: "请重试；如果仍然失败，请附上日志报告。" },
    en: { title: "Something went wrong inside the program.", action: "Try again. If it still fails, report it with the log." },
  },
} as const satisfies Record<ErrorCode, Record<"zh" | "en", { title: string; action: string }>>;
