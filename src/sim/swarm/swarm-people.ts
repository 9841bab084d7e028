/** The people of a drawn world: two are enough to get in each other's way. */
export const personOf = (at: number): string => `person-${at % 2}`;
