//! What reaches the person while they look elsewhere, and what they open from there: a real host on
//! a real store.

use host::host::{Announcement, Desktop, Host, HostOptions, ModelChoice, OpenedOutside};
use host::real_path::RealPath;
use kernel::code::Failure;
use kernel::command::{Command, Query};
use kernel::event::{Phase, Reason};
use kernel::ids::{ConversationId, ProjectId};
use kernel::outside::OpenIn;
use kernel::wire::{Answer, ConversationPage, Noticed, WatchTarget};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::mpsc::Receiver;

/// Longer than anything here takes; a test that waits for it has failed.
const PATIENCE: Duration = Duration::from_secs(30);

async fn host(store: &Path, desktop: Option<Arc<dyn Desktop>>) -> Arc<Host> {
    let mut options = HostOptions::new(store.join("store"), "window");
    (options.model, options.desktop) = (ModelChoice::Demo, desktop);
    Host::open(options).await.unwrap()
}

async fn next(noticed: &mut Receiver<Noticed>) -> Noticed {
    let next = tokio::time::timeout(PATIENCE, noticed.recv()).await;
    next.expect("nothing was told in time").expect("the feed ended")
}

async fn active(host: &Host) -> ConversationPage {
    match host.query(Query::ActiveConversations).await.unwrap() {
        Answer::Conversations(page) => page,
        other => panic!("{other:?}"),
    }
}

