use rstest::rstest;
use serde_json::json;

use super::super::tests::{PackageDraft, agent, check, draft, kinds};
use crate::bounds::SKILLS;
use crate::ids::AgentId;
use crate::package::{Finding, Package, PackageReport, Severity};
use crate::skill::SkillPlace;

/// A package of format 1.2 with two agents, of whom the first imports these.
fn importing(sources: &[&str]) -> PackageDraft {
    let mut draft = draft();
    let imports: Vec<_> = sources.iter().map(|source| json!({ "source": source })).collect();
    draft.agents["schemaVersion"] = json!("1.2");
    draft.agents["agents"] = json!([agent("ann"), agent("bob")]);
    draft.agents["agents"][0]["skills"] = json!({ "imports": imports });
    draft
}

fn with_skill(draft: &mut PackageDraft, folder: &str) {
    let text = format!("---\ndescription: What lies in {folder}.\n---\nDo it.\n");
    draft.texts.insert(format!("{folder}/SKILL.md"), text);
}

fn checked(draft: &PackageDraft) -> (PackageReport, Package) {
    let (report, package) = check(&draft.files());
    (report, package.unwrap())
}

/// The names of the skills that are there for an agent.
fn names_for(package: &Package, agent: &str) -> Vec<String> {
    let agent = AgentId::new(agent).unwrap();
    let skills = package.skills.iter().filter(|skill| skill.is_for(Some(&agent)));
    skills.map(|skill| skill.name.to_string()).collect()
}

#[rstest]
#[case::a_folder("assets/review")]
#[case::with_a_slash("assets/review/")]
#[case::from_here("./assets/review")]
#[case::as_an_alias("@pkg/assets/review")]
#[case::its_file("assets/review/SKILL.md")]
#[case::its_file_from_here("./assets/review/SKILL.md")]
fn a_folder_that_an_agent_imports_is_a_skill_of_that_agent(#[case] source: &str) {
    let mut draft = importing(&[source]);
    with_skill(&mut draft, "assets/review");
    draft.texts.insert("assets/review/scripts/count.py".into(), "print(1)".into());
    let (report, package) = checked(&draft);
    assert_eq!(report.findings, []);
    assert_eq!(
        (names_for(&package, "ann"), names_for(&package, "bob")),
        (vec!["review".to_owned()], vec![])
    );
    let skill = &package.skills[0];
    assert_eq!(skill.place, SkillPlace::in_package("assets/review"));
    assert_eq!(skill.description, "What lies in assets/review.");
    assert!(skill.has_scripts);
    assert_eq!(report.skills, *package.skills);
    assert!(!skill.is_for(None), "a model that is no agent has none of them");
}

#[test]
fn a_skill_is_there_for_each_agent_that_imports_it_and_below_skills_for_all() {
    let mut draft = importing(&["assets/review", "assets/review/", "skills/pdf"]);
    draft.agents["agents"][1]["skills"] = json!({ "imports": [
        { "name": "read-proofs", "source": "assets/sub/proof" },
        { "source": "assets/review/SKILL.md" },
    ] });
    for folder in ["assets/review", "assets/sub/proof", "skills/pdf"] {
        with_skill(&mut draft, folder);
    }
    let (report, package) = checked(&draft);
    assert_eq!(report.findings, []);
    assert_eq!(names_for(&package, "ann"), ["pdf", "review"]);
    assert_eq!(names_for(&package, "bob"), ["pdf", "read-proofs", "review"]);
    assert_eq!(package.skills[2].agents().as_deref(), Some("ann, bob"));
    assert_eq!(package.skills[0].agents(), None);
}

#[test]
fn what_agents_call_a_skill_is_what_it_is_called_for_them() {
    let mut draft = importing(&[]);
    let text = "---\nname: proof\ndescription: Reads proofs.\n---\nRead.\n";
    draft.texts.insert("assets/proof/SKILL.md".into(), text.into());
    with_skill(&mut draft, "skills/pdf");
    draft.agents["agents"][0]["skills"] = json!({ "imports": [
        { "name": "read-proofs", "source": "assets/proof" },
        { "name": "Not A Name", "source": "assets/proof" },
        { "name": "forms", "source": "skills/pdf" },
    ] });
    draft.agents["agents"][1]["skills"] =
        json!({ "imports": [{ "name": "proofs", "source": "assets/proof" }] });
    let (report, package) = checked(&draft);
    let told: Vec<(&str, &str)> = report.findings.iter().map(where_told).collect();
    assert_eq!(told, [("agents.json", "/agents/0/skills/imports/1")], "{report:?}");
    assert_eq!(names_for(&package, "ann"), ["forms", "pdf", "proof", "read-proofs"]);
    assert_eq!(names_for(&package, "bob"), ["pdf", "proofs"]);
}

#[test]
fn two_agents_have_skills_of_one_name_and_one_agent_does_not() {
    let mut draft = importing(&["assets/a/review", "assets/b/review"]);
    draft.agents["agents"][1]["skills"] = json!({ "imports": [
        { "source": "assets/b/review" },
        { "source": "assets/a/review" },
    ] });
    for folder in ["assets/a/review", "assets/b/review"] {
        with_skill(&mut draft, folder);
    }
    let (report, package) = checked(&draft);
    let told: Vec<(&str, &str)> = report.findings.iter().map(where_told).collect();
    let second = |agent: usize| format!("/agents/{agent}/skills/imports/1");
    assert_eq!(told, [("agents.json", &*second(0)), ("agents.json", &*second(1))], "{report:?}");
    assert!(report.findings[1].message.contains("@pkg/assets/b/review"), "{report:?}");
    let has: Vec<(String, Option<String>)> =
        package.skills.iter().map(|it| (it.place.alias_of(&it.name), it.agents())).collect();
    let of = |folder: &str, agent: &str| (format!("@pkg/{folder}"), Some(agent.to_owned()));
    assert_eq!(has, [of("assets/a/review", "ann"), of("assets/b/review", "bob")]);
}

