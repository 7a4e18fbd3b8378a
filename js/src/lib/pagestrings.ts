// Texts of a page that was saved as a file, beside those of the dashboard in it.

export const pageStrings = {
  failed: (reason: string) =>
    `This page cannot be shown. It needs a browser from 2023 or later, with JavaScript allowed. (${reason})`,
};
