// The part of Vite's `import.meta` that is used here.

interface ImportMeta {
  glob(
    patterns: readonly string[],
    options: { readonly query: "?raw"; readonly import: "default" },
  ): Record<string, () => Promise<string>>;
  glob(
    patterns: readonly string[],
    options: { readonly eager: true },
  ): Record<string, Readonly<Record<string, unknown>>>;
  glob(
    pattern: string,
    options: { readonly query: "?inline"; readonly import: "default"; readonly eager: true },
  ): Record<string, string>;
}

declare module "*?raw" {
  const text: string;
  export default text;
}
