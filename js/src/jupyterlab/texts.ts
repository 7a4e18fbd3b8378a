// Texts of JupyterLab's extension, beside those of the dashboard.

const english = {
  connecting: "Waiting for the kernel…",
  runCell: "Run the cell to bring the dashboard back.",
  noKernel: "No kernel is running. Start one and run the cell to bring the dashboard back.",
  noManager:
    "This page cannot show widgets. Install or enable jupyterlab_widgets where JupyterLab runs, reload the page and run the cell.",
  otherVersion:
    "The dashboard comes back when the running cell ends, because JupyterLab has another version of tbwidget than the kernel: install the same version in both.",
  /** Above a picture. */
  asFirst: (words: string) => `Picture from when the cell was run. ${words}`,
  picture: "Charts of the dashboard",
};

/** By language. They are apart from those of the dashboard, which is another bundle and is evaluated later. */
const tables = new Map([["en", english]]);

/** The table of the page's language: English where there is none. */
export function labTexts(): typeof english {
  const page = document.documentElement?.lang ?? "";
  return tables.get(page) ?? tables.get(page.split("-")[0] ?? "") ?? english;
}
