//! Data holds what its owner reads, and hashes of secrets: nobody else on the machine may look.

use std::path::Path;

/// Makes a folder that only its owner can enter. One that is there already keeps its permissions.
pub(crate) fn create_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Leaves a file to its owner. Best effort: some file systems have no permissions.
pub(crate) fn restrict(file: &Path) {
    #[cfg(unix)]
    {
        let owner_only = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        let _ = std::fs::set_permissions(file, owner_only);
    }
}
