//! Hostile and odd archives, built here byte by byte where no library would.

use super::*;
use kernel::bounds::{ArchiveLimits, PACKAGE_LIMITS};
use std::io::{Cursor, Write as _};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// One entry of a raw archive, with every field a test may want to falsify.
#[derive(Clone)]
struct RawEntry {
    name: Vec<u8>,
    data: Vec<u8>,
    flags: u16,
    method: u16,
    mode: u32,
    crc: Option<u32>,
    /// Sizes in the headers: unpacked.
    size: Option<u32>,
    /// Where the central directory says the local header is.
    offset: Option<u32>,
}

fn entry(name: impl AsRef<[u8]>, data: &[u8]) -> RawEntry {
    RawEntry {
        name: name.as_ref().to_vec(),
        data: data.to_vec(),
        flags: 0x0800,
        method: 0,
        mode: 0o100_644,
        crc: None,
        size: None,
        offset: None,
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |crc, byte| {
        (0..8)
            .fold(crc ^ u32::from(*byte), |c, _| (c >> 1) ^ (0xedb8_8320 & (c & 1).wrapping_neg()))
    })
}

impl RawEntry {
    /// The fields both headers share.
    fn common(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for field in [20_u16, self.flags, self.method, 0, 0x21] {
            out.extend(field.to_le_bytes());
        }
        let packed = u32::try_from(self.data.len()).unwrap();
        out.extend(self.crc.unwrap_or_else(|| crc32(&self.data)).to_le_bytes());
        out.extend(packed.to_le_bytes());
        out.extend(self.size.unwrap_or(packed).to_le_bytes());
        out.extend(u16::try_from(self.name.len()).unwrap().to_le_bytes());
        out.extend(0_u16.to_le_bytes());
        out
    }
}

fn raw_zip(entries: &[RawEntry]) -> Vec<u8> {
    let (mut out, mut central) = (Vec::new(), Vec::new());
    for e in entries {
        let at = e.offset.unwrap_or_else(|| u32::try_from(out.len()).unwrap());
        out.extend(0x0403_4b50_u32.to_le_bytes());
        out.extend(e.common());
        out.extend(&e.name);
        out.extend(&e.data);
        central.extend(0x0201_4b50_u32.to_le_bytes());
        central.extend(0x0314_u16.to_le_bytes()); // made on Unix
        central.extend(e.common());
        central.extend([0; 6]); // comment, disk, internal attributes
        central.extend((e.mode << 16).to_le_bytes());
        central.extend(at.to_le_bytes());
        central.extend(&e.name);
    }
    let (count, start) = (u16::try_from(entries.len()).unwrap(), u32::try_from(out.len()).unwrap());
    let size = u32::try_from(central.len()).unwrap();
    out.extend(central);
    out.extend(0x0605_4b50_u32.to_le_bytes());
    out.extend([0; 4]);
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend(size.to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0; 2]);
    out
}

