/** The cause of a wait without the command that ends it, which a terminal has room for. */
export const causeText = (text: string): string =>
  text.replace(/; create one: echo '.*' \| .*apply -f -/s, "; create one");
