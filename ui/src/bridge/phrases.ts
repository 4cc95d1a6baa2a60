// Generated from the kernel's words (src-tauri/kernel/src/words). Do not edit.
import type { PhraseKey } from "./wire";

export const phrases = {
  allow_change: {
    zh: "允许 {tool} 修改 {path} 吗？",
    en: "Allow {tool} to change {path}?",
  },
  new_file: {
    zh: "新文件，{lines} 行",
    en: "new file, {lines} lines",
  },
  lines: {
    zh: "+{added} −{removed} 行",
    en: "+{added} −{removed} lines",
  },
  new_unshown: {
    zh: "新文件，内容无法显示；修改后 {bytes} 字节",
    en: "new file that cannot be shown; {bytes} bytes afterwards",
  },
  replaced_unshown: {
    zh: "替换一个文件，内容无法显示；修改后 {bytes} 字节",
    en: "replaces a file that cannot be shown; {bytes} bytes afterwards",
  },
  diff_cut: {
    zh: "差异太长，未完整显示",
    en: "the diff is too long to be shown whole",
  },
  moves: {
    zh: "移动到 {to}",
    en: "moves it to {to}",
  },
  deletes_empty_folder: {
    zh: "删除一个空文件夹",
    en: "deletes an empty folder",
  },
  deletes_files: {
    zh: "删除 {files} 个文件，共 {bytes} 字节：{names}",
    en: "deletes {files} file(s), {bytes} bytes: {names}",
  },
  deletes_more_files: {
    zh: "删除 {files} 个文件，共 {bytes} 字节：{names}，以及另外 {more} 个",
    en: "deletes {files} file(s), {bytes} bytes: {names} and {more} more",
  },
  node_moved: {
    zh: "当前步骤 {from} → {to}",
    en: "currentNodeId {from} → {to}",
  },
  node_entered: {
    zh: "当前步骤（起点）→ {to}",
    en: "currentNodeId (start) → {to}",
  },
  node_reset: {
    zh: "当前步骤 {from} →（起点）",
    en: "currentNodeId {from} → (start)",
  },
  steps: {
    zh: "已完成步骤 {steps}",
    en: "stepsCompleted {steps}",
  },
  artifact: {
    zh: "产物 {change}",
    en: "{change} artifact",
  },
  artifacts: {
    zh: "产物 {change}",
    en: "{change} artifacts",
  },
  artifacts_changed: {
    zh: "产物有变化",
    en: "artifacts changed",
  },
  decision: {
    zh: "决策记录 {change}",
    en: "{change} decision",
  },
  decisions: {
    zh: "决策记录 {change}",
    en: "{change} decisions",
  },
  decisions_changed: {
    zh: "决策记录有变化",
    en: "decisions changed",
  },
  member_changed: {
    zh: "{name}：{from} → {to}",
    en: "{name} {from} → {to}",
  },
  member_set: {
    zh: "{name} 设为 {to}",
    en: "{name} = {to}",
  },
  member_removed: {
    zh: "{name} 已移除",
    en: "{name} removed",
  },
  text_changed: {
    zh: "正文有修改",
    en: "text changed",
  },
  layout_only: {
    zh: "仅 updatedAt 或排版有变化",
    en: "only updatedAt or layout changed",
  },
  no_change: {
    zh: "没有变化",
    en: "no change",
  },
} as const satisfies Record<PhraseKey, Record<"zh" | "en", string>>;
