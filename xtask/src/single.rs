//! The whole page as one file, which opens from disk, offline, in a frame without an origin.
//!
//! `xtask/single/bundle.mjs` joins the modules, the worker and the core into one script (by esbuild,
//! from npm); here it is put into `index.html`, with the styles and with the other pages as further views,
//! under a policy that names each of its scripts by its hash and lets nothing be fetched from anywhere.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha2::{Digest as _, Sha256};

use crate::notices;
use crate::pages;
use crate::process::command_at_root;
use crate::{root, setup};

/// The file's name, beside `index.html`.
pub const FILE_NAME: &str = "sfc-bench.html";

/// What lies between these is for the page of several files only.
const SITE_ONLY_MARKS: [&str; 2] = ["<!-- site only -->", "<!-- /site only -->"];

/// Pages that are no views beside the first: itself, and the one of pictures of others.
const NON_VIEW_PAGES: [&str; 2] = ["index.html", "gallery/index.html"];

/// The pages beside the first, which become views of it.
fn other_pages() -> impl Iterator<Item = &'static str> {
    pages::PAGES.into_iter().filter(|page| !NON_VIEW_PAGES.contains(page))
}

/// How links to the first of several pages begin, and what they are in one; those to others follow from their names.
const LINK_REWRITES: [(&str, &str); 3] =
    [("href=\"../#", "href=\"#"), ("href=\"../\"", "href=\"#paper/\""), ("href=\"./\"", "href=\"#paper/\"")];

/// Where a page tells how large the file is.
const SIZE_MARK: &str = "<!-- size of sfc-bench.html -->";

/// Writes the file's size, in megabytes, where a page tells of it.
pub fn insert_size(page: &str, bytes: usize) -> Result<String> {
    ensure!(page.matches(SIZE_MARK).count() == 1, "the page should have one {SIZE_MARK}");
    let tenths = (bytes + 50_000) / 100_000;
    Ok(page.replacen(SIZE_MARK, &format!("{}.{} MB", tenths / 10, tenths % 10), 1))
}

/// Makes the file's text of a built page in the folder `page`.
pub fn build_single_page(page: &Path) -> Result<String> {
    setup::install_npm_packages()?;
    let read = |name: &str| fs::read_to_string(page.join(name)).with_context(|| format!("cannot read {name}"));
    let parts = PageParts {
        theme: read("www/shell/theme-early.js")?,
        styles: read("www/shell/styles.css")? + &read("www/shell/later.css")? + &read("www/study/study.css")?,
        noscript: read("www/shell/noscript.css")?,
        icon: read("www/shell/icons/favicon.svg")?,
        script: bundle_script(page, "main.js")?,
    };
    let others = other_pages().map(read).collect::<Result<Vec<_>>>()?;
    append_notices(&assemble(&read("index.html")?, &others, &parts)?, &read(notices::FILE_NAME)?)
}

/// The file goes alone, so that it carries the licences of what it contains, after its end.
fn append_notices(html: &str, notices: &str) -> Result<String> {
    ensure!(!notices.contains("-->"), "{} has a text in it that would end it", notices::FILE_NAME);
    Ok(format!("{html}<!--\n{notices}-->\n"))
}

/// The element as one module for notebooks, of a built page in the folder `page`.
pub fn build_widget(page: &Path) -> Result<String> {
    setup::install_npm_packages()?;
    bundle_script(page, "widget.js")
}

/// All modules of the page that the entry leads to, in one script.
fn bundle_script(page: &Path, entry: &str) -> Result<String> {
    let output = command_at_root("node")
        .arg("xtask/single/bundle.mjs")
        .arg(page)
        .arg(entry)
        .current_dir(root())
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start node")?;
    ensure!(output.status.success(), "the page's modules could not be joined ({})", output.status);
    String::from_utf8(output.stdout).context("the joined modules are not UTF-8")
}

/// What the page's other files hold.
struct PageParts {
    theme: String,
    styles: String,
    noscript: String,
    icon: String,
    script: String,
}

/// Puts the parts in the places where `index.html` names their files.
fn assemble(index: &str, others: &[String], parts: &PageParts) -> Result<String> {
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

    let mut html = remove_site_only(&add_views(index, others)?)?
        .lines()
        .filter(|line| !line.contains("rel=\"preload\"") && !line.contains("rel=\"modulepreload\""))
        .flat_map(|line| [line, "\n"])
        .collect::<String>();
    let policy = text_between(&html, "http-equiv=\"Content-Security-Policy\" content=\"", "\"")?;
    for (tag, replacement) in [
        (policy, content_security_policy(parts)),
        ("<script src=\"www/shell/theme-early.js\"></script>", format!("<script>{}</script>", parts.theme)),
        (
            "<noscript><link rel=\"stylesheet\" href=\"www/shell/noscript.css\"></noscript>",
            format!("<noscript><style>{}</style></noscript>", parts.noscript),
        ),
        ("<link rel=\"stylesheet\" href=\"www/shell/styles.css\">", format!("<style>{}</style>", parts.styles)),
        ("\"www/shell/icons/favicon.svg\"", format!("\"data:image/svg+xml;base64,{}\"", BASE64.encode(&parts.icon))),
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
            text_between(&html, attribute, ">").unwrap_or_default()
        );
    }
    Ok(html)
}