fn deflated(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, bytes) in files {
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn read(bytes: Vec<u8>, limits: &ArchiveLimits) -> Result<PackageBytes, Failure> {
    let (mut zip, found) =
        archive::survey(Cursor::new(bytes), "test.bmad", limits, &PackageReading::default())?;
    let each = found.files.files.iter().map(|(path, seen)| {
        let mut bytes = Vec::new();
        let entry = zip.by_index(found.index[path]).unwrap();
        again(entry, seen, &mut bytes).unwrap();
        (path.clone(), bytes)
    });
    Ok(each.collect())
}

fn names(files: &PackageBytes) -> Vec<&str> {
    files.keys().map(String::as_str).collect()
}

#[rstest]
#[case::absolute("/etc/passwd")]
#[case::climbs("../x.md")]
#[case::climbs_inside("steps/../../x.md")]
#[case::climbs_and_returns("steps/../x.md")]
#[case::climbs_at_end("steps/..")]
#[case::drive("C:/x.md")]
#[case::drive_relative("c:x.md")]
#[case::drive_backslash("C:\\x.md")]
#[case::unc("\\\\server\\share\\x.md")]
#[case::unc_slashes("//server/share/x.md")]
#[case::backslash("steps\\x.md")]
#[case::backslash_climbs("..\\x.md")]
#[case::nul("a\0.md")]
#[case::control("a\u{1b}[2J.md")]
#[case::newline("a\n.md")]
#[case::dot("./x.md")]
#[case::dot_inside("a/./x.md")]
#[case::double_slash("a//x.md")]
#[case::empty("")]
#[case::home("~/x.md")]
#[case::url("file://x.md")]
#[case::stream("a.md:hidden")]
#[case::device("NUL")]
#[case::device_with_extension("steps/con.md")]
#[case::device_folder("aux/x.md")]
#[case::device_number("COM1.txt")]
#[case::device_superscript("lpt¹.md")]
#[case::trailing_dot("x.md.")]
#[case::trailing_space("x.md ")]
#[case::folder_absolute("/x/")]
#[case::folder_climbs("../x/")]
#[case::folder_slashes("x//")]
fn a_name_that_could_land_elsewhere_is_refused(#[case] name: &str) {
    let failure = read(raw_zip(&[entry("bmad.json", b"{}"), entry(name, b"x")]), &PACKAGE_LIMITS);
    let failure = failure.unwrap_err();
    assert_eq!(failure.code, ErrorCode::ArchiveUnsafe, "{failure}");
    assert!(!failure.message.contains(['\0', '\u{1b}', '\n']), "{failure:?}");
    assert!(failure.details.unwrap()["reason"].is_string());
}

#[rstest]
#[case::same("a.md", "a.md")]
#[case::case("Steps.md", "steps.md")]
#[case::case_of_a_folder("Steps/a.md", "steps/b.md")]
#[case::composed("caf\u{e9}.md", "cafe\u{301}.md")]
#[case::sharp_s("stra\u{df}e.md", "STRASSE.md")]
#[case::file_and_folder("a", "a/b.md")]
#[case::folder_and_file("a/b.md", "A")]
fn two_names_that_are_one_on_some_disk_are_refused(#[case] one: &str, #[case] two: &str) {
    let failure =
        read(raw_zip(&[entry(one, b"1"), entry(two, b"2")]), &PACKAGE_LIMITS).unwrap_err();
    assert_eq!(failure.code, ErrorCode::ArchiveUnsafe, "{failure}");
}

#[rstest]
#[case::symlink(RawEntry { mode: 0o120_777, ..entry("a.md", b"/etc/passwd") })]
#[case::symlink_folder(RawEntry { mode: 0o120_777, ..entry("a/", b"") })]
#[case::fifo(RawEntry { mode: 0o010_644, ..entry("a.md", b"") })]
#[case::character_device(RawEntry { mode: 0o020_644, ..entry("a.md", b"") })]
#[case::block_device(RawEntry { mode: 0o060_644, ..entry("a.md", b"") })]
#[case::socket(RawEntry { mode: 0o140_644, ..entry("a.md", b"") })]
#[case::folder_named_as_file(RawEntry { mode: 0o040_755, ..entry("a.md", b"") })]
#[case::encrypted(RawEntry { flags: 0x0801, ..entry("a.md", b"123456789012x") })]
#[case::not_utf8(entry(b"caf\xe9.md", b"x"))]
fn what_is_no_plain_file_is_refused(#[case] bad: RawEntry) {
    let failure = read(raw_zip(&[entry("bmad.json", b"{}"), bad]), &PACKAGE_LIMITS).unwrap_err();
    assert_eq!(failure.code, ErrorCode::ArchiveUnsafe, "{failure}");
}

#[test]
fn entries_that_share_their_bytes_are_refused() {
    let twin = RawEntry { offset: Some(0), ..entry("b.md", b"x") };
    let failure = read(raw_zip(&[entry("a.md", b"x"), twin]), &PACKAGE_LIMITS).unwrap_err();
    assert!(
        matches!(failure.code, ErrorCode::ArchiveUnsafe | ErrorCode::ArchiveInvalid),
        "{failure}"
    );
}

#[rstest]
#[case::empty(Vec::new())]
#[case::text(b"hello, I am not a zip file".to_vec())]
#[case::cut({ let mut z = raw_zip(&[entry("a.md", b"x")]); z.truncate(z.len() - 30); z })]
#[case::wrong_checksum(raw_zip(&[RawEntry { crc: Some(1), ..entry("a.md", b"x") }]))]
#[case::unknown_method(raw_zip(&[RawEntry { method: 99, ..entry("a.md", b"x") }]))]
#[case::not_deflated(raw_zip(&[RawEntry { method: 8, ..entry("a.md", b"\xff\xff\xff\xff") }]))]
fn what_is_no_sound_archive_is_invalid(#[case] bytes: Vec<u8>) {
    let failure = read(bytes, &PACKAGE_LIMITS).unwrap_err();
    assert_eq!(failure.code, ErrorCode::ArchiveInvalid, "{failure}");
    assert!(failure.action.is_some());
}

#[rstest]
#[case::wrong_checksum(raw_zip(&[RawEntry { crc: Some(1), ..entry("a.md", b"x") }]))]
#[case::not_deflated(raw_zip(&[RawEntry { method: 8, ..entry("a.md", b"\xff\xff\xff\xff") }]))]
fn an_entry_whose_bytes_have_changed_is_said_to_be_damaged(#[case] bytes: Vec<u8>) {
    let failure = read(bytes, &PACKAGE_LIMITS).unwrap_err();
    let said = failure.to_string();
    assert!(said.contains("`a.md`") && said.contains("damaged"), "{said}");
}

const SMALL: ArchiveLimits = ArchiveLimits {
    entries: 7,
    total_bytes: 5000,
    entry_bytes: 3000,
    ratio: 10,
    ratio_from: 1000,
    total_ratio: 10,
    path_bytes: 40,
    depth: 3,
};

fn noise(len: usize) -> Vec<u8> {
    let mut state = 1_u32;
    std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    })
    .take(len)
    .collect()
}

