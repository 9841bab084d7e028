/**
 * Use and reservations on the scale of the limit: the bar is the limit, so that bars of tenants can
 * be compared. What is over the limit makes the bar longer than the limit, which is marked then.
 */
export interface OnScale {
  readonly parts: {
    readonly whole: number;
    readonly used: number;
    readonly reserved: number;
    readonly over: number;
  };
  /** Where the limit is on the bar, as a part of it; 1: at its end. */
  readonly limitAt: number;
}

export function onScale(of: {
  readonly limit: number;
  readonly used: number;
  readonly reserved: number;
}): OnScale {
  const { limit } = of;
  const used = Math.min(of.used, limit);
  const reserved = Math.min(of.reserved, limit - used);
  const over = of.used + of.reserved - used - reserved;
  const whole = Math.max(limit + over, Number.MIN_VALUE);
  return { parts: { whole, used, reserved, over }, limitAt: over === 0 ? 1 : limit / whole };
}
