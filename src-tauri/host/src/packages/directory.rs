//! The list of an archive's entries, bounded before it is read: the library keeps some hundred
//! bytes for each entry that is declared, and takes the number from the file.

use kernel::bounds::{ARCHIVE_END_BYTES, ARCHIVE_ENTRY_BYTES};
use std::cell::Cell;
use std::io::{self, Read, Seek, SeekFrom};
use std::rc::Rc;

use zip::ZipArchive;
use zip::result::ZipResult;

/// The record at an archive's end, its fixed part, and the mark of the one that a long archive has
/// before it.
const END: &[u8] = b"PK\x05\x06";
const END_BYTES: usize = 22;
const LONG_END: &[u8] = b"PK\x06\x07";
const LONG_END_BYTES: usize = 20;

/// Opens an archive whose list has room for `entries`; `None` when it is longer.
pub(super) fn open<R: Read + Seek>(
    mut reader: R,
    entries: usize,
) -> ZipResult<Option<ZipArchive<Metered<R>>>> {
    if is_long(&mut reader)? {
        return Ok(None);
    }
    let left = Rc::new(Cell::new(entries as u64 * ARCHIVE_ENTRY_BYTES + ARCHIVE_END_BYTES));
    let opened = ZipArchive::new(Metered { reader, left: Rc::clone(&left) });
    if left.replace(u64::MAX) == 0 && opened.is_err() {
        return Ok(None);
    }
    Ok(Some(opened?).filter(|archive| archive.len() <= entries))
}

/// Whether an archive says that its list or itself is too long for the plain record at its end,
/// which has room for 65,534 entries.
fn is_long(reader: &mut (impl Read + Seek)) -> io::Result<bool> {
    let length = reader.seek(SeekFrom::End(0))?;
    let longest = END_BYTES + LONG_END_BYTES + usize::from(u16::MAX);
    reader.seek(SeekFrom::Start(length.saturating_sub(longest as u64)))?;
    let mut tail = Vec::new();
    (&mut *reader).take(longest as u64).read_to_end(&mut tail)?;
    reader.rewind()?;
    let says_so = |at: usize| {
        let before = at.checked_sub(LONG_END_BYTES);
        let numbers = tail.get(at + 8..at + 20);
        before.is_some_and(|at| tail[at..].starts_with(LONG_END))
            && numbers.is_some_and(|n| {
                n.chunks(2).take(2).any(|count| count == [0xff; 2])
                    || n[4..].chunks(4).any(|size| size == [0xff; 4])
            })
    };
    Ok((0..tail.len()).any(|at| tail[at..].starts_with(END) && says_so(at)))
}

/// A reader that gives no more than what is left.
pub(crate) struct Metered<R> {
    reader: R,
    left: Rc<Cell<u64>>,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let left = self.left.get();
        if left == 0 {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let read = self.reader.read(into)?;
        if left != u64::MAX {
            self.left.set(left.saturating_sub(read as u64));
        }
        Ok(read)
    }
}

impl<R: Seek> Seek for Metered<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.reader.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use std::io::Cursor;

    /// The record at the end, with these counts of entries, this size and start of the list, and a
    /// comment of so many bytes.
    fn end(counts: [u16; 2], sizes: [u32; 2], comment: usize) -> Vec<u8> {
        let length = u16::try_from(comment).unwrap().to_le_bytes();
        let counts = counts.map(u16::to_le_bytes).concat();
        let sizes = sizes.map(u32::to_le_bytes).concat();
        [END, &[0; 4], &counts, &sizes, &length, &vec![b'c'; comment]].concat()
    }

    /// The record that a long archive has before it.
    fn long_end() -> Vec<u8> {
        [LONG_END, &[0; 16]].concat()
    }

    #[rstest]
    #[case::plain(vec![], end([3, 3], [9, 9], 0), false)]
    #[case::full_without_the_mark(vec![], end([u16::MAX; 2], [u32::MAX; 2], 0), false)]
    #[case::marked_and_not_full(long_end(), end([3, 3], [9, 9], 0), false)]
    #[case::of_many_entries(long_end(), end([u16::MAX, 3], [9, 9], 0), true)]
    #[case::of_many_entries_in_all(long_end(), end([3, u16::MAX], [9, 9], 0), true)]
    #[case::with_a_large_list(long_end(), end([3, 3], [u32::MAX, 9], 0), true)]
    #[case::with_a_list_far_behind(long_end(), end([3, 3], [9, u32::MAX], 0), true)]
    #[case::with_the_longest_comment(long_end(), end([3, 3], [9, u32::MAX], 65_535), true)]
    #[case::half_full(long_end(), end([0x00ff, 0xff00], [0xffff, 0xffff_0000], 0), false)]
    fn an_archive_says_at_its_end_that_it_is_long(
        #[case] before: Vec<u8>,
        #[case] end: Vec<u8>,
        #[case] long: bool,
    ) {
        for padding in [0, 7, 100_000] {
            let bytes = [vec![0; padding], before.clone(), end.clone()].concat();
            assert_eq!(is_long(&mut Cursor::new(bytes)).unwrap(), long, "behind {padding} bytes");
        }
    }

    #[test]
    fn a_reader_gives_what_is_left_and_then_nothing() {
        let left = Rc::new(Cell::new(4));
        let mut metered = Metered { reader: Cursor::new([1; 8]), left: Rc::clone(&left) };
        let mut into = [0; 3];
        assert_eq!(metered.read(&mut into).unwrap(), 3);
        assert_eq!(left.get(), 1);
        assert_eq!(metered.read(&mut into).unwrap(), 3, "the last bytes may be a few more");
        let full = metered.read(&mut into).unwrap_err();
        assert_eq!(full.kind(), io::ErrorKind::FileTooLarge);
        left.set(u64::MAX);
        assert_eq!(metered.read(&mut into).unwrap(), 2);
        assert_eq!(left.get(), u64::MAX, "it is metered no more");
    }
}
