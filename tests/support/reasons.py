"""The English templates of reasons, for the page's twin table: js/tests/fixtures/reasons.json.

make generated does: python -m tests.support.reasons > js/tests/fixtures/reasons.json
"""

from __future__ import annotations

import json
import re
import sys

from tbwidget.reasons import TEMPLATES


def templates() -> dict[str, str]:
    """Return templates by code, as js/src/wire/reasons.ts reads them: a count selects its noun by plural categories."""
    return {
        code: re.sub(r":count ([^}]+)\}", r":count one=\1|other=\1s}", template) for code, template in TEMPLATES.items()
    }


if __name__ == "__main__":
    json.dump(templates(), sys.stdout, indent=1)
    print()
