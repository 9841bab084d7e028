/** The one API group and version that Berth's own kinds are served under. */
export const GROUP = "berth.dev";
export const VERSION = "v1";
export const API_VERSION = `${GROUP}/${VERSION}`;
