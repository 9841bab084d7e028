/** What a plane logs when it takes the lead. Benchmarks read the log for it. */
export const LEADER_MESSAGE = "The plane is the leader.";