#[rstest]
#[case::entries("entries", raw_zip(&["a", "b", "c", "d", "e", "f", "g", "h"].map(|n| entry(n, b""))))]
#[case::folders_of_names("entries", raw_zip(&["a/b/c/d", "e/f/g/h"].map(|n| entry(n, b""))))]
#[case::entry_bytes("entryBytes", deflated(&[("a.md", &noise(3001))]))]
#[case::total_bytes("totalBytes", deflated(&[("a", &noise(2500)), ("b", &noise(2501))]))]
#[case::ratio("ratio", deflated(&[("a.md", &[b'a'; 1500])]))]
#[case::depth("depth", raw_zip(&[entry("a/b/c/d/e", b"")]))]
#[case::path_bytes("pathBytes", raw_zip(&[entry("a".repeat(41), b"")]))]
fn every_limit_has_a_name_and_counts_what_is_read(#[case] limit: &str, #[case] bytes: Vec<u8>) {
    let failure = read(bytes, &SMALL).unwrap_err();
    assert_eq!(failure.code, ErrorCode::ArchiveLimit, "{failure}");
    assert_eq!(failure.details.unwrap()["limit"], limit, "{}", failure.message);
}

#[test]
fn a_header_that_lies_about_the_size_is_found_out() {
    let mut lie = deflated(&[("a.md", &noise(3500))]);
    // Both headers claim ten bytes; what counts is what comes out.
    let central = lie.windows(4).rposition(|w| w == [0x50, 0x4b, 1, 2]).unwrap();
    for at in [22, central + 24] {
        lie[at..at + 4].copy_from_slice(&10_u32.to_le_bytes());
    }
    assert_eq!(read(lie, &SMALL).unwrap_err().code, ErrorCode::ArchiveInvalid);
}

#[test]
fn exactly_at_the_limits_is_fine() {
    let files = [("a", noise(3000)), ("b", noise(1998)), ("c", vec![1]), ("d/e/f/g", vec![2])];
    let files: Vec<(&str, &[u8])> = files.iter().map(|(n, b)| (*n, b.as_slice())).collect();
    assert_eq!(read(deflated(&files), &SMALL).unwrap().len(), 4);
}

#[test]
fn thousands_of_files_deep_down_are_read_at_once() {
    let folder = "d/".repeat(PACKAGE_LIMITS.depth);
    let names: Vec<String> = (0..9_900).map(|n| format!("{folder}{n}.md")).collect();
    let mut entries = vec![entry("bmad.json", b"{}")];
    entries.extend(names.iter().map(|name| entry(name, b"")));
    assert_eq!(read(raw_zip(&entries), &PACKAGE_LIMITS).unwrap().len(), 9_901);
    let deeper = format!("{folder}d/a.md");
    let failure = read(raw_zip(&[entry("bmad.json", b"{}"), entry(&deeper, b"")]), &PACKAGE_LIMITS);
    assert_eq!(failure.unwrap_err().details.unwrap()["limit"], "depth");
}

#[test]
fn a_bomb_is_stopped_at_the_real_limits() {
    let failure =
        read(deflated(&[("a.md", &vec![0; 4 * 1024 * 1024])]), &PACKAGE_LIMITS).unwrap_err();
    assert_eq!(failure.details.unwrap()["limit"], "ratio");
}

