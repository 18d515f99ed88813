//! Files of one folder, and of no other, whatever links lead out of it.

use std::future::Future;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::pin::Pin;

use tower_http::services::fs::{Backend, TokioBackend, TokioFile};

/// Opens what is in a folder. A path that leads elsewhere, by a link or otherwise, is as if it were not there;
/// so is what is neither a file nor a folder: a pipe, say, would be waited for.
#[derive(Clone)]
pub struct ConfinedBackend {
    /// Without links.
    folder: PathBuf,
}

type BoxFuture<T> = Pin<Box<dyn Future<Output = Result<T>> + Send>>;

impl ConfinedBackend {
    pub fn new(folder: &Path) -> Result<Self> {
        Ok(Self { folder: folder.canonicalize()? })
    }

    /// The path without links, where it is in the folder.
    async fn resolve(self, path: PathBuf) -> Result<PathBuf> {
        let path = tokio::fs::canonicalize(path).await?;
        let metadata = tokio::fs::symlink_metadata(&path).await?;
        if path.starts_with(&self.folder) && (metadata.is_file() || metadata.is_dir()) {
            Ok(path)
        } else {
            Err(Error::from(ErrorKind::NotFound))
        }
    }
}

impl Backend for ConfinedBackend {
    type File = TokioFile;
    type Metadata = std::fs::Metadata;
    type OpenFuture = BoxFuture<TokioFile>;
    type MetadataFuture = BoxFuture<std::fs::Metadata>;

    fn open(&self, path: PathBuf) -> Self::OpenFuture {
        let resolved = self.clone().resolve(path);
        Box::pin(async move { TokioBackend.open(resolved.await?).await })
    }

    fn metadata(&self, path: PathBuf) -> Self::MetadataFuture {
        let resolved = self.clone().resolve(path);
        Box::pin(async move { TokioBackend.metadata(resolved.await?).await })
    }
}
