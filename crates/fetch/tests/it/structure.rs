//! What the source itself must look like for the gate to be the only way out.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn connections_are_opened_in_one_place_of_all_crates() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    for entry in fs::read_dir(crates).unwrap().flatten() {
        sources(&entry.path().join("src"), &mut files);
    }
    assert!(files.len() > 20, "the scan must see the workspace");
    let mut places = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let count: usize = code
            .map(|line| {
                ["TcpStream::connect", "TcpSocket::", "UdpSocket::", "UnixStream::connect"]
                    .iter()
                    .map(|opening| line.matches(opening).count())
                    .sum::<usize>()
            })
            .sum();
        if count > 0 {
            places.push((file.strip_prefix(crates).unwrap().to_owned(), count));
        }
    }
    assert_eq!(places, [(PathBuf::from("fetch/src/gate/connect.rs"), 1)]);
}
