// Texts of JupyterLab's extension, beside those of the dashboard.

export const labStrings = {
  connecting: "Waiting for the kernel…",
  connectingStill: "As it was shown first. Waiting for the kernel…",
  still: "As it was shown first. Run the cell to bring the dashboard back.",
  text: "Run the cell to bring the dashboard back.",
  picture: "Charts of the dashboard",
};
