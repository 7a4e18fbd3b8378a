// Texts of a page that was saved as a file, beside those of the dashboard in it.

export const pageStrings = {
  failed: (reason: string) =>
    `This page cannot be shown. It needs a browser of 2023 or later, which may run the scripts in it. (${reason})`,
};
