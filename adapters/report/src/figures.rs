//! Figures and small tables of the page.

use std::collections::BTreeMap;

use leap_match::events::Outcome;
use leap_match::stats::{Estimate, Outcomes as _, Results, Summary, signed};
use maud::{Markup, html};

/// Stands for a missing figure.
pub(super) const NOTHING: &str = "–";

pub(super) fn result(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::P1Win => "1–0",
        Outcome::P2Win => "0–1",
        Outcome::Draw => "½–½",
        Outcome::Void => "void",
    }
}

/// A table with a head for each column.
pub(super) fn table(heads: &[&str], rows: Markup) -> Markup {
    html! {
        table {
            thead { tr { @for head in heads { th scope="col" { (head) } } } }
            tbody { (rows) }
        }
    }
}

/// A table of counts with bars in it.
pub(super) fn bars<'a>(
    caption: &str,
    all: u64,
    rows: impl IntoIterator<Item = (&'a str, u64)>,
) -> Markup {
    html! {
        table class="bars" {
            caption { (caption) }
            tbody {
                @for (name, count) in rows {
                    @let share = format!("{:.1}%", 100.0 * count as f64 / all.max(1) as f64);
                    tr {
                        th scope="row" { (name) }
                        td { (count) }
                        td class="share" { span style=(format!("width:{share}")) {} (share) }
                    }
                }
            }
        }
    }
}

pub(super) fn cross_cell(record: &Results) -> Markup {
    let Summary { games, points, .. } = record.summary();
    let results = record.games;
    html! {
        @if games == 0 { td { (NOTHING) } } @else {
            td { (points) " " small { "+" (results.wins) " =" (results.draws) " –" (results.losses) } }
        }
    }
}

pub(super) fn estimate(found: Option<Estimate>) -> Markup {
    // Not every font has an infinity sign and a minus sign.
    let signed = |value| signed(value).replace('-', "–");
    let Some(found) = found else { return html! { (NOTHING) } };
    let interval = match (found.error(), found.low, found.high) {
        (Some(error), ..) => format!("±{error:.1}"),
        (None, Some(low), _) => format!("above {}", signed(low)),
        (None, _, Some(high)) => format!("below {}", signed(high)),
        (None, None, None) => String::new(),
    };
    html! { (signed(found.value)) " " small { (interval) } }
}

pub(super) fn pairs(record: &Results) -> String {
    if record.pairs.sample().count() == 0 {
        return NOTHING.to_owned();
    }
    record.pairs.0.map(|count| count.to_string()).join(" ")
}

pub(super) fn percent(share: Option<f64>) -> String {
    share.map_or(NOTHING.to_owned(), |share| format!("{:.1}", 100.0 * share))
}

pub(super) fn figure(value: Option<f64>, decimals: usize) -> String {
    value.map_or(NOTHING.to_owned(), |value| format!("{value:.decimals$}"))
}

pub(super) fn listed<K: std::fmt::Display>(counts: &BTreeMap<K, u64>) -> String {
    let each: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
    if each.is_empty() { NOTHING.to_owned() } else { each.join(", ") }
}
