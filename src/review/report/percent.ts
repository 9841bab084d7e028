/** A part of a whole as a length in SVG; between 0 and 100 whatever the figures are. */
export function percent(part: number, whole: number): string {
  const share = whole > 0 ? (part / whole) * 100 : 0;
  return `${Math.min(100, Math.max(0, share)).toFixed(2)}%`;
}
