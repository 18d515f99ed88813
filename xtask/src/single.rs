//! The whole page as one file, which opens from disk, offline, in a frame without an origin.
//!
//! `xtask/single/bundle.mjs` joins the modules, the worker and the core into one script (by esbuild,
//! from npm); here it is put into `index.html`, with the styles, under a policy that names each of
//! its scripts by its hash and lets nothing be fetched from anywhere.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha2::{Digest as _, Sha256};

use crate::process::program;
use crate::setup;

/// The file's name, beside `index.html`.
pub const NAME: &str = "sfc-bench.html";

/// What lies between these is for the page of several files only.
const SITE_ONLY: [&str; 2] = ["<!-- site only -->", "<!-- /site only -->"];

/// Where `index.html` tells how large the file is.
const SIZE: &str = "<!-- size of sfc-bench.html -->";

/// Writes the file's size, in megabytes, where the page tells of it.
pub fn tell_size(index: &str, bytes: usize) -> Result<String> {
    ensure!(index.matches(SIZE).count() == 1, "index.html should have one {SIZE}");
    let tenths = (bytes + 50_000) / 100_000;
    Ok(index.replacen(SIZE, &format!("{}.{} MB", tenths / 10, tenths % 10), 1))
}

/// Makes the file's text of a built page in the folder `page`.
pub fn make(page: &Path) -> Result<String> {
    setup::npm_packages()?;
    let read = |name: &str| {
        fs::read_to_string(page.join(name)).with_context(|| format!("cannot read {name}"))
    };
    let parts = Parts {
        theme: read("www/shell/theme-early.js")?,
        styles: read("www/shell/styles.css")?,
        noscript: read("www/shell/noscript.css")?,
        icon: read("www/shell/icons/favicon.svg")?,
        script: bundle(page)?,
    };
    assemble(&read("index.html")?, &parts)
}

/// All modules of the page in one script.
fn bundle(page: &Path) -> Result<String> {
    let output = program("node")
        .arg("xtask/single/bundle.mjs")
        .arg(page)
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start node")?;
    ensure!(output.status.success(), "the page's modules could not be joined ({})", output.status);
    String::from_utf8(output.stdout).context("the joined modules are not UTF-8")
}

/// What the page's other files hold.
struct Parts {
    theme: String,
    styles: String,
    noscript: String,
    icon: String,
    script: String,
}

/// Puts the parts in the places where `index.html` names their files.
fn assemble(index: &str, parts: &Parts) -> Result<String> {
    for text in [&parts.theme, &parts.script] {
        ensure!(
            !text.contains("</script") && !text.contains("<!--"),
            "a script has a text in it that would end it too early"
        );
    }
    for text in [&parts.styles, &parts.noscript] {
        ensure!(!text.contains("</style"), "a style sheet has a text in it that would end it");
        ensure!(!text.contains("url("), "a style sheet names a file, which would not be found");
    }

    let mut html = without_site_only(index)?
        .lines()
        .filter(|line| !line.contains("rel=\"preload\"") && !line.contains("rel=\"modulepreload\""))
        .flat_map(|line| [line, "\n"])
        .collect::<String>();
    let policy = between(&html, "http-equiv=\"Content-Security-Policy\" content=\"", "\"")?;
    for (tag, replacement) in [
        (policy, content_policy(parts)),
        (
            "<script src=\"www/shell/theme-early.js\"></script>",
            format!("<script>{}</script>", parts.theme),
        ),
        (
            "<noscript><link rel=\"stylesheet\" href=\"www/shell/noscript.css\"></noscript>",
            format!("<noscript><style>{}</style></noscript>", parts.noscript),
        ),
        (
            "<link rel=\"stylesheet\" href=\"www/shell/styles.css\">",
            format!("<style>{}</style>", parts.styles),
        ),
        (
            "\"www/shell/icons/favicon.svg\"",
            format!("\"data:image/svg+xml;base64,{}\"", BASE64.encode(&parts.icon)),
        ),
        ("<script type=\"module\" src=\"www/papers/sfc/main.js\"></script>", String::new()),
        ("</body>", format!("<script>{}</script>\n  </body>", parts.script)),
    ]
    .map(|(tag, replacement)| (tag.to_owned(), replacement))
    {
        ensure!(html.matches(&tag).count() == 1, "index.html should have one {tag}");
        html = html.replacen(&tag, &replacement, 1);
    }
    for attribute in ["src=\"www/", "href=\"www/", "src='www/", "href='www/"] {
        ensure!(
            !html.contains(attribute),
            "index.html names a file that the page in one file has no place for: …{}…",
            between(&html, attribute, ">").unwrap_or_default()
        );
    }
    Ok(html)
}

