use super::*;
use std::fs;
use tempfile::TempDir;

struct Places {
    folder: TempDir,
    places: SkillPlaces,
}

impl Places {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let at = |name: &str, alias| {
            let path = folder.path().join(name);
            fs::create_dir(&path).unwrap();
            Some(RealPath::new(path, alias))
        };
        let places = SkillPlaces {
            project: at("project", "@project"),
            package: None,
            home: at("home", "~"),
        };
        Self { folder, places }
    }

    fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn find(&self) -> Vec<FoundSkill> {
        self.places.find(&str::to_owned)
    }

    fn load(&self, root: SkillRoot, name: &str) -> Result<LoadedSkill, Failure> {
        self.places.load(&root.into(), &SkillName::new(name).unwrap(), &str::to_owned)
    }
}

fn skill(description: &str) -> String {
    format!("---\ndescription: {description}\n---\nDo it.\n")
}

#[test]
fn skills_are_found_in_six_folders_and_the_nearest_of_one_name_counts() {
    let here = Places::new();
    for (at, root) in SkillRoot::OF_PROJECT.into_iter().chain(SkillRoot::OF_HOME).enumerate() {
        let above = if at < 3 { "project" } else { "home" };
        here.write(&format!("{above}/{}/same/SKILL.md", root.folder()), skill(&root.alias()));
        here.write(&format!("{above}/{}/only-{at}/SKILL.md", root.folder()), skill("x"));
    }
    let found = here.find();
    assert_eq!(found.len(), 12);
    let offered = offered(&found);
    let names: Vec<&str> = offered.iter().map(|skill| skill.name.as_str()).collect();
    assert_eq!(names, ["only-0", "only-1", "only-2", "only-3", "only-4", "only-5", "same"]);
    assert_eq!(offered[6].place, SkillRoot::ProjectCrewagent.into());
    assert_eq!(offered[6].description, "@project/.crewagent/skills");
}

#[test]
fn what_is_no_skill_says_why_and_the_others_are_found_all_the_same() {
    let here = Places::new();
    let skills = "project/.agents/skills";
    here.write(&format!("{skills}/good/SKILL.md"), skill("x"));
    here.write(&format!("{skills}/bare/SKILL.md"), "# Nothing before");
    here.write(&format!("{skills}/silent/SKILL.md"), "---\nname: silent\n---\n");
    here.write(&format!("{skills}/empty/README.md"), "x");
    here.write(&format!("{skills}/bytes/SKILL.md"), [0xff, 0xfe, 0x00]);
    here.write(&format!("{skills}/long/SKILL.md"), "x".repeat(SKILL_BYTES + 1));
    here.write(&format!("{skills}/Not A Name/SKILL.md"), skill("x"));
    here.write(&format!("{skills}/.hidden/SKILL.md"), skill("x"));
    here.write(&format!("{skills}/README.md"), "A file is nobody's mistake.");
    let found = here.find();
    let why = |folder: &str| {
        let found = found.iter().find(|it| it.folder == folder).unwrap();
        found.skill.as_ref().unwrap_err().said.english()
    };
    assert!(why("bare").contains("no front matter"));
    assert!(why("silent").contains("no `description`"));
    assert!(why("empty").contains("no SKILL.md"));
    assert!(why("bytes").contains("UTF-8"));
    assert!(why("long").contains("64 KiB"));
    assert!(why("Not A Name").contains("small letters"));
    assert_eq!(found.len(), 7);
    assert_eq!(offered(&found).len(), 1);
}

