//! Files that words mention: what the model gets, what the terminal says, and what stays.

use serde_json::{Value, json};
use support::program::{Sandbox, Server, has_han, root};

fn mini() -> String {
    root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned()
}

/// The blocks of a request as the server got it.
fn blocks(request: &Value) -> Vec<&str> {
    let messages = request["messages"].as_array().unwrap();
    let texts = messages.iter().filter_map(|it| it["content"].as_str());
    texts.filter(|text| text.starts_with("DATA_CONTEXT\n")).collect()
}

#[test]
fn a_file_that_words_mention_reaches_the_model_and_is_told_of_under_the_words() {
    let asks = json!({ "text": "What is it about?" });
    let (sandbox, server) = (Sandbox::new(), Server::saying(&[asks.clone(), asks.clone(), asks]));
    let project = sandbox.project();
    std::fs::create_dir(project.join("my docs")).unwrap();
    let notes = format!("It rains.\nSeen in {}.\n", project.display());
    std::fs::write(project.join("my docs/notes.md"), &notes).unwrap();
    std::fs::write(project.join("long.md"), "Word for word.\n".repeat(200)).unwrap();
    std::fs::write(project.join("image.bin"), b"a\0b").unwrap();
    std::fs::write(project.join(".env"), "KEY=1\n").unwrap();
    let model = ["--base-url", &server.base_url(), "--model", "demo"];
    let first = "Begin with @\"my docs/notes.md\".";
    let begun = sandbox.run(&[&["run", &mini(), "--input", first][..], &model].concat()).exits(3);
    assert!(begun.stdout.contains(&format!("> {first}\n")), "{begun:#?}");
    assert!(begun.stdout.contains("  @ attached: @project/my docs/notes.md, "), "{begun:#?}");
    sandbox.shows_no_real_path(&begun.stdout);
    let id = sandbox.run_id();
    let words = "See @long.md, @image.bin, @.env, @gone.md and @\"my docs\", says mia@example.com.";
    let said = sandbox.run(&[&["say", &id, words, "--lang", "zh"][..], &model].concat()).exits(3);
    let told: Vec<&str> = said.stdout.lines().filter(|line| line.starts_with("  @ ")).collect();
    assert_eq!(told.len(), 4, "{said:#?}");
    assert!(told.iter().all(|line| has_han(line)), "{told:?}");
    assert!(told[0].contains("@project/long.md") && told[0].contains("2.9 KiB"), "{told:?}");
    // What the file says later changes nothing of what was read.
    std::fs::write(project.join("long.md"), "Other words.\n").unwrap();
    sandbox.run(&[&["say", &id, "Thank you."][..], &model].concat()).exits(3);
    let came = server.requests();
    let first = blocks(&came[0]);
    assert_eq!(
        first,
        [
            "DATA_CONTEXT\n- label: notes.md\n- path: @project/my docs/notes.md\n- preview, each line behind `| `:\n\
          | It rains.\n| Seen in ⟦folder:project⟧."
        ]
    );
    let second = blocks(&came[1]);
    assert_eq!(second.len(), 4, "{second:#?}");
    let begins = "the beginning of a file of 2.9 KiB, each line behind `| `. Read the file for the \
                  rest.\n| Word";
    assert!(second[0].contains(begins), "{}", second[0]);
    assert!(second[0].len() < 2_600, "{}", second[0]);
    assert!(
        second[1].ends_with("image.bin\n- preview: none, this is not a text file."),
        "{second:#?}"
    );
    assert!(second[2].ends_with(".env\n- preview: none, this may not be read."), "{second:#?}");
    assert!(second[3].contains("this is a folder"), "{second:#?}");
    assert_eq!(blocks(&came[2]), [""; 0]);
    for number in ["1", "2", "3"] {
        let show = ["runs", "show", &id, "--requests", number, "--json"];
        let view = sandbox.run(&show).exits(0).json();
        assert_eq!(view["isAsSent"], true, "{view:#}");
    }
    let shown = sandbox.run(&["runs", "show", &id, "--requests", "1"]).exits(0);
    assert!(shown.stdout.contains("user · a file that your words mention · "), "{shown:#?}");
    let shown = sandbox.run(&["conversations", "show", &id]).exits(0);
    assert!(shown.stdout.contains("\n@ attached: @project/my docs/notes.md, "), "{shown:#?}");
    let shown = sandbox.run(&["conversations", "show", &id, "--json"]).exits(0).json();
    let files: Vec<_> = shown["messages"].as_array().unwrap().iter().map(|m| &m["files"]).collect();
    assert_eq!(files[0][0]["path"], "@project/my docs/notes.md", "{files:#?}");
    assert_eq!(files.iter().map(|it| it.as_array().unwrap().len()).sum::<usize>(), 5);
    let export = ["conversations", "export", &id, "--format", "md"];
    let written = sandbox.run(&export).exits(0).stdout;
    assert!(written.contains("\n- @ attached: @project/my docs/notes.md, "), "{written}");
    assert!(written.contains("\n- @ not attached: @project/image.bin is not text\n"), "{written}");
    // A replay needs no file.
    let export = sandbox.path("run.crewrun").to_string_lossy().into_owned();
    sandbox.run(&["runs", "export", &id, "-o", &export]).exits(0);
    sandbox.run(&["runs", "replay", &export]).exits(0);
}

#[test]
fn where_file_tools_are_off_a_mention_stays_words() {
    let (sandbox, server) = (Sandbox::new(), Server::saying(&[json!({ "text": "What is it?" })]));
    std::fs::write(sandbox.project().join("notes.md"), "It rains.\n").unwrap();
    sandbox.run(&["settings", "set", "tools.fsEnabled", "false"]).exits(0);
    let model = ["--base-url", &server.base_url(), "--model", "demo"];
    let done =
        sandbox.run(&[&["run", &mini(), "--input", "Look at @notes.md"][..], &model].concat());
    assert!(!done.stdout.contains("@ with"), "{done:#?}");
    let came = server.requests();
    assert_eq!(blocks(&came[0]), [""; 0]);
    assert!(came[0].to_string().contains("Look at @notes.md"));
}

#[test]
fn a_kept_key_is_shown_to_no_server_that_the_command_line_names() {
    let key = "sk-kept-0123456789abcdef";
    let read = json!({ "path": "@project/key.md" });
    let replies = [
        json!({ "calls": [{ "name": "fs_read", "arguments": read }] }),
        json!({ "text": "What is it?" }),
    ];
    let (sandbox, server) = (Sandbox::new(), Server::saying(&replies));
    sandbox.run_fed(&["settings", "set-key"], &format!("{key}\n")).exits(0);
    std::fs::write(sandbox.project().join("key.md"), format!("key: {key}\n")).unwrap();
    let run = ["run", &mini(), "--input", "See @key.md.", "--base-url", &server.base_url()];
    let env = [("CREWAGENT_API_KEY", "sk-of-the-environment-01234567")];
    sandbox.run_with(&[&run[..], &["--model", "demo"]].concat(), &env).exits(3);
    let came = server.requests();
    assert_eq!(came.len(), 2);
    let sent = json!(came).to_string();
    assert!(!sent.contains(key) && sent.matches("key: [key]").count() >= 2, "{sent}");
}
