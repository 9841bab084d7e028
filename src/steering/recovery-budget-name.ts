/** The name of an unnamed budget. Pure: `berth budget grant` and the dashboard give the same. */

/**
 * e.g. "eu-west-ana": who grants the same twice is told that it is there already. The policy's own
 * end in a number.
 */
export const recoveryBudgetName = (region: string, owner: string): string =>
  [region, plain(owner)].filter((part) => part !== "").join("-");

/** Names of people may have anything in them, names of objects may not. */
const plain = (owner: string): string =>
  owner
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
