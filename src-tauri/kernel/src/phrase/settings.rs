//! Settings and keys.

super::phrases! {
    setting_invalid(name, why) "the setting `{name}` is not valid: {why}" "设置项 `{name}` 无效：{why}";
    setting_object() "it must be a JSON object" "它必须是 JSON 对象";
    setting_number() "it must be a number" "它必须是数字";
    setting_whole_number()
        "it must be a whole number, neither negative nor too large"
        "它必须是整数，不能为负，也不能太大";
    setting_switch() "it must be true or false" "它必须是 true 或 false";
    setting_text() "it must be a text" "它必须是文字";
    settings_object() "the settings must be a JSON object" "设置必须是 JSON 对象";
    setting_one_of(known) "it must be one of {known}" "它必须是其中之一：{known}";
    setting_range(min, max) "it must be from {min} to {max}" "它必须在 {min} 到 {max} 之间";
    url_scheme()
        "it must start with http:// or https://, for example http://127.0.0.1:11434/v1"
        "它必须以 http:// 或 https:// 开头，例如 http://127.0.0.1:11434/v1";
    url_no_host() "it names no host" "它没有主机名";
    url_no_secrets()
        "it must not hold a user name or a key; the key has a field of its own"
        "它不能含有用户名或密钥；密钥有自己的输入栏";
    url_white_space() "it must not hold white space" "它不能含有空白字符";
    model_name()
        "it must be the model's name there, without line breaks and other control characters"
        "它必须是模型在服务器上的名称，不能含有换行等控制字符";
    header_name() "a header's name holds letters, digits and - only" "请求头的名称只能含字母、数字和 -";
    header_value() "a header's value must be printable ASCII" "请求头的值必须是可打印的 ASCII 字符";
    settings_internal(why) "the settings: {why}" "设置：{why}";
    settings_unreadable(file, why) "{file} cannot be read: {why}" "无法读取 {file}：{why}";
    settings_no_object() "it is not a JSON object" "它不是 JSON 对象";
    correct_file(file)
        "Correct {file}; until then the old values hold, and the strictest ones where they guard your files."
        "请更正 {file}；在此之前旧的设置仍然有效，保护你文件的设置则取最严格的值。";
    key_in_the_clear(server)
        "The key goes to {server} unencrypted: whoever sits on the way can read it. Use https:// where the server has it."
        "密钥会以未加密的方式发送给 {server}：途中的任何人都能读到。如果服务器支持，请使用 https://。";
    strictest_holds()
        "Correct it; until then the strictest value holds."
        "请更正它；在此之前取最严格的值。";
    strictest_of(names)
        "Correct or remove it in settings.json (`crewagent settings set` with the value null removes it); until then the strictest value holds of what it may mean: {names}."
        "请在 settings.json 中更正或删除它（`crewagent settings set` 设为 null 即可删除）；在此之前，它可能指的设置取最严格的值：{names}。";
    sets_nothing()
        "Correct or remove it in settings.json (`crewagent settings set` with the value null removes it): it sets nothing."
        "请在 settings.json 中更正或删除它（`crewagent settings set` 设为 null 即可删除）：它不起任何作用。";
    headers_for_another(server)
        "model.headers were entered for {server}; they are not sent to another server"
        "model.headers 是为 {server} 填写的；它们不会发送给别的服务器";
    set_headers_again()
        "Set the headers that this server needs, or remove model.headers."
        "请设置这台服务器需要的请求头，或删除 model.headers。";
    settings_busy(file) "{file} is being changed by another process" "另一个进程正在修改 {file}";
    no_setting(key) "there is no setting `{key}`" "没有设置项 `{key}`";
    no_setting_but(key, names)
        "there is no setting `{key}`; there is: {names}"
        "没有设置项 `{key}`；有的是：{names}";
    /// A setting's dotted name, where a group and a name in it are meant.
    setting_in_one_name(key, written)
        "`{key}` is one name there; a setting stands in its group: {written}"
        "`{key}` 在那里是一个名称；设置项应写在所属的组内：{written}";
    setting_is_key(key)
        "`{key}` is not kept: keys do not stand among the settings"
        "`{key}` 没有保存：密钥不放在设置中";
    no_key() "no key was given; nothing was changed" "没有给出密钥；没有任何改动";
    give_a_key() "Type it when asked, pipe it in, or say --forget." "请在询问时输入、用管道传入，或使用 --forget。";
    not_a_key()
        "this is no key: it holds spaces or characters that no key has; nothing was changed"
        "这不是密钥：其中有空格或密钥不会有的字符；没有任何改动";
    key_too_long(size)
        "this is no key: it is longer than {size}; nothing was changed"
        "这不是密钥：它超过 {size}；没有任何改动";
    give_the_key_alone() "Give the key alone." "请只给出密钥本身。";
    key_for_another(url)
        "the endpoint of the settings is another one: {url}"
        "设置中的服务器地址是另一个：{url}";
    key_for_none() "the settings name no endpoint" "设置中没有服务器地址";
    set_endpoint_first()
        "Set it first: crewagent settings set model.baseUrl URL"
        "请先设置：crewagent settings set model.baseUrl 地址";
    the_key_file() "the key file of the store" "密钥文件";
}