#[rstest]
#[case::of_one_mebibyte_each(1024 * 1024, 20, "ratio")]
#[case::of_entries_too_small_to_look_at(64 * 1024, 1_500, "totalBytes")]
fn a_bomb_of_many_small_entries_is_stopped_too(
    #[case] bytes: usize,
    #[case] count: usize,
    #[case] limit: &str,
) {
    let (names, zeros): (Vec<String>, _) =
        ((0..count).map(|n| format!("{n}.md")).collect(), vec![0; bytes]);
    let entries: Vec<(&str, &[u8])> =
        names.iter().map(|name| (name.as_str(), &zeros[..])).collect();
    let failure = read(deflated(&entries), &PACKAGE_LIMITS).unwrap_err();
    assert_eq!(failure.details.unwrap()["limit"], limit);
}

#[test]
fn a_single_top_folder_with_the_manifest_is_stripped_and_litter_is_dropped() {
    let entries = [
        RawEntry { mode: 0o040_755, ..entry("pack/", b"") },
        entry("pack/bmad.json", b"{}"),
        entry("pack/steps/cafe\u{301}.md", b"x"),
        entry("__MACOSX/pack/._bmad.json", b"x"),
        entry("pack/.DS_Store", b"x"),
    ];
    let files = read(raw_zip(&entries), &PACKAGE_LIMITS).unwrap();
    assert_eq!(names(&files), ["bmad.json", "steps/caf\u{e9}.md"]);
}

#[test]
fn a_top_folder_stays_when_it_is_not_the_package() {
    for other in ["readme.md", "b/bmad.json"] {
        let files =
            read(raw_zip(&[entry("a/bmad.json", b"{}"), entry(other, b"x")]), &PACKAGE_LIMITS)
                .unwrap();
        assert_eq!(names(&files), ["a/bmad.json", other]);
    }
    let files = read(raw_zip(&[entry("a/workflow.yaml", b"x")]), &PACKAGE_LIMITS).unwrap();
    assert_eq!(names(&files), ["a/workflow.yaml"]);
}

#[test]
fn the_same_content_has_the_same_id_however_it_was_zipped() {
    let files: Vec<(String, Vec<u8>)> = hello().into_iter().collect();
    let plain: Vec<RawEntry> = files.iter().map(|(n, b)| entry(n, b)).collect();
    let nested: Vec<RawEntry> =
        files.iter().rev().map(|(n, b)| entry(format!("x/{n}"), b)).collect();
    let packed: Vec<(&str, &[u8])> =
        files.iter().map(|(n, b)| (n.as_str(), b.as_slice())).collect();
    let id_of = |files| Inspected::new(files).unwrap().usable().unwrap().id.clone();
    let id = |bytes| id_of(read(bytes, &PACKAGE_LIMITS).unwrap());
    let expected = id_of(hello());
    assert_eq!(id(raw_zip(&plain)), expected);
    assert_eq!(id(raw_zip(&nested)), expected);
    assert_eq!(id(deflated(&packed)), expected);
}

#[test]
fn a_corrupt_archive_leaves_no_trace_in_the_store() {
    let folders = folders(&hello());
    let file = folders.folder.with_extension("bmad");
    let mut bytes = deflated(&[("bmad.json", &hello()["bmad.json"])]);
    let middle = bytes.len() / 3;
    bytes[middle] ^= 0xff;
    fs::write(&file, bytes).unwrap();
    let failure = inspect(&file).unwrap_err();
    assert_eq!(failure.code, ErrorCode::ArchiveInvalid, "{failure}");
    assert!(!folders.store.exists());
}

/// A reader that counts what is read of it.
struct Counting<'a>(Cursor<Vec<u8>>, &'a std::cell::Cell<usize>);

impl std::io::Read for Counting<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let read = self.0.read(into)?;
        self.1.set(self.1.get() + read);
        Ok(read)
    }
}

impl std::io::Seek for Counting<'_> {
    fn seek(&mut self, to: std::io::SeekFrom) -> std::io::Result<u64> {
        self.0.seek(to)
    }
}

