/** A stylesheet is loaded for what it does to the page and has nothing to import. */
declare module "*.css" {}
