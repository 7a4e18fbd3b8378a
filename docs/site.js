// Embedded dashboards take the theme of the site, which its reader can switch. A page opened from a disk cannot reach
// the frames: there they follow the browser.
function applyTheme() {
  const theme = document.body.dataset.mdColorScheme === "slate" ? "dark" : "light";
  for (const frame of document.querySelectorAll(".tbwidget-embed")) {
    const body = frame.contentDocument?.body;
    if (body) {
      body.className = theme;
    }
  }
}

new MutationObserver(applyTheme).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
for (const frame of document.querySelectorAll(".tbwidget-embed")) {
  frame.addEventListener("load", applyTheme);
}
applyTheme();
