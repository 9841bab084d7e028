/**
 * A boolean of a query as Kubernetes reads it: `0` and `false` in any case are false, everything
 * else is true. Python writes `True`, and some clients write the bare name.
 */
export const isTrue = (text: string | undefined): boolean =>
  text !== undefined && text !== "0" && text.toLowerCase() !== "false";
