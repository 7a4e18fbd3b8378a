"""Short texts that take a Markdown parser very long, or produce a large amount of HTML."""

from __future__ import annotations

MARKDOWN_BOMBS: dict[str, str] = {
    "padded table": "|a" * 6_000 + "\n" + "|-" * 6_000 + "\n" + "|\n" * 2_000,
    "wide table": "|a" * 15_000 + "\n" + "|-" * 15_000 + "\n" + "|\n" * 19_500,
    "table in a list": "- " + "|a" * 2_000 + "\n  " + "|-" * 2_000 + "\n" + "  |\n" * 2_000,
    "images": "![" * 6_000 + "](a)" * 5_000,
    "links": "[a](" * 24_750,
    "emphasis": "\n\n".join(["*a_b" * 1_999] * 12),
    "headings": "a\n=\n" * 20_000,
    "quotes": "> " * 20_000 + "a",
    "markup": "*a* " * 24_000,
}