#[test]
fn what_cannot_be_imported_is_told_where_it_is_named() {
    let mut draft = importing(&[
        "assets/Bad Name",
        "assets/empty",
        "assets/pdf",
        "assets",
        "../x",
        "assets/Bad Name",
    ]);
    for folder in ["assets/Bad Name", "assets/pdf", "skills/pdf"] {
        with_skill(&mut draft, folder);
    }
    draft.texts.insert("assets/empty/SKILL.md".into(), "---\nname: empty\n---\n".into());
    let (report, package) = checked(&draft);
    assert!(report.findings.iter().all(|it| it.severity == Severity::Warning));
    let told: Vec<(&str, &str)> = report.findings.iter().map(where_told).collect();
    assert_eq!(
        told,
        [
            ("assets/Bad Name/SKILL.md", ""),
            ("assets/empty/SKILL.md", ""),
            ("agents.json", "/agents/0/skills/imports/2"),
            ("agents.json", "/agents/0/skills/imports/3"),
            ("agents.json", "/agents/0/skills/imports/4"),
        ]
    );
    assert!(report.findings[2].message.contains("@pkg/skills/pdf"), "{report:?}");
    assert_eq!(names_for(&package, "ann"), ["pdf"]);
}

fn where_told(finding: &Finding) -> (&str, &str) {
    (&finding.file, finding.instance_path.as_deref().unwrap_or_default())
}

#[test]
fn a_row_of_a_menu_names_a_skill_of_its_own_agent() {
    let mut draft = importing(&["assets/review"]);
    with_skill(&mut draft, "assets/review");
    let row = json!([{ "trigger": "r", "description": "Review", "action": "skill.use:review" }]);
    for at in 0..2 {
        draft.agents["agents"][at]["menu"] = row.clone();
    }
    let (report, _) = checked(&draft);
    let told: Vec<(&str, &str)> = report.findings.iter().map(where_told).collect();
    assert_eq!(told, [("agents.json", "/agents/1/menu/0/action")], "{report:?}");
    assert_eq!(report.findings[0].message, "skill `review` is there for ann only");
}

#[test]
fn no_more_skills_are_taken_than_a_model_is_told_of() {
    let sources: Vec<String> = (0..=SKILLS).map(|at| format!("assets/s{at}")).collect();
    let mut draft = importing(&sources.iter().map(String::as_str).collect::<Vec<_>>());
    for source in &sources {
        with_skill(&mut draft, source);
    }
    draft.agents["agents"][0]["skills"]["imports"]
        .as_array_mut()
        .unwrap()
        .push(json!({ "source": "assets/s0" }));
    draft.agents["agents"][1]["skills"] = json!({ "imports": [{ "source": "assets/s0" }] });
    let (report, package) = checked(&draft);
    assert_eq!((kinds(&report), package.skills.len()), (vec!["agent-skills".to_owned()], SKILLS));
    assert_eq!(names_for(&package, "bob"), ["s0"], "what is there can be had by others");
}

#[test]
fn programs_that_an_agent_imports_are_told_and_not_taken_over() {
    let mut draft = draft();
    let skills = json!({
        "capabilities": { "filesystem": { "enabled": true }, "python": { "enabled": true }, "browser": { "enabled": false } },
        "imports": [{ "name": "count", "source": "assets/count.py" }, { "source": "assets/review" }],
    });
    draft.agents["agents"][0]["skills"] = skills.clone();
    let (report, package) = check(&draft.files());
    assert_eq!((kinds(&report), package), (vec!["schema".to_owned()], None));
    draft.agents["schemaVersion"] = json!("1.2");
    draft.texts.insert("assets/count.py".into(), "print(1)".into());
    let (report, package) = check(&draft.files());
    assert_eq!(kinds(&report), ["agent-skills"; 3], "{report:?}");
    assert!(package.is_some());
    let told: Vec<&str> = report.findings.iter().map(|it| it.message.as_str()).collect();
    assert!(
        told[0].contains("`python`") && told[1].ends_with("which is not taken over"),
        "{told:?}"
    );
    assert!(told[2].contains("`assets/review`, which the package does not have"), "{told:?}");
    assert!(report.permissions[0].fs_enabled);
    draft.agents["agents"][0]["skills"] =
        json!({ "capabilities": { "filesystem": { "enabled": false } } });
    let (report, _) = check(&draft.files());
    assert!(
        !report.permissions[0].fs_enabled,
        "an agent does without what it says it does without"
    );
    assert!(kinds(&report).iter().all(|kind| kind == "agent-without-files"), "{report:?}");
    for open in [
        json!({ "x": 1 }),
        json!({ "capabilities": { "python": { "x": 1 } } }),
        json!({ "imports": [{ "source": "a", "x": 1 }] }),
    ] {
        draft.agents["agents"][0]["skills"] = open;
        assert_eq!(kinds(&check(&draft.files()).0)[0], "schema");
    }
    draft.agents["agents"][0]["skills"] =
        json!({ "imports": [{ "name": "x" }], "capabilities": 1 });
    let (report, _) = check(&draft.files());
    assert_eq!(kinds(&report), ["schema"; 2], "{report:?}");
}
