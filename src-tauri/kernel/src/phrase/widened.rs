//! Permissions that an upgrade makes wider.

super::phrases! {
    now_files(agent)
        "{agent} may now use file tools"
        "{agent} 现在可以使用文件工具";
    new_agent_files(agent)
        "new agent {agent} may use file tools"
        "新智能体 {agent} 可以使用文件工具";
    now_reads_more(agent, bytes, was)
        "{agent} may now read {bytes} bytes at once (was {was})"
        "{agent} 现在一次可以读取 {bytes} 字节（之前为 {was}）";
    now_writes_more(agent, bytes, was)
        "{agent} may now write {bytes} bytes at once (was {was})"
        "{agent} 现在一次可以写入 {bytes} 字节（之前为 {was}）";
    no_read_limit(agent, was)
        "{agent} has no read limit of its own any more (was {was} bytes)"
        "{agent} 不再有自己的读取上限（之前为 {was} 字节）";
    no_write_limit(agent, was)
        "{agent} has no write limit of its own any more (was {was} bytes)"
        "{agent} 不再有自己的写入上限（之前为 {was} 字节）";
    now_all_servers(agent)
        "{agent} may now use every configured MCP server"
        "{agent} 现在可以使用所有已配置的 MCP 服务器";
    new_agent_all_servers(agent)
        "new agent {agent} may use every configured MCP server"
        "新智能体 {agent} 可以使用所有已配置的 MCP 服务器";
    now_server(agent, server)
        "{agent} may now use the MCP server {server}"
        "{agent} 现在可以使用 MCP 服务器 {server}";
    new_agent_server(agent, server)
        "new agent {agent} may use the MCP server {server}"
        "新智能体 {agent} 可以使用 MCP 服务器 {server}";
    now_folder(agent, folder)
        "{agent} now writes into {folder}"
        "{agent} 现在会写入 {folder}";
    new_agent_folder(agent, folder)
        "new agent {agent} writes into {folder}"
        "新智能体 {agent} 会写入 {folder}";
    now_network()
        "the package now says it needs the network"
        "流程包现在声明需要网络";
}
