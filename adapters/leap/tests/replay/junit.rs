//! JUnit XML in a file, beside the report for people.

use super::*;

#[test]
fn junit_is_one_file_for_all_transcripts_beside_the_report_for_people() {
    let work = Workplace::new();
    std::fs::create_dir(work.path("all")).expect("a directory");
    for (name, answer) in [("all/a.ugt", "readyok"), ("all/b.ugt", "ready"), ("c.ugt", "readyok")] {
        work.write(name, format!("ugt 1\n> isready\n< {answer}\n"));
    }
    for _ in 0..2 {
        let (status, printed) = run(&work, "all c.ugt --junit out.xml", &[]);
        assert_eq!(status, Some(1));
        assert!(printed.ends_with("3 transcripts: 2 equal, 1 different\n"), "{printed}");
        let xml = work.read("out.xml");
        assert_eq!(xml.matches("<?xml").count(), 1, "{xml}");
        let suite = "<testsuite name=\"leap replay\" tests=\"3\" disabled=\"0\" errors=\"0\" failures=\"1\">";
        assert!(xml.contains(suite), "{xml}");
        for name in ["all/a.ugt", "all/b.ugt", "c.ugt"] {
            assert!(xml.contains(&format!("<testcase name=\"{name}\"")), "{xml}");
        }
    }
}

#[test]
fn junit_on_standard_output_takes_the_place_of_everything_else() {
    let work = transcripts(&[("a.ugt", "> isready\n< readyok\n")]);
    let (status, xml) = run(&work, "a.ugt --junit -", &[]);
    assert_eq!(status, Some(0));
    assert!(xml.starts_with("<?xml") && xml.trim_end().ends_with("</testsuites>"), "{xml}");
}

/// The results of another command are somebody else's file. Nothing is replayed.
#[test]
fn junit_never_replaces_a_file_of_somebody_else() {
    let work = transcripts(&[("a.ugt", "> isready\n< readyok\n")]);
    let of_check = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"leap check x\"";
    for content in ["mine\n", of_check] {
        work.write("out.xml", content);
        let (status, printed) = run(&work, "a.ugt --junit out.xml", &[]);
        assert_eq!(status, Some(2));
        assert!(printed.starts_with("leap: cannot write out.xml"), "{printed}");
        assert_eq!(work.read("out.xml"), content);
    }
    assert_eq!(run(&work, "a.ugt --junit none/out.xml", &[]).0, Some(2));
}
