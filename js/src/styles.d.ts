// The bundler turns imported style sheets into dashboard.css.
declare module "*.css";
