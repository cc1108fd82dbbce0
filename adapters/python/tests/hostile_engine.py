"""An engine that lies, floods or dies as it is told.

    hostile_engine.py '{"<beginning of a line>": ["<action>", ...]}'

An action is a line to write, or one of these:

- `!hex <bytes>` writes these bytes.
- `!flood <n> <text>` writes lines of n texts without end. `%i` in them is a counter.
- `!part <n> <text>` writes n texts without a line end.
- `!hang` does nothing more, `!sleep <s>` does nothing for s seconds, and `!exit` ends the engine.
- `!interrupt` sends Ctrl-C to the client.
- `!child` starts a process that keeps the pipes open.

Other lines are answered as a sound engine does.
"""

import json
import os
import signal
import subprocess
import sys
import time

SOUND = {
    "ugi": ["id name hostile", "option name Hash type spin default 1 min 1 max 2", "ugiok"],
    "isready": ["readyok"],
    "go": ["info depth 1 score cp 3 pv a1a2", "bestmove a1a2"],
    "": [],
}


def say(data: bytes) -> None:
    while data:
        data = data[os.write(1, data):]


def flood(times: str, text: str) -> None:
    number = 0
    while True:
        lines = ((text * int(times)).replace("%i", str(number + i)) for i in range(100))
        say("".join(line + "\n" for line in lines).encode())
        number += 100


def act(action: str) -> None:
    verb, _, rest = action.partition(" ")
    if verb == "!hex":
        say(bytes.fromhex(rest))
    elif verb == "!flood":
        flood(*rest.split(" ", 1))
    elif verb == "!part":
        times, text = rest.split(" ", 1)
        say(text.encode() * int(times))
    elif verb == "!hang":
        time.sleep(600)
    elif verb == "!sleep":
        time.sleep(float(rest))
    elif verb == "!interrupt":
        os.kill(os.getppid(), signal.SIGINT)
    elif verb == "!exit":
        sys.exit(3)
    elif verb == "!child":
        subprocess.Popen(["sleep", "30"], start_new_session=True)
    else:
        say(action.encode() + b"\n")


given = json.loads(sys.argv[1])
rules = {**given, **{key: value for key, value in SOUND.items() if key not in given}}
for line in sys.stdin:
    beginning = next(key for key in rules if line.startswith(key))
    for action in rules[beginning]:
        act(action)
