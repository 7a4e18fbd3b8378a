// The bundler collects imported style sheets for lib/styles.ts.
declare module "*.css";
