//! Where results are written to: whole, or not at all. What is written lies beside its destination until
//! the disk has it; then it takes the destination's name at once.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sfc_bench::Problem;
use tempfile::{NamedTempFile, TempDir};

use crate::file_digest;
use crate::format::BoxError;

/// What could not be written, and why.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {path}: {error}")]
pub struct WriteError {
    path: String,
    error: io::Error,
}

impl WriteError {
    /// A stable code.
    pub const CODE: &'static str = "output.unwritten";

    pub fn new(path: &Path, error: io::Error) -> Self {
        Self { path: path.display().to_string(), error }
    }
}

/// A file's bytes under its name in a folder.
pub type NamedBytes<'a> = (&'a str, &'a [u8]);

/// What stands where a file is to be written.
pub enum TargetKind {
    /// Nothing.
    Vacant,
    /// A file.
    File,
    /// A device, a pipe or what a shell opened: it is written to, and nothing of it can be lost.
    Stream,
}

/// Whether a path names what a shell opened, to be written into: also a file, whose owner knows of it.
fn is_shell_stream(path: &Path) -> bool {
    let named = ["/dev/stdin", "/dev/stdout", "/dev/stderr"].iter().any(|name| path == *name);
    let descriptor = path.starts_with("/proc") && path.iter().any(|part| part == "fd");
    named || descriptor || path.starts_with("/dev/fd")
}

/// Refuses to write over a file that this program did not write, or that somebody changed since, unless it is forced to.
pub fn check_overwrite(path: Option<&Path>, force: bool) -> Result<(), BoxError> {
    let Some(path) = path.filter(|_| !force) else { return Ok(()) };
    let failed = |error| WriteError::new(path, error);
    if !matches!(inspect_target(path).map_err(failed)?, TargetKind::File) {
        return Ok(());
    }
    let file = File::open(path).map_err(failed)?;
    let vacant = file.metadata().map_err(failed)?.len() == 0;
    if vacant || file_digest::has_matching_digest(&file).map_err(failed)? {
        return Ok(());
    }
    let value = format!("{:?}, which holds something else", path.display().to_string());
    let allowed = "a new file, one that this program wrote and nobody changed, or --force to write over it";
    Err(Problem::new("out", value, allowed).into())
}

/// Looks at what stands where a file is to be written.
pub fn inspect_target(path: &Path) -> io::Result<TargetKind> {
    if is_shell_stream(path) {
        return Ok(TargetKind::Stream);
    }
    let found = match fs::metadata(path) {
        Ok(found) => found.file_type(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if path.is_symlink() {
                return Err(io::Error::new(error.kind(), "it is a link to what is not there"));
            }
            return Ok(TargetKind::Vacant);
        }
        Err(error) => return Err(error),
    };
    if found.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !found.is_file() {
        return Ok(TargetKind::Stream);
    }
    Ok(TargetKind::File)
}

/// Writes a file: what stood there is whole until the new one is.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let failed = |error| WriteError::new(path, error);
    match inspect_target(path).map_err(failed)? {
        TargetKind::Stream => {
            // Behind what a file that a shell opened has already.
            let mut stream = OpenOptions::new().append(true).open(path).map_err(failed)?;
            stream.write_all(bytes).map_err(failed)
        }
        TargetKind::Vacant => replace_file(path, bytes, None).map_err(failed),
        TargetKind::File => {
            // A link stays, and the file that it leads to is another.
            let place = fs::canonicalize(path).map_err(failed)?;
            let permissions = fs::metadata(&place).map_err(failed)?.permissions();
            replace_file(&place, bytes, Some(permissions)).map_err(failed)
        }
    }
}

fn replace_file(path: &Path, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
    let (folder, prefix) = folder_and_prefix(path)?;
    remove_leftovers(&folder, &prefix);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix);
    #[cfg(unix)]
    {
        // As of any new file, of which the user's mask takes off.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(Permissions::from_mode(0o666));
    }
    let mut staged: NamedTempFile = builder.tempfile_in(&folder)?;
    // As long as somebody holds it, it is no remnant.
    let _ = staged.as_file().try_lock();
    staged.write_all(bytes)?;
    file_digest::store_digest(staged.as_file(), bytes);
    if let Some(permissions) = permissions {
        staged.as_file().set_permissions(permissions)?;
    }
    staged.as_file().sync_all()?;
    staged.persist(path).map_err(|error| error.error)?;
    sync_folder(&folder);
    Ok(())
}

