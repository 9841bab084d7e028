/**
 * A constant, not a read of package.json: the path to that file differs between the source and the
 * bundle.
 */
export const VERSION = "0.1.0";
