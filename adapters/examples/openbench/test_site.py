"""What `site` decides by itself: what it refuses, when a test cannot go on, how a worker ends.

tests/repository/openbench.rs runs this; alone: python3 -m unittest adapters/examples/openbench/test_site.py
"""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

SITE = Path(__file__).resolve().parent / "site"
loader = SourceFileLoader("site_script", str(SITE))
sys.dont_write_bytecode = True
site = module_from_spec(spec_from_loader("site_script", loader))
loader.exec_module(site)

PATIENCE_S = 60


def fields(kind="TEST", both="Threads=1 Hash=16 Game=eximo", **more):
    found = {**site.COMMON, **site.FIELDS[kind], "book_name": "eximo.epd"}
    for side in ("dev", "base"):
        found.update({f"{side}_engine": "leapd", f"{side}_options": both, f"{side}_time_control": "2.0+0.02"})
    return {**found, **more}


class Refusals(unittest.TestCase):
    def refused(self, *arguments, **more):
        return " | ".join(site.unplayable(*arguments, **more))

    def test_a_test_of_leapd_names_a_game_and_a_book_of_this_game(self):
        self.assertEqual(self.refused("TEST", fields()), "")
        self.assertEqual(self.refused("TEST", fields(both="threads=1 hash=16 game=Eximo")), "")
        for both, said in [
            ("Threads=1 Hash=16", "dev_options: expected Game= with one of alquerque, "),
            ("Threads=1 Hash=16 Game=chess", "found 'chess'"),
        ]:
            self.assertIn(said, self.refused("TEST", fields(both=both)))
        self.assertIn("expected eximo.epd", self.refused("TEST", fields(book_name="sapos.epd")))
        two = fields(base_options="Threads=1 Hash=16 Game=sapos")
        self.assertEqual(self.refused("TEST", two), "expected one game for both sides, found 'eximo' and 'sapos'")

    def test_engines_that_are_not_ours_need_no_game(self):
        other = {"dev_engine": "autaxx", "base_engine": "autaxx", "book_name": "ataxx.epd"}
        self.assertEqual(self.refused("TEST", fields(both="Threads=1 Hash=1", **other)), "")

    def test_openings_for_training_are_of_the_game(self):
        cases = [("game=eximo plies=2..4", False), ("", True), ("game=sapos", True), ("plies=2..4", True)]
        for asked, is_refused in cases:
            said = self.refused("DATAGEN", fields("DATAGEN", genfens_args=asked, book_name="NONE"))
            self.assertEqual("genfens_args: expected game=eximo" in said, is_refused, asked)

    def test_a_field_has_a_value_of_its_kind(self):
        known = fields("DATAGEN")
        self.assertEqual(site.converted("max_games", "8", known), 8)
        self.assertIs(site.converted("play_reverses", "no", known), False)
        for name, value in [("max_games", "x"), ("play_reverses", "2"), ("alpha", "x")]:
            with self.assertRaisesRegex(SystemExit, f"refused: {name}: expected a value like"):
                site.converted(name, value, fields("DATAGEN", alpha=0.05))

    def test_surprises_are_noted(self):
        def notes(*arguments):
            return " ".join(site.notes(*arguments))

        self.assertEqual(notes("TEST", fields()), "")
        self.assertIn("--threads 2", notes("SPSA", fields()))
        self.assertIn("--threads 4", notes("TEST", fields(both="Threads=4 Hash=16 Game=eximo")))
        nodes = {"dev_time_control": "N=1000", "base_time_control": "N=500"}
        self.assertIn("after 600 games", notes("TEST", fields(**nodes)))
        self.assertEqual(notes("TEST", fields(**nodes, max_games=600)), "")


class Waiting(unittest.TestCase):
    def test_games_of_training_are_played_many_at_a_time(self):
        self.assertEqual(fields("DATAGEN")["workload_size"], 256)

    def test_a_failed_build_ends_a_wait_and_a_crash_does_not(self):
        def stuck(**more):
            return site.stuck({"finished": False, "games": 0, "events": {}, "runner": [], **more})

        failed = "[leapd] main build failed"
        self.assertEqual(stuck(), [])
        self.assertEqual(stuck(events={failed: 1}), [failed])
        self.assertEqual(stuck(events={"[x] Stalled during genfens": 1}), ["[x] Stalled during genfens"])
        self.assertEqual(stuck(runner=["expected the option Game"]), ["expected the option Game"])
        self.assertEqual(stuck(games=2, events={"Disconnect": 1, "Illegal Move": 3}), [])
        self.assertEqual(stuck(games=2, events={failed: 1}), [])
        self.assertEqual(stuck(finished=True, events={failed: 1}), [])

    def test_what_ended_the_runners_of_a_test_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            matches = Path(folder) / "one" / "leap-matches"
            matches.mkdir(parents=True)
            matches.joinpath("errors.txt").write_text("1.2.3.0: in eximo.epd: no\n12.2.3.0: other\n")
            self.assertEqual(site.runner_errors(Path(folder), 1), ["in eximo.epd: no"])
            self.assertEqual(site.runner_errors(Path(folder), 2), [])


@unittest.skipUnless(Path("/proc/self").exists(), "this system does not list processes in /proc")
class Worker(unittest.TestCase):
    # Starts a program, as the worker starts the runner and engines.
    PROGRAM = "sh -c 'while :; do sleep 1; done' \"$0\" & touch started; wait"

    def test_a_worker_that_is_told_to_end_leaves_nothing_behind(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with self.subTest(number), tempfile.TemporaryDirectory() as folder:
                self.ends(folder, number)

    def ends(self, folder, number):
        mark = f"worker-{os.getpid()}-{int(number)}"
        code = (
            "import sys; sys.dont_write_bytecode = True\n"
            "from importlib.machinery import SourceFileLoader\n"
            "from importlib.util import module_from_spec, spec_from_loader\n"
            f"loader = SourceFileLoader('site_script', {str(SITE)!r})\n"
            "site = module_from_spec(spec_from_loader('site_script', loader))\n"
            "loader.exec_module(site)\n"
            f"command = [*site.alone(), 'sh', '-c', {self.PROGRAM!r}, {mark!r}]\n"
            f"sys.exit(site.run_to_the_end(command, {folder!r}, dict(site.os.environ)))\n"
        )
        with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL) as worker:
            self.until(lambda: Path(folder, "started").exists())
            self.assertTrue(self.alive(mark))
            worker.send_signal(number)
            self.assertEqual(worker.wait(PATIENCE_S), 128 + number)
        self.until(lambda: not self.alive(mark))

    def alive(self, mark):
        for program in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                if mark.encode() in program.read_bytes():
                    return True
        return False

    def until(self, is_true):
        end = time.monotonic() + PATIENCE_S
        while not is_true():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)


if __name__ == "__main__":
    unittest.main()
