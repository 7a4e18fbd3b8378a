// Texts of JupyterLab's extension, beside those of the dashboard.

export const labStrings = {
  connecting: "Waiting for the kernel…",
  runCell: "Run the cell to bring the dashboard back.",
  noKernel: "No kernel runs: start one and run the cell to bring the dashboard back.",
  noManager:
    "This page cannot show widgets: install or enable jupyterlab_widgets where JupyterLab runs, load the page again and run the cell.",
  otherVersion:
    "The dashboard comes back when the running cell ends, because JupyterLab has another version of tbwidget than the kernel: install the same version in both.",
  /** Above a picture. */
  asFirst: (words: string) => `As it was shown first. ${words}`,
  picture: "Charts of the dashboard",
};