/// The record of a long archive before the plain one at the end: it declares so many entries.
fn declared_long(mut bytes: Vec<u8>, entries: u64) -> Vec<u8> {
    let end = bytes.split_off(bytes.len() - 22);
    let record_at = bytes.len() as u64;
    let (size, start) = (&end[12..16], &end[16..20]);
    let wide = |four: &[u8]| u64::from(u32::from_le_bytes(four.try_into().unwrap()));
    bytes.extend(0x0606_4b50_u32.to_le_bytes());
    bytes.extend(44_u64.to_le_bytes());
    bytes.extend([45, 0, 45, 0]);
    bytes.extend([0; 8]);
    for number in [entries, entries, wide(size), wide(start)] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(0x0706_4b50_u32.to_le_bytes());
    bytes.extend([0; 4]);
    bytes.extend(record_at.to_le_bytes());
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend(&end[..8]);
    bytes.extend([0xff; 4]);
    bytes.extend(&end[12..]);
    bytes
}

#[test]
fn a_list_of_more_entries_than_are_allowed_is_not_read_to_its_end() {
    let entries: Vec<RawEntry> = (0..60_000).map(|n| entry(format!("{n:0100}"), b"")).collect();
    let listed = raw_zip(&entries);
    let declared = declared_long(raw_zip(&entries[..2]), 1_200_000);
    for (bytes, most) in [(listed, 6_000_000), (declared, 100_000)] {
        let read = std::cell::Cell::new(0);
        let counting = Counting(Cursor::new(bytes), &read);
        let refusal = archive::survey(counting, "x", &PACKAGE_LIMITS, &PackageReading::default())
            .err()
            .unwrap();
        let failure = Failure::from(refusal);
        assert_eq!(failure.code, ErrorCode::ArchiveLimit, "{failure}");
        assert_eq!(failure.details.unwrap()["limit"], "entries");
        assert!(read.get() <= most, "{} bytes were read", read.get());
    }
}

#[test]
fn a_long_record_that_the_plain_one_does_not_need_is_no_reason_to_refuse() {
    let mut bytes = declared_long(raw_zip(&[entry("bmad.json", b"{}")]), 1);
    let counts = bytes.len() - 14;
    bytes[counts..counts + 4].copy_from_slice(&[1, 0, 1, 0]);
    assert_eq!(names(&read(bytes, &PACKAGE_LIMITS).unwrap()), ["bmad.json"]);
}

#[test]
fn a_reading_is_told_and_stopped_and_leaves_nothing() {
    let at = folders(&hello());
    let file = at.folder.with_extension("bmad");
    pack(&at.folder, &file, false).unwrap();
    for source in [&at.folder, &file] {
        let reading = PackageReading::default();
        assert_eq!((reading.progress().done, reading.progress().of), (0, None));
        let inspected = inspect_while(source, &reading).unwrap();
        let read = reading.progress();
        assert_eq!((read.done, read.is_installing), (inspected.report.file_count, false));
        // Stopped before the install, it is not begun.
        reading.stop();
        let packages = &at.store;
        let lock = PackagesLock::wait(packages).unwrap();
        let stopped = lock.install(&inspected).unwrap_err();
        assert_eq!(stopped.code, ErrorCode::PackageReadingStopped);
        assert_eq!(fs::read_dir(packages).unwrap().count(), 0, "nothing is left of it");
        drop(lock);
        let again = inspect_while(source, &reading).unwrap_err();
        assert_eq!(again.code, ErrorCode::PackageReadingStopped);
        let lock = PackagesLock::wait(packages).unwrap();
        let installed = lock.install(&inspect(source).unwrap()).unwrap();
        lock.remove(&installed).unwrap();
    }
}

#[test]
fn an_install_that_is_stopped_on_the_way_leaves_nothing() {
    const NOTES: usize = 800;
    let at = folders(&hello());
    fs::create_dir_all(at.folder.join("assets/notes")).unwrap();
    for n in 0..NOTES {
        fs::write(at.folder.join(format!("assets/notes/{n}.md")), "A note.\n").unwrap();
    }
    let reading = PackageReading::default();
    let inspected = inspect_while(&at.folder, &reading).unwrap();
    let stops = reading.clone();
    let stopping = std::thread::spawn(move || {
        while !stops.progress().is_installing || stops.progress().done < 3 {
            std::thread::yield_now();
        }
        stops.stop();
    });
    let lock = PackagesLock::wait(&at.store).unwrap();
    let stopped = lock.install(&inspected).unwrap_err();
    stopping.join().unwrap();
    assert_eq!(stopped.code, ErrorCode::PackageReadingStopped);
    let done = reading.progress().done as usize;
    assert!((3..NOTES).contains(&done), "{done} files were begun");
    assert_eq!(fs::read_dir(&at.store).unwrap().count(), 0, "nothing is left of it");
}
