/** What was asked of a preview cannot be shown; the message says why, and what to ask instead. */
export class PreviewRefused extends Error {}