/// Nothing may be fetched, and no code may run but what is in the file as it was built.
fn content_policy(parts: &Parts) -> String {
    let hash = |text: &str| format!("'sha256-{}'", BASE64.encode(Sha256::digest(text)));
    format!(
        "default-src 'none'; script-src {} {} 'wasm-unsafe-eval'; style-src {} {}; \
         img-src data:; worker-src blob:; base-uri 'none'; form-action 'none'",
        hash(&parts.theme),
        hash(&parts.script),
        hash(&parts.styles),
        hash(&parts.noscript),
    )
}

fn without_site_only(index: &str) -> Result<String> {
    let [from, to] = SITE_ONLY;
    let mut rest = index;
    let mut kept = String::new();
    while let Some((before, after)) = rest.split_once(from) {
        kept.push_str(before);
        (_, rest) = after.split_once(to).with_context(|| format!("a {from} has no {to}"))?;
    }
    ensure!(!rest.contains(to), "a {to} has no {from}");
    kept.push_str(rest);
    Ok(kept)
}

fn between<'a>(text: &'a str, from: &str, to: &str) -> Result<&'a str> {
    let (_, after) = text.split_once(from).with_context(|| format!("index.html has no {from}"))?;
    let (found, _) = after.split_once(to).with_context(|| format!("{from} does not end"))?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INDEX: &str = include_str!("../../index.html");

    fn parts() -> Parts {
        let text = |text: &str| text.to_owned();
        Parts {
            theme: text("early()"),
            styles: text("p{}"),
            noscript: text("q{}"),
            icon: text("<svg/>"),
            script: text("\"$& $1\""),
        }
    }

    #[test]
    fn everything_is_in_the_file_and_named_by_its_hash() {
        let html = assemble(INDEX, &parts()).unwrap();
        for part in ["<script>early()</script>", "<script>\"$& $1\"</script>", "<style>p{}</style>"]
        {
            assert_eq!(html.matches(part).count(), 1, "{part}");
        }
        // By `printf 'p{}' | openssl dgst -sha256 -binary | base64`.
        assert!(
            html.contains("style-src 'sha256-gG2yISYereRMiG2lMXrbiUgi0Ubw9p7QCeWcroOvy9Y='"),
            "{html}"
        );
        assert!(!html.contains("connect-src") && !html.contains("'self'"));
        assert!(!html.contains("site only"));
    }

    #[test]
    fn what_would_break_the_file_is_refused() {
        let refused = |change: fn(&mut Parts)| {
            let mut parts = parts();
            change(&mut parts);
            assemble(INDEX, &parts).is_err()
        };
        assert!(!refused(|_| {}));
        assert!(refused(|parts| parts.script.push_str("'</script>'")));
        assert!(refused(|parts| parts.script.push_str("'<!--'")));
        assert!(refused(|parts| parts.styles.push_str("p{background:url(a.png)}")));
        let another = INDEX.replace("</body>", "<script src=\"www/more.js\"></script></body>");
        let error = assemble(&another, &parts()).unwrap_err().to_string();
        assert!(error.contains("more.js"), "{error}");
        assert!(assemble("<!-- site only -->", &parts()).is_err());
    }

    #[test]
    fn the_page_tells_the_size_of_the_file() {
        let told = tell_size(INDEX, 715_432).unwrap();
        assert!(told.contains("(0.7 MB)") && !told.contains(SIZE));
        assert!(tell_size("", 1).is_err());
    }
}
