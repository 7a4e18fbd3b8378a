"""Regular expressions in a process of their own: some take for ever, and Python can neither end nor leave one."""

from __future__ import annotations

import json
import subprocess
import sys

from tbwidget.options.patterns import pattern_error
from tbwidget.reasons import Reason
from tbwidget.wire.content import Refusal

LONGEST_TIME = 5.0
"""Seconds after which the search is given up."""

_SEARCH = """
import json, re, sys
pattern, lines = json.load(sys.stdin)
search = re.compile(re.sub(r"\\(\\?<(?=[A-Za-z_])", "(?P<", pattern), re.IGNORECASE).search
json.dump([number for number, line in enumerate(lines) if search(line)], sys.stdout)
"""


def matching_lines(pattern: str, lines: list[str], seconds: float = LONGEST_TIME) -> list[int]:
    """Places of the lines in which the pattern is found, upper and lower case alike.

    Raises Refusal where it is no pattern, none that Python knows, or takes too long.
    """
    if (reason := pattern_error(pattern)) is not None:
        raise Refusal(Reason("invalid-pattern", detail=reason))
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _SEARCH],
            input=json.dumps([pattern, lines]),
            capture_output=True,
            encoding="ascii",
            timeout=seconds,
            check=True,
        )
    except subprocess.TimeoutExpired:
        raise Refusal(Reason("slow-pattern", seconds=seconds)) from None
    except subprocess.CalledProcessError:
        raise Refusal(Reason("browser-pattern")) from None
    except OSError as error:
        raise Refusal(Reason("patterns-unavailable", detail=error.strerror or str(error))) from error
    found: list[int] = json.loads(done.stdout)
    return found
