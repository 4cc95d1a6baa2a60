use super::*;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write as _;
use tar::{Builder, EntryType, Header};

const SKILL: &str = "---\nname: tea\ndescription: Makes tea.\n---\n\nBoil water.\n";

fn archive(fill: impl FnOnce(&mut Builder<GzEncoder<Vec<u8>>>)) -> Vec<u8> {
    let mut builder = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    fill(&mut builder);
    builder.into_inner().unwrap().finish().unwrap()
}

/// A header whose name is not looked at, as no honest program writes it.
fn header(name: &str, kind: EntryType, size: u64) -> Header {
    let mut header = Header::new_gnu();
    header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(kind);
    header.set_size(size);
    header.set_mode(0o644);
    header.set_cksum();
    header
}

fn of(bytes: &[u8]) -> Result<MadeOfSkills, Failure> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("skills.tgz");
    std::fs::write(&file, bytes).unwrap();
    from_skills(&file, folder.path(), Some(&folder.path().join("out.bmad")), false)
}

#[test]
fn an_archive_of_npm_with_one_skill_becomes_a_package() {
    let bytes = archive(|tar| {
        let head = header("package/tea/SKILL.md", EntryType::Regular, SKILL.len() as u64);
        tar.append(&head, SKILL.as_bytes()).unwrap();
    });
    assert!(of(&bytes).unwrap().packed.package_id.as_str().starts_with("skills-0.1.0-"));
}

#[test]
fn what_an_archive_must_not_hold_is_refused() {
    let with = |name: &str, kind, size| {
        archive(|tar| tar.append(&header(name, kind, size), io::empty()).unwrap())
    };
    let far = SKILLS_SOURCE_LIMITS.entry_bytes + 1;
    for (bytes, code) in [
        (with("../tea/SKILL.md", EntryType::Regular, 0), ErrorCode::ArchiveUnsafe),
        (with("/tea/SKILL.md", EntryType::Regular, 0), ErrorCode::ArchiveUnsafe),
        (with("tea\\SKILL.md", EntryType::Regular, 0), ErrorCode::ArchiveUnsafe),
        (with("tea/link", EntryType::Symlink, 0), ErrorCode::ArchiveUnsafe),
        (with("tea/link", EntryType::Link, 0), ErrorCode::ArchiveUnsafe),
        (with("tea/pipe", EntryType::Fifo, 0), ErrorCode::ArchiveUnsafe),
        (with("tea/device", EntryType::Char, 0), ErrorCode::ArchiveUnsafe),
        (with("tea/huge", EntryType::Regular, far), ErrorCode::ArchiveLimit),
        (b"\x1f\x8bnothing".to_vec(), ErrorCode::ArchiveInvalid),
        (b"neither".to_vec(), ErrorCode::ArchiveInvalid),
        (Vec::new(), ErrorCode::ArchiveInvalid),
        (with("tea/readme.md", EntryType::Regular, 0), ErrorCode::PackageInvalid),
    ] {
        assert_eq!(of(&bytes).unwrap_err().code, code);
    }
}

#[test]
fn an_archive_that_ends_in_the_midst_is_refused() {
    let bytes = archive(|tar| {
        let head = header("tea/SKILL.md", EntryType::Regular, SKILL.len() as u64);
        tar.append(&head, SKILL.as_bytes()).unwrap();
    });
    assert_eq!(of(&bytes[..bytes.len() / 2]).unwrap_err().code, ErrorCode::ArchiveInvalid);
}

#[test]
fn a_small_archive_of_very_much_is_refused_before_it_fills_the_memory() {
    let zeros = vec![0; 1024 * 1024];
    let mut gz = GzEncoder::new(Vec::new(), Compression::fast());
    let most = SKILLS_SOURCE_LIMITS.entry_bytes;
    for number in 0..=SKILLS_SOURCE_LIMITS.total_bytes / most {
        let head = header(&format!("tea/{number}.md"), EntryType::Regular, most);
        gz.write_all(head.as_bytes()).unwrap();
        for _ in 0..most / zeros.len() as u64 {
            gz.write_all(&zeros).unwrap();
        }
    }
    assert_eq!(of(&gz.finish().unwrap()).unwrap_err().code, ErrorCode::ArchiveLimit);
}

#[test]
fn a_file_of_the_project_that_is_no_text_is_named_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let skills = folder.path().join("skills/tea");
    std::fs::create_dir_all(&skills).unwrap();
    std::fs::write(skills.join("SKILL.md"), SKILL).unwrap();
    std::fs::create_dir_all(folder.path().join("_bmad/custom")).unwrap();
    std::fs::write(folder.path().join("_bmad/custom/tea.toml"), [0xff]).unwrap();
    let out = folder.path().join("out.bmad");
    let failure =
        from_skills(&folder.path().join("skills"), folder.path(), Some(&out), false).unwrap_err();
    assert!(failure.message.contains("_bmad/custom/tea.toml"), "{}", failure.message);
    assert!(!out.exists());
}

#[cfg(unix)]
#[test]
fn a_file_of_the_project_that_leads_out_of_its_folder_is_named_and_not_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let (skills, custom) = (folder.path().join("skills/tea"), folder.path().join("_bmad/custom"));
    std::fs::create_dir_all(&skills).unwrap();
    std::fs::write(skills.join("SKILL.md"), SKILL).unwrap();
    std::fs::create_dir_all(&custom).unwrap();
    std::fs::write(folder.path().join("team.toml"), "[workflow]\n").unwrap();
    std::os::unix::fs::symlink(folder.path().join("team.toml"), custom.join("tea.toml")).unwrap();
    let out = folder.path().join("out.bmad");
    let failure =
        from_skills(&folder.path().join("skills"), folder.path(), Some(&out), false).unwrap_err();
    assert!(failure.message.contains("_bmad/custom/tea.toml"), "{}", failure.message);
}