/// Begins a demo that comes to a question.
async fn play(host: &Host, folder: &Path) -> (ProjectId, ConversationId) {
    let path = Some(folder.to_str().unwrap().to_owned());
    let play = Command::PlayDemo { path, package: Some("hello-linear".into()) };
    let begun = host.submit(play).await.unwrap();
    (begun.project_id.unwrap(), begun.conversation_id.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_another_program_begins_is_told_of_until_it_rests() {
    let temp = tempfile::tempdir().unwrap();
    let (window, terminal) = (host(temp.path(), None).await, host(temp.path(), None).await);
    let mut noticed = window.notice(WatchTarget::App).await.unwrap();
    assert_eq!(active(&window).await, ConversationPage::default());
    let (project, conversation) = play(&terminal, &temp.path().join("project")).await;
    let rests = loop {
        assert_eq!(next(&mut noticed).await, Noticed::Runs);
        let page = active(&window).await;
        let [found] = &page.conversations[..] else { panic!("{page:?}") };
        assert_eq!((&found.project_id, &found.conversation_id), (&project, &conversation));
        if found.runs[0].phase != Phase::Running {
            break found.runs[0].clone();
        }
    };
    assert_eq!(rests.phase, Phase::WaitingUser);
    assert!(matches!(rests.reason, Some(Reason::Answered | Reason::Widget)), "{rests:?}");
    terminal.submit(Command::DeleteConversation { conversation_id: conversation }).await.unwrap();
    assert_eq!(next(&mut noticed).await, Noticed::Runs);
    assert_eq!(active(&window).await, ConversationPage::default());
    terminal.close().await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_opened_outside_waits_for_a_window_and_comes_once_in_its_order() {
    let temp = tempfile::tempdir().unwrap();
    let host = host(temp.path(), None).await;
    let (project_id, conversation_id) = play(&host, &temp.path().join("project")).await;
    let package_id = active(&host).await.conversations[0].runs[0].package_id.clone();
    let (file, folder) = ("/home/ann/a.bmad".to_owned(), "/home/ann/garden".to_owned());
    host.show(vec![
        OpenedOutside::PackageFile(file.clone()),
        OpenedOutside::Conversation("run-nobody".parse().unwrap()),
        OpenedOutside::Folder(folder.clone()),
    ])
    .await;
    host.show(vec![
        OpenedOutside::Conversation(conversation_id.clone()),
        OpenedOutside::Package("nothing-1".parse().unwrap()),
        OpenedOutside::Package(package_id.clone()),
    ])
    .await;
    let mut noticed = host.notice(WatchTarget::App).await.unwrap();
    let mut told = Vec::new();
    while told.len() < 6 {
        // The run is still at work.
        told.extend(Some(next(&mut noticed).await).filter(|word| *word != Noticed::Runs));
    }
    let code = |word: &Noticed| match word {
        Noticed::NotShown { failure } => failure.code.as_str(),
        other => panic!("{other:?}"),
    };
    assert_eq!(code(&told[1]), "CONVERSATION_NOT_FOUND");
    assert_eq!(code(&told[4]), "PACKAGE_NOT_FOUND");
    assert_eq!(told[0], Noticed::Opened { path: file });
    assert_eq!(told[2], Noticed::Folder { path: folder });
    let Noticed::Shown { project_id: of, location, conversation_id: shown } = &told[3] else {
        panic!("{:?}", told[3])
    };
    assert_eq!((of, shown), (&project_id, &conversation_id));
    let project = temp.path().join("project").canonicalize().unwrap();
    assert_eq!(Path::new(location), project);
    assert_eq!(told[5], Noticed::ShownPackage { package_id });
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_so_much_of_what_was_opened_waits_and_the_newest_does() {
    let temp = tempfile::tempdir().unwrap();
    let host = host(temp.path(), None).await;
    let folder = |n: usize| OpenedOutside::Folder(n.to_string());
    host.show((0..kernel::bounds::OPENED_WAITING + 5).map(folder).collect()).await;
    let mut noticed = host.notice(WatchTarget::App).await.unwrap();
    assert_eq!(next(&mut noticed).await, Noticed::Folder { path: "5".into() });
    host.close().await;
}

/// A desktop that remembers what it was asked to tell, and shows nothing when it is `broken`.
#[derive(Default)]
struct Remembering {
    told: Mutex<Vec<Announcement>>,
    broken: bool,
}

impl Desktop for Remembering {
    fn open(&self, _: &RealPath, _: OpenIn) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn announce(&self, announcement: Announcement) -> io::Result<()> {
        if self.broken {
            return Err(io::ErrorKind::NotFound.into());
        }
        self.told.lock().unwrap().push(announcement);
        Ok(())
    }
}

async fn announce(
    host: &Host,
    conversation_id: &ConversationId,
    title: &str,
    text: &str,
) -> Result<(), Failure> {
    let (conversation_id, title, text) = (conversation_id.clone(), title.into(), text.into());
    let announce = Command::Announce { conversation_id: conversation_id.clone(), title, text };
    let receipt = host.submit(announce).await?;
    assert_eq!(receipt.conversation_id, Some(conversation_id));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_announced_by_the_desktop_in_few_words_that_hide_nothing() {
    let temp = tempfile::tempdir().unwrap();
    let desktop = Arc::new(Remembering::default());
    let host = host(temp.path(), Some(desktop.clone())).await;
    let (_, conversation) = play(&host, &temp.path().join("project")).await;
    announce(&host, &conversation, "Garden", "A question waits").await.unwrap();
    announce(&host, &conversation, "\u{202e}a\nb", &"x".repeat(100_000)).await.unwrap();
    let nobody = "run-nobody".parse().unwrap();
    let failure = announce(&host, &nobody, "t", "t").await.unwrap_err();
    assert_eq!(failure.code.as_str(), "CONVERSATION_NOT_FOUND");
    {
        let told = desktop.told.lock().unwrap();
        assert_eq!(told.len(), 2);
        assert_eq!(told[0], Announcement::new(conversation, "Garden", "A question waits"));
        assert!(!told[1].title.contains(['\n', '\u{202e}']), "{}", told[1].title);
        assert_eq!(told[1].text.chars().count(), kernel::bounds::ANNOUNCED_TEXT_CHARS);
    }
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_desktop_that_shows_no_announcements_is_no_failure_and_none_at_all_is() {
    let temp = tempfile::tempdir().unwrap();
    let broken = Arc::new(Remembering { broken: true, ..Remembering::default() });
    let window = host(temp.path(), Some(broken)).await;
    let (_, conversation) = play(&window, &temp.path().join("project")).await;
    announce(&window, &conversation, "t", "t").await.unwrap();
    let terminal = host(temp.path(), None).await;
    let failure = announce(&terminal, &conversation, "t", "t").await.unwrap_err();
    assert_eq!(failure.code.as_str(), "NOT_OPENED");
    terminal.close().await;
    window.close().await;
}
