//! Models: their servers, addresses, keys and tests.

super::phrases! {
    // A server refused, or said something else.
    answered(host, status) "{host} answered {status}" "{host} 的回应是 {status}";
    ended_with_error(host) "{host} ended its answer with an error" "{host} 以错误结束了回答";
    no_connection(host) "no connection to {host} in time" "未能及时连接到 {host}";
    unreachable(host, why) "{host} cannot be reached: {why}" "无法连接到 {host}：{why}";
    connection_broke(host, why) "the connection to {host} broke: {why}" "与 {host} 的连接中断：{why}";
    was_silent(host, what, seconds) "{host} sent {what} for {seconds} s" "{host} 已有 {seconds} 秒{what}";
    silent_nothing() "nothing" "没有发来任何内容";
    silent_nothing_more() "nothing more" "没有再发来内容";
    silent_no_whole_answer() "no whole answer" "没有发来完整的回答";
    unreadable_answer(host, why) "the answer of {host} cannot be read: {why}" "无法读取 {host} 的回答：{why}";
    answer_web_page() "it is a web page" "它是一个网页";
    answer_longer_than(size) "it is longer than {size}" "它超过 {size}";
    answer_cut_off() "it was cut off in the middle" "它中途断开了";
    answer_not_json(why) "it is not JSON ({why})" "它不是 JSON（{why}）";
    answer_no_choices() "it has no `choices`" "其中没有 `choices`";
    answer_event_not_json(why) "an event is not JSON ({why})" "有一个事件不是 JSON（{why}）";
    answer_ended_early() "it ended before the model was done" "模型还没有说完它就结束了";
    answer_no_stream(why) "it is no event stream ({why})" "它不是事件流（{why}）";
    a_web_page() "a web page" "一个网页";
    answered_nothing() "the model answered nothing" "模型什么也没有回答";
    only_thought() "the model thought, and answered nothing" "模型只思考，没有回答";
    too_many_calls(max)
        "the model asked for more than {max} calls at once"
        "模型一次请求了超过 {max} 个调用";
    arguments_too_long(bytes)
        "the model sent a call with arguments of more than {bytes} bytes"
        "模型发出的一个调用的参数超过 {bytes} 字节";
    call_name_too_long(bytes)
        "the model sent a call with a name of more than {bytes} bytes"
        "模型发出的一个调用的名称超过 {bytes} 字节";
    calls_too_long(size)
        "the model sent calls with arguments of more than {size} in all"
        "模型发出的调用的参数总共超过 {size}";
    reply_too_long(size)
        "the model's reply is longer than {size}"
        "模型的回复超过 {size}";
    answer_withheld()
        "the model's provider withheld the answer"
        "模型服务商没有给出这个回答";
    try_or_choose_another()
        "Try again; if it stays, choose another model."
        "请重试；如果仍然如此，请换一个模型。";
    say_otherwise()
        "Say it in other words, or choose another model."
        "请换一种说法，或换一个模型。";

    // A model that goes round.
    called_in_turn(tools, times)
        "{tools} were called in turn {times} times with the same outcome"
        "{tools} 已被轮流调用 {times} 次，结果都一样";

    check_server_runs()
        "Check that the server runs and the address is right."
        "请检查服务器是否在运行、地址是否正确。";
    nothing_listens(address) "Nothing is listening on {address}." "{address} 上没有服务器在监听。";
    no_such_server(address) "There is no server called {address}." "没有名为 {address} 的服务器。";
    is_it_started(server)
        "Is {server} started? Start it, or correct the address in the settings."
        "{server} 启动了吗？请启动它，或在设置中更正地址。";
    is_the_server_started()
        "Is the model server started? Start it, or correct the address in the settings."
        "模型服务器启动了吗？请启动它，或在设置中更正地址。";
    check_network()
        "Check the network and the server's address in the settings."
        "请检查网络，以及设置中的服务器地址。";
    raise_time_limits()
        "Try again; for a slow model raise the time limits in the settings."
        "请重试；如果模型较慢，请在设置中提高时限。";
    check_v1_again()
        "Try again; if it stays, check the server's address: it usually ends in /v1."
        "请重试；如果仍然如此，请检查服务器地址：它通常以 /v1 结尾。";
    check_v1()
        "Check the server's address in the settings: it usually ends in /v1."
        "请检查设置中的服务器地址：它通常以 /v1 结尾。";
    check_key() "Check the API key in the settings." "请检查设置中的 API 密钥。";
    wait_or_quota()
        "Wait a little, or check the quota of your account."
        "请稍等片刻，或检查你账户的额度。";
    try_again() "Try again." "请重试。";
    shorten_or_larger()
        "Shorten the conversation, or choose a model with a larger context."
        "请缩短会话，或选择上下文更大的模型。";
    choose_a_model(model)
        "Choose a model the server has; `{model}` is not there."
        "请选择服务器上已有的模型；那里没有 `{model}`。";
    see_servers_log()
        "Try again; if it stays, the server's log says more."
        "请重试；如果仍然如此，服务器的日志里有更多信息。";

    // Before anything is sent.
    not_configured(why) "no model is configured: {why}" "没有配置模型：{why}";
    no_address() "no server address is set" "没有设置服务器地址";
    no_model_name() "no model name is set" "没有设置模型名称";
    set_address_and_name()
        "Set the server's address and the model's name in the settings."
        "请在设置中填写服务器地址和模型名称。";
    not_connected()
        "no model is connected: the endpoint or the model name is empty"
        "没有连接模型：服务器地址或模型名称是空的";
    key_characters()
        "the API key holds characters that no key has; enter it again"
        "API 密钥中有密钥不会有的字符；请重新输入";
    no_http_client(why) "the HTTP client cannot be made: {why}" "无法建立 HTTP 客户端：{why}";
    request_stopped() "the request to the model was stopped" "对模型的请求已停止";

    // What a test came to.
    test_silent() "It does not answer." "它没有回答。";
    test_silent_why(why) "It does not answer: {why}" "它没有回答：{why}";
    test_refuses_tools(why)
        "It answers, but not when it is offered a tool: workflows will not run. {why}"
        "它能回答，但提供工具时不回答：工作流将无法运行。{why}";
    test_no_tools()
        "It answers, but this model didn't call the tool: workflows will not run well."
        "它能回答，但这个模型没有调用工具：工作流将无法正常运行。";
    test_good(ms)
        "It answers and calls tools. The first answer took {ms} ms."
        "它能回答，也会调用工具。首个回答用时 {ms} 毫秒。";

    test_was_stopped() "the test was stopped" "测试已停止";

    // The demo.
    demo_at_its_end()
        "the demo was played by a script, and the script is at its end"
        "演示由脚本播放，脚本已经播放完毕";
    demo_does_not_fit() "the demo trace does not fit" "演示脚本与请求不符";
    demo_invalid(why) "the demo trace is not valid: {why}" "演示脚本无效：{why}";
    demo_format(found, known)
        "its schemaVersion is `{found}`, this program reads `{known}`"
        "它的 schemaVersion 是 `{found}`，本程序认识 `{known}`";
    demo_says_nothing(turn) "turns[{turn}].reply has neither text nor calls" "turns[{turn}].reply 既没有文字也没有调用";
    demo_nameless_call(turn) "turns[{turn}].reply has a call without a name" "turns[{turn}].reply 中有一个没有名称的调用";
    demo_expects(turn, name, expected, got)
        "turn {turn} of the demo trace expects {name} {expected}, but got {got}"
        "演示脚本第 {turn} 轮要求 {name} 为 {expected}，实际是 {got}";
    change_the_trace()
        "Change the trace's `when`, or look at what changed before this turn."
        "请修改脚本的 `when`，或查看这一轮之前有什么变化。";
    demo_cannot_listen(address, why)
        "the demo server cannot listen on {address}: {why}"
        "演示服务器无法监听 {address}：{why}";
    demo_other_port()
        "Choose another port on 127.0.0.1; 0 takes a free one."
        "请选择 127.0.0.1 上的另一个端口；0 表示任取一个空闲端口。";
    demo_loopback_only() "it serves this machine only" "它只为本机服务";
}
