//! The pages of the site: each a file of its own, put into the one shell (head, navigation, foot).
//!
//! A page's HTML names its place in the navigation (`<html data-page="compare">`) and says where each
//! part of the shell goes: `<!-- shell: head -->`, `<!-- shell: top -->`, `<!-- shell: foot -->`. Addresses
//! are relative, so that the site works below any path.

use anyhow::{Context, Result, ensure};

/// Every page, the first one's folder being that of the site.
pub const PAGES: [&str; 14] = [
    "index.html",
    "metrics/index.html",
    "fade/index.html",
    "ce-bench/index.html",
    "mui/index.html",
    "measurement/index.html",
    "audit/index.html",
    "model/index.html",
    "compare/index.html",
    "synth/index.html",
    "own/index.html",
    "train/index.html",
    "method/index.html",
    "gallery/index.html",
];

/// Where the navigation's second level begins: the pages of one entry, shown on these alone.
const SUBPAGES_TAG: &str = "<nav class=\"subpages\" data-group=\"";

const SHELL_PARTS: [(&str, &str); 3] = [
    ("<!-- shell: head -->", include_str!("../site/head.html")),
    ("<!-- shell: top -->", include_str!("../site/top.html")),
    ("<!-- shell: foot -->", include_str!("../site/foot.html")),
];

/// In the head of a page that reads files from addresses that a reader types.
const READS_HTTPS_MARK: &str = "<!-- reads https: -->";

/// A page within the shell. `path` is its own, from the site's folder; `version` is that of the program.
///
/// # Errors
///
/// Where the page has not exactly one place for each part, or is not in the navigation.
pub fn fill_shell(path: &str, page: &str, version: &str) -> Result<String> {
    let depth = path.matches('/').count();
    let root = "../".repeat(depth);
    let home = if depth == 0 { "./" } else { &root };
    let name = page_name(page).with_context(|| format!("{path} does not say which page it is"))?.to_owned();
    let mut html = page.to_owned();
    for (place, part) in SHELL_PARTS {
        ensure!(html.matches(place).count() == 1, "{path} should have one {place}");
        let part = part.replace("{root}", &root).replace("{home}", home).replace("{version}", version);
        html = html.replacen(place, part.trim(), 1);
    }
    // A page that reads from addresses that are typed says so, and its policy lets it; also its workers ask by an address
    // of the page's own, a blob's, whether their work is still wanted.
    if html.contains(READS_HTTPS_MARK) {
        let policy = "connect-src 'self'";
        ensure!(html.matches(policy).count() == 1, "{path} should have one {policy}");
        html = html.replacen(READS_HTTPS_MARK, "", 1).replacen(policy, "connect-src 'self' https: blob:", 1);
    }
    let (head, body) = html.split_once("</head>").with_context(|| format!("{path} has no head"))?;
    Ok(format!("{head}</head>{}", mark_current_page(body, &name)?))
}

/// Marks in the navigation which page one is on, and shows the pages of its entry beside it.
fn mark_current_page(body: &str, name: &str) -> Result<String> {
    let here = format!(" data-page=\"{name}\">");
    let (main, groups) = body.split_once(SUBPAGES_TAG).context("the navigation has no second level")?;
    let current = format!(" data-page=\"{name}\" aria-current=\"page\">");
    let mut top = main.to_owned();
    let mut rest = String::new();
    let mut found = main.matches(&here).count();
    for group in groups.split(SUBPAGES_TAG) {
        rest.push_str(SUBPAGES_TAG);
        if !group.contains(&here) {
            rest.push_str(group);
            continue;
        }
        found += 1;
        rest.push_str(&group.replacen(" hidden>", ">", 1).replacen(&here, &current, 1));
        let (entry, _) = group.split_once('"').context("a group has no name")?;
        let entry = format!(" data-page=\"{entry}\">");
        if entry != here {
            top = top.replacen(&entry, &entry.replace('>', " aria-current=\"true\">"), 1);
        }
    }
    ensure!((1..=2).contains(&found), "the navigation should lead to {name}");
    Ok(top.replacen(&here, &current, 1) + &rest)
}