/// The first page with the others as further views of it, which its script turns to.
fn add_views(index: &str, others: &[String]) -> Result<String> {
    let first = pages::parse_view(index)?;
    let mark = |content: &str, name: &str, title: &str, hidden: &str| {
        let from = format!("<div class=\"view\" data-view=\"{name}\"");
        ensure!(content.matches(&from).count() == 1, "the page {name} should have one {from}");
        let to = format!("{from} data-title=\"{title}\"{hidden}");
        Ok(content.replacen(&from, &to, 1))
    };
    let mut views = mark(first.content, first.name, first.title, "")?;
    for other in others {
        let view = pages::parse_view(other)?;
        views.push_str(&mark(view.content, view.name, view.title, " hidden")?);
    }
    let page = format!("<html lang=\"en\" data-page=\"{}\">", first.name);
    ensure!(index.contains(&page), "index.html should begin with {page}");
    let mut html = index.replacen(first.content, &views, 1).replacen(&page, "<html lang=\"en\" data-page=\"all\">", 1);
    for (from, to) in LINK_REWRITES {
        html = html.replace(from, to);
    }
    for folder in other_pages().filter_map(|page| page.strip_suffix("index.html")) {
        for from in ["", "../"].map(|lead| format!("href=\"{lead}{folder}")) {
            html = html.replace(&from, &format!("href=\"#{folder}"));
        }
    }
    Ok(html)
}

/// Nothing may be fetched, and no code may run but what is in the file as it was built.
fn content_security_policy(parts: &PageParts) -> String {
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

fn remove_site_only(index: &str) -> Result<String> {
    let [from, to] = SITE_ONLY_MARKS;
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

fn text_between<'a>(text: &'a str, from: &str, to: &str) -> Result<&'a str> {
    let (_, after) = text.split_once(from).with_context(|| format!("index.html has no {from}"))?;
    let (found, _) = after.split_once(to).with_context(|| format!("{from} does not end"))?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = include_str!("../../index.html");
    const METHOD: &str = include_str!("../../method/index.html");

    fn index() -> String {
        pages::fill_shell("index.html", PAGE, "1.2.3").unwrap()
    }

    fn others() -> Vec<String> {
        vec![pages::fill_shell("method/index.html", METHOD, "1.2.3").unwrap()]
    }

    fn parts() -> PageParts {
        let text = |text: &str| text.to_owned();
        PageParts {
            theme: text("early()"),
            styles: text("p{}"),
            noscript: text("q{}"),
            icon: text("<svg/>"),
            script: text("\"$& $1\""),
        }
    }

    #[test]
    fn everything_is_in_the_file_and_named_by_its_hash() {
        let html = assemble(&index(), &others(), &parts()).unwrap();
        for part in ["<script>early()</script>", "<script>\"$& $1\"</script>", "<style>p{}</style>"] {
            assert_eq!(html.matches(part).count(), 1, "{part}");
        }
        // By `printf 'p{}' | openssl dgst -sha256 -binary | base64`.
        assert!(html.contains("style-src 'sha256-gG2yISYereRMiG2lMXrbiUgi0Ubw9p7QCeWcroOvy9Y='"), "{html}");
        assert!(!html.contains("connect-src") && !html.contains("'self'"));
        assert!(!html.contains("site only"));
    }

    #[test]
    fn the_other_pages_are_views_that_links_lead_to() {
        let html = assemble(&index(), &others(), &parts()).unwrap();
        assert_eq!(html.matches("<main").count(), 1);
        assert!(html.contains("data-page=\"all\""));
        assert!(html.contains("data-view=\"method\" data-title=\"") && html.contains("\" hidden>"));
        assert!(html.contains("<a href=\"#method/\" data-page=\"method\">"), "the navigation");
        assert!(html.contains("<a href=\"#how\">"), "from one page to a place on another");
        assert!(!html.contains("href=\"../"), "no link leads out of the file");
        let ids: Vec<_> = html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let different: std::collections::BTreeSet<_> = ids.iter().collect();
        assert_eq!(different.len(), ids.len(), "{ids:?}");
    }

    #[test]
    fn the_licences_of_what_is_in_the_file_stand_after_it() {
        let html = append_notices("<html></html>\n", "Zlib\n----\n").unwrap();
        assert_eq!(html, "<html></html>\n<!--\nZlib\n----\n-->\n");
        assert!(append_notices("<html></html>\n", "an arrow -->\n").is_err());
    }

    #[test]
    fn what_would_break_the_file_is_refused() {
        let refused = |change: fn(&mut PageParts)| {
            let mut parts = parts();
            change(&mut parts);
            assemble(&index(), &others(), &parts).is_err()
        };
        assert!(!refused(|_| {}));
        assert!(refused(|parts| parts.script.push_str("'</script>'")));
        assert!(refused(|parts| parts.script.push_str("'<!--'")));
        assert!(refused(|parts| parts.styles.push_str("p{background:url(a.png)}")));
        let another = index().replace("</body>", "<script src=\"www/more.js\"></script></body>");
        let error = assemble(&another, &[], &parts()).unwrap_err().to_string();
        assert!(error.contains("more.js"), "{error}");
        assert!(assemble("<!-- site only -->", &[], &parts()).is_err());
    }

    #[test]
    fn the_page_tells_the_size_of_the_file() {
        let told = insert_size(METHOD, 715_432).unwrap();
        assert!(told.contains("(0.7 MB)") && !told.contains(SIZE_MARK));
        assert!(insert_size("", 1).is_err());
    }
}
