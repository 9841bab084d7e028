/**
 * A part of the whole as people write it, such as 99.9%, and as the core counts it, in millionths.
 */
const PERCENT = 10_000;

export const PART_FORM = "a percentage above 0% and below 100%, such as 99.9%";

/**
 * Undefined unless it is more than nothing and less than everything, to a ten-thousandth of a
 * percent.
 */
export function parsePart(text: string): number | undefined {
  const percent = /^(\d{1,2}(?:\.\d{1,4})?)%$/.exec(text)?.[1];
  const millionths = Math.round(Number(percent ?? 0) * PERCENT);
  return millionths > 0 ? millionths : undefined;
}

export const formatPart = (millionths: number): string => `${millionths / PERCENT}%`;