/// The name of a page, by which the navigation knows it.
fn page_name(page: &str) -> Option<&str> {
    let (_, after) = page.split_once("<html lang=\"en\" data-page=\"")?;
    Some(after.split_once('"')?.0)
}

/// A page as a view among others in one file: what is in its `<main>`.
pub struct View<'a> {
    pub name: &'a str,
    pub title: &'a str,
    pub content: &'a str,
}

/// Takes a page apart.
///
/// # Errors
///
/// Where it has no name, no title or no `<main>`.
pub fn parse_view(page: &str) -> Result<View<'_>> {
    let between = |from: &str, to: &str| {
        let (_, after) = page.split_once(from).with_context(|| format!("a page has no {from}"))?;
        let found = after.split_once(to).with_context(|| format!("{from} does not end"))?;
        anyhow::Ok(found.0)
    };
    Ok(View {
        name: page_name(page).context("a page has no name")?,
        title: between("<title>", "</title>")?,
        content: between("<main id=\"main\" tabindex=\"-1\">", "</main>")?,
    })
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use sha2::{Digest as _, Sha256};

    use super::*;

    fn page(name: &str) -> String {
        format!(
            "<html lang=\"en\" data-page=\"{name}\"><head><title>T</title><!-- shell: head --></head>\
             <body><!-- shell: top --><main id=\"main\" tabindex=\"-1\">x</main><!-- shell: foot --></body>"
        )
    }

    #[test]
    fn the_navigation_says_where_one_is_and_leads_to_the_others() {
        let home = fill_shell("index.html", &page("paper"), "1.2.3").unwrap();
        assert!(home.contains("<a href=\"./\" data-page=\"paper\" aria-current=\"page\">"));
        assert!(home.contains("<a href=\"compare/\" data-page=\"compare\">"), "{home}");
        assert!(home.contains("src=\"www/shell/theme-early.js\""));
        let compare = fill_shell("compare/index.html", &page("compare"), "1.2.3").unwrap();
        assert_eq!(compare.matches("aria-current").count(), 2);
        let fade = fill_shell("fade/index.html", &page("fade"), "1.2.3").unwrap();
        assert!(fade.contains("data-page=\"metrics\" aria-current=\"true\">"), "{fade}");
        assert!(fade.contains("<a href=\"../fade/\" data-page=\"fade\" aria-current=\"page\">"));
        assert!(fade.contains("data-group=\"metrics\" aria-label=\"Other metrics\">"));
        assert!(compare.contains("<a href=\"../\" data-page=\"paper\">"), "{compare}");
        assert!(compare.contains("<a href=\"../own/\" data-page=\"own\">"));
        assert!(compare.contains("href=\"../www/shell/styles.css\""));
        // Nothing is left to be filled in; the one script in the page has braces of its own.
        let (before, after) = compare.split_once("<script>").unwrap();
        let (_, after) = after.split_once("</script>").unwrap();
        assert!(!before.contains('{') && !after.contains('{'), "{compare}");
    }

    /// It adds the slash of the site's folder where an address has none: without it all that the page
    /// names is elsewhere, its other scripts among it.
    #[test]
    fn the_policy_names_the_one_script_that_is_in_the_page() {
        let head = SHELL_PARTS[0].1;
        let (_, after) = head.split_once("<!-- site only --><script>").unwrap();
        let (script, _) = after.split_once("</script>").unwrap();
        let hash = STANDARD.encode(Sha256::digest(script));
        assert!(head.contains(&format!("script-src 'self' 'sha256-{hash}' ")), "{hash}");
        assert_eq!(head.matches("<script>").count(), 1);
    }

    #[test]
    fn what_is_no_page_of_the_site_is_refused() {
        assert!(fill_shell("index.html", &page("elsewhere"), "1.2.3").is_err());
        assert!(fill_shell("index.html", &page("paper").replace("<!-- shell: foot -->", ""), "1.2.3").is_err());
        assert!(fill_shell("index.html", "", "1.2.3").is_err());
        assert!(parse_view("<html>").is_err());
        assert_eq!(parse_view(&page("own")).unwrap().content, "x");
    }
}
