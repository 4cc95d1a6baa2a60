//! The permission sheet of a package.

super::phrases! {
    no_files() "No access to files" "不能访问文件";
    may_change_files()
        "May change any file in the project folder without asking (your setting)"
        "可以修改项目文件夹中的任何文件，且不询问（依你的设置）";
    may_change_files_asks_outside()
        "May change any file in the project folder; asks you first outside the artifacts folder and the files its step declares"
        "可以修改项目文件夹中的任何文件；在产物文件夹与当前步骤声明的文件之外会先询问你";
    may_change_files_asks()
        "May change any file in the project folder; asks you before every change"
        "可以修改项目文件夹中的任何文件；每次修改前都会询问你";
    asks_for_self_starting()
        "Always asks for files that other programs run by themselves (.vscode, .bashrc, Git hooks and the like)"
        "对其他程序会自动运行的文件（.vscode、.bashrc、Git 钩子等）始终询问";
    reads_at_most(size) "Reads at most {size} at once" "单次最多读取 {size}";
    writes_at_most(size) "Writes at most {size} at once" "单次最多写入 {size}";
    says_it_writes(folders) "Says it writes to: {folders}" "声明会写入：{folders}";
    says_not_where() "Does not say which files it writes" "没有声明会写入哪些文件";
    may_use_servers(servers) "May use outside tools of: {servers}" "可以使用这些服务器的外部工具：{servers}";
    may_use_all_servers() "May use every configured outside tool" "可以使用所有已配置的外部工具";
    may_use_no_server() "May use no outside tool" "不能使用任何外部工具";
    nobody_allows()
        "nobody is there to allow what the package may do; nothing was installed"
        "没有人可以允许此流程包的权限；没有安装任何内容";
    inspect_then_yes()
        "Look at it with `crewagent package inspect FILE`, then import it with --yes."
        "请先用 `crewagent package inspect FILE` 查看，再加上 --yes 导入。";
    says_it_needs_network() "Says it needs the network" "声明需要联网";
}
