/** How large something is, for people. */
const MEBIBYTE = 1024 * 1024;

export const inMebibytes = (bytes: number): string => `${(bytes / MEBIBYTE).toFixed(1)} MiB`;
