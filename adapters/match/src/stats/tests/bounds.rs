//! Whatever is counted, every figure stays in its range: no share above 100 %, no value that is NaN.

use leap_toys::cases::cases;
use proptest::prelude::*;

use super::*;
use crate::stats::sprt::Status;

/// Counts of every size, small ones and the ends of the range more often.
fn count() -> impl Strategy<Value = u64> {
    prop_oneof![
        Just(0),
        Just(u64::MAX),
        0_u64..10,
        (0_u32..64, any::<u64>()).prop_map(|(bits, number)| number >> bits),
    ]
}

fn is_share(value: Option<f64>) -> bool {
    value.is_none_or(|share| (0.0..=1.0).contains(&share))
}

fn is_ordered(found: Option<Estimate>) -> bool {
    found.is_none_or(|Estimate { value, low, high }| {
        let all = [low, Some(value), high];
        all.into_iter().flatten().all(f64::is_finite) && all.into_iter().flatten().is_sorted()
    })
}

/// Checks all figures of these outcomes.
fn hold(outcomes: &(impl Outcomes + std::fmt::Debug), test: &Sprt) -> Result<(), TestCaseError> {
    for (name, share) in
        [("score", outcomes.score()), ("los", outcomes.los()), ("draws", outcomes.draw_ratio())]
    {
        prop_assert!(is_share(share), "{name} of {outcomes:?}: {share:?}");
    }
    for (name, elo) in [("elo", outcomes.elo()), ("normalized", outcomes.normalized_elo())] {
        prop_assert!(is_ordered(elo), "{name} of {outcomes:?}: {elo:?}");
    }
    let Status { llr, .. } = test.status(outcomes);
    prop_assert!(llr.is_finite(), "LLR of {outcomes:?} by {test:?}: {llr}");
    Ok(())
}

fn test() -> impl Strategy<Value = Sprt> {
    let model = prop_oneof![Just(Model::Logistic), Just(Model::Normalized)];
    let hypotheses = prop_oneof![Just((0.0, 5.0)), (-1000.0..900.0_f64, 0.01..100.0_f64)];
    (hypotheses, model).prop_map(|((elo0, gap), model)| {
        let elo1 = if (elo0, gap) == (0.0, 5.0) { 5.0 } else { elo0 + gap };
        sprt(elo0, elo1, model)
    })
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn figures_of_games_stay_in_bounds(counts in prop::array::uniform3(count()), test in test()) {
        let [wins, draws, losses] = counts;
        hold(&trinomial(wins, draws, losses), &test)?;
    }

    #[test]
    fn figures_of_pairs_stay_in_bounds(counts in prop::array::uniform5(count()), test in test()) {
        hold(&Pentanomial(counts), &test)?;
        let games = trinomial(counts[0], counts[1], counts[2]);
        let summary = Results { games, pairs: Pentanomial(counts) }.summary();
        prop_assert!(is_share(summary.score) && is_share(summary.los), "{summary:?}");
        prop_assert!(summary.pairs.pair_ratio().is_none_or(f64::is_finite), "{summary:?}");
    }
}

#[test]
fn a_test_of_absurd_counts_still_leans_to_the_right_side() {
    let test = sprt(0.0, 5.0, Model::Normalized);
    for count in [1 << 40, 9_999_999_999_999_999, u64::MAX] {
        assert!(test.status(&trinomial(count, 0, 0)).llr > 0.0, "{count}");
        assert!(test.status(&trinomial(0, 0, count)).llr < 0.0, "{count}");
        assert!(test.status(&trinomial(0, count, 0)).llr <= 0.0, "{count}");
    }
}