#[cfg(unix)]
#[test]
fn no_link_leads_out_of_a_place_or_a_skill() {
    use std::os::unix::fs::symlink;
    let here = Places::new();
    here.write("elsewhere/secret/SKILL.md", skill("x"));
    here.write("elsewhere/key.md", "the key");
    let skills = here.folder.path().join("project/.agents/skills");
    here.write("project/.agents/skills/good/SKILL.md", skill("x"));
    here.write("project/shared/within/SKILL.md", skill("within"));
    symlink(here.folder.path().join("elsewhere/secret"), skills.join("out")).unwrap();
    symlink("../../shared/within", skills.join("within")).unwrap();
    symlink(here.folder.path().join("elsewhere/key.md"), skills.join("good/key.md")).unwrap();
    symlink("loop", skills.join("loop")).unwrap();
    std::fs::create_dir(skills.join("linked")).unwrap();
    symlink("../good/SKILL.md", skills.join("linked/SKILL.md")).unwrap();
    here.write("project/.agents/skills/good/a\n\nEND_OF_SKILL.py", "x");
    let found = here.find();
    let names: Vec<_> = offered(&found).iter().map(|skill| skill.name.to_string()).collect();
    assert_eq!(names, ["good", "within"]);
    let out = found.iter().find(|it| it.folder == "out").unwrap();
    assert_eq!(out.skill.as_ref().unwrap_err().said, said::skill_links_out());
    assert!(here.load(SkillRoot::ProjectAgents, "good").unwrap().files.is_empty());
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_file_is_not_waited_for() {
    let here = Places::new();
    let folder = here.folder.path().join("project/.agents/skills/pipe");
    fs::create_dir_all(&folder).unwrap();
    let made = std::process::Command::new("mkfifo").arg(folder.join("SKILL.md")).status();
    assert!(made.unwrap().success());
    assert!(here.find()[0].skill.is_err());
}

#[test]
fn a_skill_comes_with_its_files_and_names_its_scripts() {
    let here = Places::new();
    let folder = "project/.agents/skills/pdf";
    here.write(
        &format!("{folder}/SKILL.md"),
        "---\ndescription: x\nallowed-tools: Read Bash\n---\n# Forms\n",
    );
    for file in ["references/forms.md", "scripts/fill.py", "a.md", ".git/config", "b/c/d.txt"] {
        here.write(&format!("{folder}/{file}"), "x");
    }
    let pdf = here.load(SkillRoot::ProjectAgents, "pdf").unwrap();
    assert_eq!(&*pdf.text, "# Forms\n");
    assert_eq!(pdf.files, ["a.md", "b/c/d.txt", "references/forms.md", "scripts/fill.py"]);
    assert_eq!((pdf.scripts.as_slice(), pdf.more_files), (&["scripts/fill.py".to_owned()][..], 0));
    let none = here.load(SkillRoot::ProjectAgents, "docx").unwrap_err();
    assert_eq!(none.code, ErrorCode::SkillNotFound);
    assert!(here.find()[0].skill.as_ref().unwrap().has_scripts);
}

#[test]
fn a_folder_of_very_many_files_is_not_walked_to_its_end() {
    let here = Places::new();
    let folder = "project/.agents/skills/many";
    here.write(&format!("{folder}/SKILL.md"), skill("x"));
    for n in 0..kernel::bounds::SKILL_ENTRIES + 100 {
        here.write(&format!("{folder}/f{n}"), "");
    }
    here.write(&format!("{folder}/{}deep.md", "d/".repeat(40)), "x");
    let many = here.load(SkillRoot::ProjectAgents, "many").unwrap();
    assert_eq!(many.files.len(), kernel::bounds::SKILL_FILES);
    assert!(many.more_files > 0 && (many.more_files as usize) < kernel::bounds::SKILL_ENTRIES);
}

#[test]
fn scripts_are_found_behind_many_other_files() {
    let here = Places::new();
    let folder = "project/.agents/skills/many";
    here.write(&format!("{folder}/SKILL.md"), skill("x"));
    for n in 0..kernel::bounds::SKILL_FILES + 10 {
        here.write(&format!("{folder}/references/{n}.md"), "x");
    }
    here.write(&format!("{folder}/scripts/run"), "x");
    let many = here.load(SkillRoot::ProjectAgents, "many").unwrap();
    assert_eq!(many.scripts, ["scripts/run"]);
}

#[cfg(unix)]
#[test]
fn a_place_that_cannot_be_opened_is_told() {
    let here = Places::new();
    std::fs::create_dir(here.folder.path().join("home/.claude")).unwrap();
    std::os::unix::fs::symlink("/", here.folder.path().join("home/.claude/skills")).unwrap();
    let found = here.find();
    assert_eq!((found[0].root, found[0].folder.as_str()), (SkillRoot::HomeClaude, ""));
    assert!(offered(&found).is_empty());
}

#[test]
fn files_that_lead_to_each_other_in_a_circle_are_named_once() {
    let here = Places::new();
    let folder = "project/.agents/skills";
    here.write(&format!("{folder}/a/SKILL.md"), "---\ndescription: x\n---\nFollow `one.md`.");
    here.write(&format!("{folder}/a/one.md"), "Follow [two](two.md).");
    here.write(&format!("{folder}/a/two.md"), "Follow [one](one.md), then SKILL.md.");
    assert_eq!(here.load(SkillRoot::ProjectAgents, "a").unwrap().files, ["one.md", "two.md"]);
}

#[test]
fn two_hundred_skills_are_all_found() {
    let here = Places::new();
    for n in 0..200 {
        here.write(&format!("home/.agents/skills/skill-{n}/SKILL.md"), skill("Does something."));
        here.write(&format!("home/.agents/skills/skill-{n}/references/a.md"), "x");
    }
    assert_eq!(offered(&here.find()).len(), 200);
}
