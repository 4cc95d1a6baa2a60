//! Packages whose files, names and folders mean harm.

use std::fs;
use std::path::{Path, PathBuf};

use super::parts::{Parts, letters, noise, written};
use super::{Hostile, hostile, large};

const KIB: usize = 1024;
const MIB: usize = 1024 * 1024;

pub(super) fn all(mebibytes: usize) -> Vec<Hostile> {
    let huge = mebibytes.min(64) * MIB;
    let mut all = vec![
        hostile("many entries of 64 KiB", move |at| {
            let count = (mebibytes * MIB / (64 * KIB)).min(8_000);
            Parts::mini().packed_with(at, count, |n| format!("assets/{n}.md"), &letters(64 * KIB))
        }),
        hostile("many texts of 1 MiB", move |at| {
            let count = mebibytes.min(500);
            Parts::mini().packed_with(at, count, |n| format!("assets/{n}.json"), &letters(MIB))
        }),
        large("one huge entry", huge as u64, move |at| {
            Parts::mini().with("assets/huge.bin", noise(huge)).packed(at)
        }),
        large("one huge file in a folder", huge as u64, move |at| {
            Parts::mini().with("assets/huge.md", letters(huge)).folder(at)
        }),
        hostile("a bomb", |at| {
            Parts::mini().packed_with(at, 1, |_| "assets/a.md".into(), &vec![0; 32 * MIB])
        }),
        hostile("a bomb of many small entries", |at| {
            Parts::mini().packed_with(at, 1_500, |n| format!("{n}.md"), &[0; 64 * KIB])
        }),
    ];
    all.extend(names());
    all.extend(broken());
    #[cfg(unix)]
    all.extend(links());
    all
}

fn names() -> Vec<Hostile> {
    let nothing = |at: &Path, count: usize, name: fn(usize) -> String| {
        Parts::mini().packed_with(at, count, name, b"")
    };
    vec![
        hostile("as many names as there may be, of 240 bytes", move |at| {
            nothing(at, 9_900, |n| format!("assets/{n:0233}"))
        }),
        hostile("names that tell of 32 folders each", move |at| {
            nothing(at, 9_900, |n| format!("{n:07}{}/x", "/abcdef".repeat(31)))
        }),
        hostile("a list of 60,000 entries", move |at| nothing(at, 60_000, |n| format!("{n:0200}"))),
        hostile("names of 60 KiB", move |at| {
            nothing(at, 60, |n| format!("{n}{}", "x".repeat(60 * KIB)))
        }),
        hostile("names that differ in case", move |at| {
            nothing(at, 2, |n| ["assets/Same.md", "assets/same.md"][n].to_owned())
        }),
        hostile("a folder of 10,001 files", |at| {
            let root = Parts::mini().folder(at);
            for n in 0..10_001 {
                fs::write(root.join(format!("{n}.md")), "").unwrap();
            }
            root
        }),
        hostile("a folder 200 folders deep", |at| {
            let root = Parts::mini().folder(at);
            fs::create_dir_all(root.join("d/".repeat(200))).unwrap();
            root
        }),
    ]
}

fn broken() -> Vec<Hostile> {
    let changed = |at: &Path, change: fn(&mut Vec<u8>)| {
        let mut bytes = fs::read(Parts::mini().packed(at)).unwrap();
        change(&mut bytes);
        written(at, &bytes)
    };
    vec![
        hostile("nothing", |at| written(at, b"")),
        hostile("noise", |at| written(at, &noise(MIB))),
        hostile("an archive cut in the middle", move |at| {
            changed(at, |bytes| bytes.truncate(bytes.len() / 2))
        }),
        hostile("an archive whose middle is noise", move |at| {
            changed(at, |bytes| {
                let middle = bytes.len() / 2;
                bytes[middle..middle + 200].copy_from_slice(&noise(200));
            })
        }),
        hostile("an archive in an archive, many times", |at| {
            let inner = fs::read(Parts::mini().packed(at)).unwrap();
            Parts::mini().packed_with(at, 5_000, |n| format!("assets/{n}.bmad"), &inner)
        }),
        hostile("the same name a thousand times", |at| {
            // The writer refuses that: the names are made the same in what it wrote.
            let file = Parts::mini().packed_with(at, 1_000, |n| format!("assets/{n:04}"), b"x");
            let mut bytes = fs::read(&file).unwrap();
            for n in 0..1_000 {
                let name = format!("assets/{n:04}");
                let found = positions(&bytes, name.as_bytes());
                for at in found {
                    bytes[at..at + name.len()].copy_from_slice(b"assets/same");
                }
            }
            written(at, &bytes)
        }),
    ]
}

fn positions(bytes: &[u8], name: &[u8]) -> Vec<usize> {
    (0..bytes.len()).filter(|at| bytes[*at..].starts_with(name)).collect()
}

#[cfg(unix)]
fn links() -> Vec<Hostile> {
    fn pipe(path: &Path) {
        let made = std::process::Command::new("mkfifo").arg(path).status().unwrap();
        assert!(made.success());
    }
    let with = |at: &Path, add: fn(PathBuf)| {
        let root = Parts::mini().folder(at);
        add(root.clone());
        root
    };
    vec![
        hostile("a pipe in a folder", move |at| with(at, |root| pipe(&root.join("steps/pipe.md")))),
        hostile("a pipe in the place of the manifest", move |at| {
            with(at, |root| {
                fs::remove_file(root.join("bmad.json")).unwrap();
                pipe(&root.join("bmad.json"));
            })
        }),
        hostile("a pipe in the place of the package", |at| {
            pipe(&at.join("package.bmad"));
            at.join("package.bmad")
        }),
        hostile("a link to a file that never ends", move |at| {
            with(at, |root| {
                std::os::unix::fs::symlink("/dev/zero", root.join("assets.md")).unwrap();
            })
        }),
        hostile("a link to the folder itself", move |at| {
            with(at, |root| std::os::unix::fs::symlink(&root, root.join("again")).unwrap())
        }),
    ]
}