/// The folder that a path is in, and how what is written beside it is called.
fn folder_and_prefix(path: &Path) -> io::Result<(PathBuf, OsString)> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let mut prefix = OsString::from(".");
    prefix.push(name);
    prefix.push(".sfc-bench-");
    Ok((folder, prefix))
}

/// Removes what runs that were killed left beside a file or folder: nobody holds it any more.
fn remove_leftovers(folder: &Path, prefix: &OsString) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let prefix = prefix.as_encoded_bytes();
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        let path = entry.path();
        let name = entry.file_name();
        let rest = name.as_encoded_bytes().strip_prefix(prefix);
        // As tempfile draws them: a name that somebody chose is another.
        let drawn = |rest: &[u8]| rest.len() == 6 && rest.iter().all(u8::is_ascii_alphanumeric);
        if !rest.is_some_and(drawn)
            || !(kind.is_file() || kind.is_dir())
            || !File::open(&path).is_ok_and(|file| file.try_lock().is_ok())
        {
            continue;
        }
        let _ = if kind.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }
}

/// Has a folder's list of names on the disk, where folders can be asked for it.
fn sync_folder(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// Writes a folder of files: what stood there is whole until all of the new ones are on the disk.
///
/// A folder with nothing but files of these names is another one from one moment to the next. In one that
/// holds other files too, or that somebody stands in, each file is; the first of `files` goes first and
/// comes last, so that no mixture passes for a whole.
pub fn write_files(path: &Path, files: &[NamedBytes], names: &[&str]) -> Result<(), WriteError> {
    replace_folder(path, files, names).map_err(|error| WriteError::new(path, error))
}

fn replace_folder(path: &Path, files: &[NamedBytes], names: &[&str]) -> io::Result<()> {
    let exists = path.exists();
    if !exists && path.is_symlink() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "it is a link to what is not there"));
    }
    if let (false, Some(parent)) = (exists, path.parent()) {
        fs::create_dir_all(parent)?;
    }
    let place = if exists { fs::canonicalize(path)? } else { path.to_owned() };
    let (parent, prefix) = folder_and_prefix(&place)?;
    let whole = !exists || is_replaceable(&place, &parent, names)?;
    let within = if whole { &parent } else { &place };
    remove_leftovers(within, &prefix);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(Permissions::from_mode(0o777));
    }
    let staged: TempDir = builder.tempdir_in(within)?;
    // As long as somebody holds it, it is no remnant.
    let held = File::open(staged.path());
    let _ = held.as_ref().map(File::try_lock);
    for (name, bytes) in files {
        let mut file = File::create_new(staged.path().join(name))?;
        file.write_all(bytes)?;
        file.sync_all()?;
    }
    sync_folder(staged.path());
    if !exists {
        fs::rename(staged.path(), &place)?;
        let _ = staged.keep();
    } else if whole {
        fs::set_permissions(staged.path(), fs::metadata(&place)?.permissions())?;
        // Dropped, it takes the older files with it, which have its name now.
        exchange_folders(staged.path(), &place)?;
    } else if let Some(((first, _), others)) = files.split_first() {
        // What is left of older files under names that are not written now would pass for the new one's.
        let stale = |name: &&&str| *name == first || files.iter().all(|file| file.0 != **name);
        for name in names.iter().filter(stale) {
            match fs::remove_file(place.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        for name in others.iter().map(|(name, _)| name).chain([first]) {
            fs::rename(staged.path().join(name), place.join(name))?;
        }
        sync_folder(&place);
    }
    sync_folder(&parent);
    Ok(())
}

/// Whether a folder holds nothing but files of these names, on the disk of the folder around it, and this
/// program's own is not in it: it could be another one without anybody's loss.
fn is_replaceable(folder: &Path, around: &Path, names: &[&str]) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if fs::metadata(folder)?.dev() != fs::metadata(around)?.dev() {
            return Ok(false);
        }
    }

    let here = std::env::current_dir().and_then(fs::canonicalize);
    if here.is_ok_and(|here| here.starts_with(folder)) {
        return Ok(false);
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let known = names.iter().any(|name| entry.file_name() == *name);
        if !(known && entry.file_type()?.is_file()) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Has two folders change their names.
fn exchange_folders(new: &Path, old: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        if renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE).is_ok() {
            return Ok(());
        }
    }
    // Not every file system can: for a moment there is none of that name.
    let aside = new.with_extension("older");
    fs::rename(old, &aside)?;
    if let Err(error) = fs::rename(new, old) {
        fs::rename(&aside, old)?;
        return Err(error);
    }
    fs::rename(&aside, new)
}
