/**
 * Shares of a whole as integers. Weights of the demand mix are in these parts, and so is everything
 * that is weighed with them until it becomes points: fractions would depend on the order in which
 * they are summed.
 */

/**
 * Fine enough that one ask in sixty thousand still has a weight; squares of it are exact in a
 * double.
 */
export const ONE = 65_536;

export const shareOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.floor((part * ONE) / whole);
