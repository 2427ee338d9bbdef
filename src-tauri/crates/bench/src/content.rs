//! Portal items with files of mixed sizes and types, the same in every run.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use rusqlite::{Connection, params};

use crate::site::Site;

/// Amount of content of a portal.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub(crate) mebibytes: u64,
    pub(crate) files: u64,
}

/// Sizes, each four times the one before, so that a cost that does not grow linearly is visible.
pub(crate) const SIZES: [Size; 3] = [
    Size { mebibytes: 64, files: 1_250 },
    Size { mebibytes: 256, files: 5_000 },
    Size { mebibytes: 1_024, files: 20_000 },
];

/// Files in the folder of one item.
const FILES_PER_ITEM: u64 = 4;

impl Size {
    pub(crate) fn name(self) -> String {
        format!("{} MiB in {} files", self.mebibytes, self.files)
    }
}

/// Replaces the items of a site.
pub(crate) fn fill(site: &Site, size: Size) -> Result<()> {
    let content = site.content()?;
    fs::remove_dir_all(&content).and_then(|()| fs::create_dir(&content))?;
    let mut portal = Connection::open(site.data().join("portal/portal.db"))?;
    let tx = portal.transaction()?;
    tx.execute_batch("DELETE FROM group_items; DELETE FROM items;")?;
    let owner: String = tx.query_row("SELECT username FROM users LIMIT 1", [], |row| row.get(0))?;
    let mut chance = Chance(0x5EED);
    let mut add = tx.prepare(
        "INSERT INTO items (id, owner, title, type, access, file, size, created, modified)
         VALUES (?1, ?2, ?3, 'Feature Collection', 'org', 'file-0.json', ?4, 0, 0)",
    )?;
    let weights: Vec<u64> = (0..size.files).map(|_| chance.weight()).collect();
    let total: u64 = weights.iter().sum();
    for (number, weights) in (0u64..).zip(weights.chunks(usize::try_from(FILES_PER_ITEM)?)) {
        let id = format!("{number:032x}");
        let folder = content.join(&id);
        fs::create_dir(&folder)?;
        let mut bytes = 0;
        for (place, weight) in weights.iter().enumerate() {
            let length = (size.mebibytes << 20) * weight / total;
            write_file(&folder, place, usize::try_from(length)?, &mut chance)?;
            bytes += length;
        }
        add.execute(params![id, owner, format!("Item {number}"), i64::try_from(bytes)?])?;
    }
    drop(add);
    tx.commit()?;
    Ok(())
}

/// Writes one file: a document, or for every second one a picture, which cannot be compressed.
fn write_file(folder: &Path, place: usize, length: usize, chance: &mut Chance) -> Result<()> {
    let (name, bytes) = if place.is_multiple_of(2) {
        (format!("file-{place}.json"), document(length, chance))
    } else {
        (format!("file-{place}.jpg"), picture(length, chance))
    };
    let file = folder.join(name);
    fs::write(&file, bytes).with_context(|| format!("cannot write {}", file.display()))
}

fn document(length: usize, chance: &mut Chance) -> Vec<u8> {
    let mut text = String::with_capacity(length + 200);
    while text.len() < length {
        let number = chance.next();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            r#"{{"type":"Feature","geometry":{{"type":"Point","coordinates":[{}.{:06},{}.{:06}]}},"properties":{{"name":"Street tree {}","height":{}}}}}"#,
            number % 180,
            (number >> 8) % 1_000_000,
            (number >> 28) % 90,
            (number >> 35) % 1_000_000,
            (number >> 44) % 100_000,
            number >> 59,
        );
    }
    text.truncate(length);
    text.into_bytes()
}

fn picture(length: usize, chance: &mut Chance) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(length + 8);
    while bytes.len() < length {
        bytes.extend_from_slice(&chance.next().to_le_bytes());
    }
    bytes.truncate(length);
    bytes
}

/// Pseudorandom numbers, the same in every run.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        // The low bits of the raw state are too regular.
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Returns the relative size of a file: many are small, some of medium size, few large.
    fn weight(&mut self) -> u64 {
        match self.next() % 20 {
            0 => 600 + self.next() % 800,
            1..=5 => 60 + self.next() % 120,
            _ => 2 + self.next() % 22,
        }
    }
}
