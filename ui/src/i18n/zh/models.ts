import type { models as english } from '../en/models';

/** Models found, tested and chosen; a demo that goes on; projects that are found again. */
export const models: Record<keyof typeof english, string> = {
  'start.model.untested': '已设置：{model} · 未测试',
  'start.model.works': '{model} 可用 · 能调用工具',
  'start.model.works.context': '{model} 可用 · 能调用工具 · {context}',
  'start.model.noTools': '{model} 能回答 · 不能调用工具',
  'start.model.silent': '{model} · 测试时没有回答',

  'local.title': '这台电脑上',
  'local.looking': '正在查找这台电脑上的模型服务器…',
  'local.again': '重新查找',
  'local.found.one': '1 个模型',
  'local.found': '{count} 个模型',
  'local.empty': '已启动，但还没有模型',
  'local.other': '该端口上是别的程序',
  'local.nothing': '未启动',
  'local.use': '使用',
  'local.use.of': '使用 {server}',
  'local.used': '使用中',

  'settings.test.stop': '停止测试',
  'settings.test.edited': '上次测试之后有改动，请重新测试。',
  'settings.context.known': '服务器说是 {count}',
  'settings.context.hint': '留空时会询问服务器；服务器没有说明时，这里不设上限。',

  'model.settings': '模型设置',
  'phase.stopped': '已停下',
  'phase.stopped.model': '已停下：模型',

  'demo.over': '这是由脚本播放的演示。',
  'demo.over.hint': '可以在这里用自己的模型继续：它会看到这个会话，并在这个项目里工作。',
  'demo.go': '用自己的模型继续',
  'demo.go.with': '用 {model} 继续',
  'demo.switch.title': '用自己的模型继续？',
  'demo.switch.text':
    '从你的下一条消息起，由 {model} 代替脚本回答。它会看到这个会话。此操作无法撤回。',
  'demo.switch.none': '还没有连接模型。请先连接，再回到这里。',
  'composer.demo': '演示已播放完毕，请用自己的模型继续。',
  'notice.demo_over': '演示已播放完毕',
  'notice.model_switched': '从这里起由你自己的模型回答',

  'project.copied.title': '是副本，还是项目本身？',
  'project.copied.text':
    '这个文件夹带着“{name}”的项目编号，而它原来的文件夹还在。运行只能属于其中一个。',
  'project.copied.away':
    '这个文件夹带着项目“{name}”的编号。它上次在另一个文件夹中打开，现在在那里找不到它：可能被移动了，也可能所在的磁盘没有连接。',
  'project.copied.here': '这个文件夹',
  'project.copied.there': '原来的位置',
  'project.copied.copy': '是副本',
  'project.copied.copy.hint': '成为独立的项目，没有运行。',
  'project.copied.moved': '项目移到了这里',
  'project.copied.moved.hint': '它的运行在这里继续，另一个文件夹保留自己的文件。',
  'project.mismatch.title': '这不是“{name}”',
  'project.mismatch.none':
    '你选择的文件夹不属于任何项目。如果“{name}”现在就在这里，它的运行可以在这里继续。',
  'project.mismatch.other': '你选择的文件夹是项目“{other}”。',
  'project.mismatch.again': '另选文件夹…',
  'project.mismatch.adopt': '让 {name} 使用这个文件夹',
  'project.mismatch.open': '打开 {other}',

  'packages.installed': '已安装 {name}',
  'packages.remove.used.one': '有 1 次运行在使用它。没有运行需要它时才能移除。',
  'packages.remove.used': '有 {count} 次运行在使用它。没有运行需要它时才能移除。',
  'packages.remove.goes':
    '这些运行的消息、状态、日志、工具结果和检查点会一并删除，无法恢复。项目文件夹里的文件保持不变。',
  'packages.remove.all.one': '删除这次运行并移除',
  'packages.remove.all': '删除 {count} 次运行并移除',
};
