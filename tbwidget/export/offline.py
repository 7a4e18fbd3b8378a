"""Notebooks as pages that work offline: an exporter of nbconvert, and the preprocessor that it uses.

    jupyter nbconvert --to tbwidget notebook.ipynb

nbconvert's own pages fetch scripts from the network: RequireJS, MathJax and, for widgets, Jupyter's widget manager.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Literal

from nbconvert.exporters import HTMLExporter
from nbconvert.preprocessors import Preprocessor
from traitlets import Bool, Unicode, default
from traitlets.config import Config

from tbwidget.export.page import page

if TYPE_CHECKING:
    from collections.abc import Mapping

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"

_OWN = ("_esm", "_css", "_saved", "_session", "_board")
_MARGINS = 26  # CSS pixels around a dashboard, in its page
_MIN_HEIGHT_PX = 440  # CSS pixels, for menus

# Scripts run in a frame of their own origin: they cannot reach the page around it.
_FRAME = (
    '<iframe title="tbwidget" sandbox="allow-scripts allow-downloads" loading="lazy" '
    'style="width: 100%; height: {height}px; border: 0" srcdoc="{page}"></iframe>'
)

# A frame becomes as high as the dashboard in it, which says so, but leaves room for menus.
_FIT = f"""<script>
addEventListener("message", ({{ source, data }}) => {{
  for (const frame of document.querySelectorAll("iframe[title=tbwidget]")) {{
    if (frame.contentWindow === source && Number.isFinite(data?.tbwidgetHeight)) {{
      frame.dataset.most ??= parseFloat(frame.style.height);
      frame.style.height = `${{Math.min(Math.max(data.tbwidgetHeight, {_MIN_HEIGHT_PX}), frame.dataset.most)}}px`;
    }}
  }}
}});
</script>"""

# Extends whichever template was chosen. A script whose URL was configured is loaded after all.
_TEMPLATE = """{%- extends 'index.html.j2' -%}
{%- block html_head_js_jquery -%}{%- if resources.jquery_url -%}{{ super() }}{%- endif -%}{%- endblock -%}
{%- block html_head_js_requirejs -%}{%- if resources.require_js_url -%}{{ super() }}{%- endif -%}{%- endblock -%}
{%- block html_head_js_mathjax -%}{%- if resources.mathjax_url -%}{{ super() }}{%- endif -%}{%- endblock -%}
{%- block html_head_js_mermaidjs -%}{%- if resources.mermaid_js_url -%}{{ super() }}{%- endif -%}{%- endblock -%}
"""


class Dashboards(Preprocessor):
    """Replaces each dashboard by the page that `Dashboard.save` would make from the data saved with it.

    Dashboards that were saved without data are left alone.
    """

    keep_other_widgets = Bool(
        default_value=True,
        help="Other widgets are kept as they are; a page with any of them fetches Jupyter's widget manager.",
    ).tag(config=True)

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """The notebook with frames in place of dashboards."""
        theme = resources.get("theme")
        saved = nb.metadata.get("widgets", {}).get(STATE, {}).get("state", {})
        boards = {name: one["state"] for name, one in saved.items() if _is_saved(one.get("state", {}))}
        fit = _FIT
        for cell in nb.cells:
            for output in cell.get("outputs", []):
                data = output.get("data", {})
                board = boards.get(data.get(VIEW, {}).get("model_id"))
                if board is not None:
                    del data[VIEW]
                    data["text/html"] = fit + _frame(
                        board, str(data.get("text/plain", "tbwidget")), "dark" if theme == "dark" else "light"
                    )
                    fit = ""  # one script serves all frames
        left = {name: one for name, one in saved.items() if name not in boards}
        if self.keep_other_widgets and any(one.get("model_module") != "@jupyter-widgets/base" for one in left.values()):
            nb.metadata.widgets[STATE]["state"] = left
        else:
            # Without any state the page has no script that fetches a widget manager.
            nb.metadata.pop("widgets", None)
        return nb, resources


class OfflineHTMLExporter(HTMLExporter):
    """HTML that fetches nothing: dashboards work in it, other widgets are what their outputs hold beside them.

    Formulas and Mermaid diagrams stay as they were written: what would draw them comes from the network, unless
    `HTMLExporter.mathjax_url` and the like are set.
    """

    export_from_notebook = "HTML (offline)"

    jquery_url = Unicode("", help="URL to load jQuery from.").tag(config=True)
    require_js_url = Unicode("", help="URL to load RequireJS from.").tag(config=True)
    mathjax_url = Unicode("", help="URL to load MathJax from.").tag(config=True)
    mermaid_js_url = Unicode("", help="URL to load Mermaid from.").tag(config=True)

    @property
    def default_config(self) -> Config:
        """Other widgets would need the network."""
        config: Config = super().default_config.copy()
        config.merge({"Dashboards": {"keep_other_widgets": False}})
        return config

    @default("raw_template")
    def _raw_template_default(self) -> str:
        return _TEMPLATE

    def _init_preprocessors(self) -> None:
        super()._init_preprocessors()  # type: ignore[no-untyped-call]
        self.register_preprocessor(Dashboards, enabled=True)  # type: ignore[no-untyped-call]


def _is_saved(state: Mapping[str, Any]) -> bool:
    held = state.get("_saved")
    return isinstance(held, dict) and bool(held.get("messages"))


def _frame(state: Mapping[str, Any], summary: str, theme: Literal["light", "dark"]) -> str:
    own = {name: value for name, value in state.items() if name not in _OWN}
    height = state.get("height")
    height = height if isinstance(height, int) else 640
    html = page("tbwidget", summary, {**own, "_saved": state["_saved"], "_framed": True}, theme)
    return _FRAME.format(height=height + _MARGINS, page=escape(html, quote=True))
