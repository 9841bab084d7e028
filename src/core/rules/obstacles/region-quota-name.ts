/** The quota of a region, as a rule among those that reject nodes. */
export const REGION_QUOTA = "region-quota";
