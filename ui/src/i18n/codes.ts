// The words of every error code, in both languages. Will be generated from the kernel's table.
import type { ErrorCode } from '../bridge/wire';

/** What happened, and what to do. */
export type CodeWords = { title: string; action: string };

/** Total over the codes: a missing one does not compile. */
export const codes = {
  ARCHIVE_INVALID: {
    en: { title: 'This is not a readable package archive.', action: 'Ask the author for the file again, or choose another one.' },
    zh: { title: '这不是可读取的包文件。', action: '请向作者重新索取，或选择另一个文件。' },
  },
  ARCHIVE_LIMIT: {
    en: { title: 'The package archive is over a size limit.', action: 'Ask the author for a smaller package.' },
    zh: { title: '包文件超出大小限制。', action: '请向作者索取更小的包。' },
  },
  ARCHIVE_UNSAFE: {
    en: { title: 'The package archive holds an unsafe entry.', action: 'Do not use this file. Tell its author.' },
    zh: { title: '包文件含有不安全的条目。', action: '请不要使用此文件，并告知其作者。' },
  },
  PACKAGE_INVALID: {
    en: { title: 'The package has errors.', action: 'Send the findings to the author of the package.' },
    zh: { title: '包中存在错误。', action: '请将检查结果发给包的作者。' },
  },
  PACKAGE_NOT_FOUND: {
    en: { title: 'The package was not found.', action: 'Import the package again.' },
    zh: { title: '找不到该包。', action: '请重新导入该包。' },
  },
  PACKAGE_IN_USE: {
    en: { title: 'A run still uses this package.', action: 'Finish that run first, then remove the package.' },
    zh: { title: '仍有运行在使用该包。', action: '请先结束该运行，再移除包。' },
  },
  MANIFEST_INVALID: {
    en: { title: 'The manifest of the package cannot be read.', action: 'Ask the author to correct bmad.json.' },
    zh: { title: '无法读取包的清单。', action: '请作者修正 bmad.json。' },
  },
  NOT_SUPPORTED_CLASSIC_WORKFLOW: {
    en: { title: 'This is a classic package, which is not supported.', action: 'Ask the author for a version 1.1 package.' },
    zh: { title: '这是旧式包，不受支持。', action: '请向作者索取 1.1 版格式的包。' },
  },
  WORKFLOW_REF_REQUIRED: {
    en: { title: 'The package has several workflows.', action: 'Choose one of them and start again.' },
    zh: { title: '该包含有多个工作流。', action: '请选择其中一个再开始。' },
  },
  WORKFLOW_REF_UNKNOWN: {
    en: { title: 'The package has no such workflow.', action: 'Choose a workflow from the list.' },
    zh: { title: '该包没有这个工作流。', action: '请从列表中选择工作流。' },
  },
  WORKFLOW_REF_MISMATCH: {
    en: { title: 'The only workflow of the package has another name.', action: 'Choose the workflow from the list.' },
    zh: { title: '包中唯一的工作流名称不同。', action: '请从列表中选择工作流。' },
  },
  WORKFLOW_FILE_NOT_FOUND: {
    en: { title: 'The workflow file of the package is missing.', action: 'Import the package again.' },
    zh: { title: '包的工作流文件缺失。', action: '请重新导入该包。' },
  },
  GRAPH_FILE_NOT_FOUND: {
    en: { title: 'The graph file of the package is missing.', action: 'Import the package again.' },
    zh: { title: '包的流程图文件缺失。', action: '请重新导入该包。' },
  },
  STEP_FILE_NOT_FOUND: {
    en: { title: 'A step file of the package is missing.', action: 'Import the package again.' },
    zh: { title: '包的步骤文件缺失。', action: '请重新导入该包。' },
  },
  AGENT_NOT_FOUND: {
    en: { title: 'The package has no such agent.', action: 'Choose an agent from the list.' },
    zh: { title: '该包没有这个智能体。', action: '请从列表中选择智能体。' },
  },
  PROJECT_ROOT_INVALID: {
    en: { title: 'The project folder is missing or is not a folder.', action: 'Open the folder where it lies now.' },
    zh: { title: '项目文件夹缺失或不是文件夹。', action: '请在其现在的位置打开它。' },
  },
  PROJECT_NOT_FOUND: {
    en: { title: 'The project is not known.', action: 'Open its folder again.' },
    zh: { title: '没有该项目的记录。', action: '请重新打开其文件夹。' },
  },
  PROJECT_FILE_INVALID: {
    en: { title: 'The project file .crewagent.json cannot be read.', action: 'Correct the file, or remove it and open the folder again.' },
    zh: { title: '无法读取项目文件 .crewagent.json。', action: '请修正该文件，或删除后重新打开文件夹。' },
  },
  RUN_NOT_FOUND: {
    en: { title: 'The run was not found.', action: 'Choose another run, or start a new one.' },
    zh: { title: '找不到该运行。', action: '请选择其他运行，或开始新的运行。' },
  },
  CONVERSATION_NOT_FOUND: {
    en: { title: 'The conversation was not found.', action: 'Choose another run, or start a new one.' },
    zh: { title: '找不到该对话。', action: '请选择其他运行，或开始新的运行。' },
  },
  RUN_BUSY: {
    en: { title: 'The run is being worked on.', action: 'Wait until it is done, or stop it.' },
    zh: { title: '该运行正在进行。', action: '请等待其完成，或停止它。' },
  },
  STATE_INIT_FAILED: {
    en: { title: 'The folder for the run could not be made.', action: 'Check the free space and rights of the disk, then start again.' },
    zh: { title: '无法创建运行所需的文件夹。', action: '请检查磁盘空间和权限后重试。' },
  },
  STATE_FILE_NOT_FOUND: {
    en: { title: 'The state document of the run is missing.', action: 'Put @state/workflow.md back, or start a new run.' },
    zh: { title: '运行的状态文档缺失。', action: '请恢复 @state/workflow.md，或开始新的运行。' },
  },
  CURRENT_NODE_INVALID: {
    en: { title: 'The current step is not part of the workflow.', action: 'Correct currentNodeId in @state/workflow.md, or start a new run.' },
    zh: { title: '当前步骤不属于该工作流。', action: '请修正 @state/workflow.md 中的 currentNodeId，或开始新的运行。' },
  },
  STORE_OPEN_FAILED: {
    en: { title: 'The data of the program cannot be opened.', action: 'Check the rights of the data folder and start the program again.' },
    zh: { title: '无法打开程序数据。', action: '请检查数据文件夹的权限，然后重新启动程序。' },
  },
  STORE_TOO_NEW: {
    en: { title: 'The data was written by a newer version of the program.', action: 'Install the newer version.' },
    zh: { title: '数据由更新版本的程序写入。', action: '请安装新版本。' },
  },
  STORE_WRITE_FAILED: {
    en: { title: 'The data could not be saved.', action: 'Free some space on the disk, then try again.' },
    zh: { title: '数据未能保存。', action: '请释放磁盘空间后重试。' },
  },
  STORE_READ_FAILED: {
    en: { title: 'The data could not be read.', action: 'Start the program again. If it stays so, check the disk.' },
    zh: { title: '数据未能读取。', action: '请重新启动程序；若仍如此，请检查磁盘。' },
  },
  LLM_NOT_CONFIGURED: {
    en: { title: 'No model is connected.', action: 'Connect a model in Settings.' },
    zh: { title: '尚未连接模型。', action: '请在设置中连接模型。' },
  },
  LLM_AUTH_FAILED: {
    en: { title: 'The model server refused the API key.', action: 'Check the key in Settings.' },
    zh: { title: '模型服务拒绝了 API 密钥。', action: '请在设置中检查密钥。' },
  },
  LLM_RATE_LIMITED: {
    en: { title: 'The model server asks for fewer requests.', action: 'Wait a minute, then try again.' },
    zh: { title: '模型服务要求降低请求频率。', action: '请稍等一分钟后重试。' },
  },
  LLM_TIMEOUT: {
    en: { title: 'The model server did not answer in time.', action: 'Try again, or allow more time in Settings.' },
    zh: { title: '模型服务未及时响应。', action: '请重试，或在设置中延长等待时间。' },
  },
  LLM_CONTEXT_TOO_LONG: {
    en: { title: 'The conversation is larger than the model can take.', action: 'Choose a model with a larger context, or start a new run.' },
    zh: { title: '对话超出模型的上下文长度。', action: '请选择上下文更大的模型，或开始新的运行。' },
  },
  LLM_MODEL_NOT_FOUND: {
    en: { title: 'The server does not know this model.', action: 'Choose another model in Settings.' },
    zh: { title: '服务端没有该模型。', action: '请在设置中选择其他模型。' },
  },
  LLM_HTTP_ERROR: {
    en: { title: 'The model server answered with an error.', action: 'Try again. If it stays so, check the address in Settings.' },
    zh: { title: '模型服务返回错误。', action: '请重试；若仍如此，请在设置中检查地址。' },
  },
  LLM_BAD_RESPONSE: {
    en: { title: 'The answer of the model server could not be understood.', action: 'Try again, or use another server.' },
    zh: { title: '无法理解模型服务的回答。', action: '请重试，或改用其他服务。' },
  },
  LLM_UNREACHABLE: {
    en: { title: 'Nobody answers at the address of the model server.', action: 'Start the server, or correct the address in Settings.' },
    zh: { title: '模型服务地址无人应答。', action: '请启动服务，或在设置中更正地址。' },
  },
  LLM_OUTPUT_CUT: {
    en: { title: 'The answer was cut at the output limit of the model.', action: 'Continue, or choose a model with a larger output.' },
    zh: { title: '回答在模型的输出上限处被截断。', action: '请继续，或选择输出更长的模型。' },
  },
  DEMO_TRACE_MISMATCH: {
    en: { title: 'The demo cannot go on with this answer.', action: 'Start the demo again, or connect a model.' },
    zh: { title: '演示无法按此回答继续。', action: '请重新开始演示，或连接模型。' },
  },
  ENGINE_ABORTED: {
    en: { title: 'Stopped.', action: 'Resume whenever you like.' },
    zh: { title: '已停止。', action: '可以随时继续。' },
  },
  ENGINE_MAX_TURNS_EXCEEDED: {
    en: { title: 'The limit of model requests was reached.', action: 'Continue, or raise the limit in Settings.' },
    zh: { title: '已达到模型请求次数上限。', action: '请继续，或在设置中提高上限。' },
  },
  ENGINE_LOOP_DETECTED: {
    en: { title: 'The model repeated the same call without getting further.', action: 'Tell it what to do differently, then continue.' },
    zh: { title: '模型重复了同一调用而没有进展。', action: '请告诉它应如何改变做法，然后继续。' },
  },
  ENGINE_PRECONDITION_FAILED: {
    en: { title: 'The run cannot go on.', action: 'Correct what the message names, then resume.' },
    zh: { title: '运行无法继续。', action: '请修正所述问题，然后继续。' },
  },
  CONTEXT_STILL_TOO_LARGE: {
    en: { title: 'The request does not fit the context of the model.', action: 'Choose a model with a larger context.' },
    zh: { title: '请求超出模型的上下文。', action: '请选择上下文更大的模型。' },
  },
  STATE_CHANGE_REQUIRES_CONFIRMATION: {
    en: { title: 'A completed run may be changed only after you confirm.', action: 'Confirm or cancel the change in the conversation.' },
    zh: { title: '修改已完成的运行须经您确认。', action: '请在对话中确认或取消该更改。' },
  },
  E_INTERRUPTED: {
    en: { title: 'The program ended in the middle of the work.', action: 'Resume: nothing is done twice.' },
    zh: { title: '程序在工作中途结束。', action: '请继续：不会重复执行任何操作。' },
  },
  NOT_NOW: {
    en: { title: 'This is not possible right now.', action: 'Wait until the run has stopped.' },
    zh: { title: '现在不能这样做。', action: '请等待运行停下。' },
  },
  WIDGET_NOT_FOUND: {
    en: { title: 'This question is not waiting any more.', action: 'Go on in the conversation.' },
    zh: { title: '该问题已不再等待回答。', action: '请在对话中继续。' },
  },
  WIDGET_ALREADY_SUBMITTED: {
    en: { title: 'This question was answered before.', action: 'Go on in the conversation.' },
    zh: { title: '该问题已回答过。', action: '请在对话中继续。' },
  },
  WIDGET_VALUE_INVALID: {
    en: { title: 'The answer does not fit the question.', action: 'Correct it and submit again.' },
    zh: { title: '回答不符合要求。', action: '请修正后重新提交。' },
  },
  TOOL_ARGS_INVALID_JSON: {
    en: { title: 'The model called a tool with broken arguments.', action: 'Nothing to do: the model was told.' },
    zh: { title: '模型调用工具的参数格式有误。', action: '无需处理：已告知模型。' },
  },
  E_INVALID_ARGS: {
    en: { title: 'The model called a tool with wrong arguments.', action: 'Nothing to do: the model was told.' },
    zh: { title: '模型调用工具的参数不正确。', action: '无需处理：已告知模型。' },
  },
  TOOL_NOT_AVAILABLE: {
    en: { title: 'This tool does not exist or is switched off.', action: 'Switch it on in Settings if the run needs it.' },
    zh: { title: '该工具不存在或已关闭。', action: '若运行需要，请在设置中开启。' },
  },
  TOOL_EXEC_FAILED: {
    en: { title: 'The tool failed.', action: 'Open the call to see why.' },
    zh: { title: '工具执行失败。', action: '请展开该调用查看原因。' },
  },
  E_SANDBOX_VIOLATION: {
    en: { title: 'The model tried to reach outside its folders. It was refused.', action: 'Nothing to do: nothing was touched.' },
    zh: { title: '模型试图访问允许范围之外的位置，已被拒绝。', action: '无需处理：没有任何改动。' },
  },
  ENOENT: {
    en: { title: 'There is no such file or folder.', action: 'Nothing to do: the model was told.' },
    zh: { title: '没有这个文件或文件夹。', action: '无需处理：已告知模型。' },
  },
  E_READ_LIMIT: {
    en: { title: 'The file is larger than may be read.', action: 'Raise the read limit in Settings if the run needs it.' },
    zh: { title: '文件超过允许读取的大小。', action: '若运行需要，请在设置中提高读取上限。' },
  },
  E_WRITE_LIMIT: {
    en: { title: 'The content is larger than may be written.', action: 'Raise the write limit in Settings if the run needs it.' },
    zh: { title: '内容超过允许写入的大小。', action: '若运行需要，请在设置中提高写入上限。' },
  },
  E_NOT_TEXT: {
    en: { title: 'The file is not text.', action: 'Nothing to do: the model was told.' },
    zh: { title: '该文件不是文本。', action: '无需处理：已告知模型。' },
  },
  E_SECRET_FILE: {
    en: { title: 'The file may hold secrets and was not read.', action: 'Allow secret files in Settings only if you must.' },
    zh: { title: '该文件可能含有机密，未被读取。', action: '仅在必要时于设置中允许读取机密文件。' },
  },
  E_PATCH_FAILED: {
    en: { title: 'The patch does not fit the file.', action: 'Nothing to do: the model was told.' },
    zh: { title: '补丁与文件不符。', action: '无需处理：已告知模型。' },
  },
  E_PRECONDITION_FAILED: {
    en: { title: 'The file changed in the meantime.', action: 'Nothing to do: the model reads it again.' },
    zh: { title: '文件在此期间已改变。', action: '无需处理：模型会重新读取。' },
  },
  E_INVALID_FRONTMATTER: {
    en: { title: 'The head of the document cannot be read.', action: 'Correct the YAML between the --- lines.' },
    zh: { title: '无法读取文档的头部。', action: '请修正 --- 之间的 YAML。' },
  },
  E_SCHEMA_VALIDATION: {
    en: { title: 'The document does not have the required form.', action: 'Correct what the message names.' },
    zh: { title: '文档不符合规定的格式。', action: '请修正所述问题。' },
  },
  E_INVALID_TRANSITION: {
    en: { title: 'The workflow has no such move. It was refused.', action: 'Nothing to do: the model was told.' },
    zh: { title: '工作流没有这条路径，已被拒绝。', action: '无需处理：已告知模型。' },
  },
  E_CONDITION_NOT_MET: {
    en: { title: 'The condition of this move does not hold. It was refused.', action: 'Nothing to do: the model was told.' },
    zh: { title: '该路径的条件不成立，已被拒绝。', action: '无需处理：已告知模型。' },
  },
  REWIND_NOT_CONFIRMED: {
    en: { title: 'Going back needs your confirmation.', action: 'Confirm or cancel it in the conversation.' },
    zh: { title: '回退需要您的确认。', action: '请在对话中确认或取消。' },
  },
  E_IO: {
    en: { title: 'The disk reported an error.', action: 'Check the free space and rights of the project folder.' },
    zh: { title: '磁盘报告了错误。', action: '请检查项目文件夹的空间和权限。' },
  },
  SETTING_INVALID: {
    en: { title: 'This value is not possible.', action: 'Correct it. The old value still holds.' },
    zh: { title: '该值无效。', action: '请修正；旧值仍然有效。' },
  },
  BAD_REQUEST: {
    en: { title: 'The program did not understand its own window.', action: 'Start the program again.' },
    zh: { title: '程序无法理解窗口的请求。', action: '请重新启动程序。' },
  },
  E_INTERNAL: {
    en: { title: 'Something went wrong inside the program.', action: 'Try again. If it stays so, start the program again.' },
    zh: { title: '程序内部出错。', action: '请重试；若仍如此，请重新启动程序。' },
  },
} satisfies Record<ErrorCode, { en: CodeWords; zh: CodeWords }>;
