/**
 * A filter as people type it: every word has to occur somewhere, upper and lower case alike;
 * `-word` must not.
 */
export function textFilter(text: string): (subject: string) => boolean {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "" && word !== "-");
  if (words.length === 0) return () => true;
  return (subject) => {
    const lower = subject.toLowerCase();
    return words.every((word) =>
      word.startsWith("-") ? !lower.includes(word.slice(1)) : lower.includes(word),
    );
  };
}
