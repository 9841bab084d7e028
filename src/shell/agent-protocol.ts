/**
 * What agents and planes say to each other, as a number. An agent sends it with every request, and
 * a plane answers a list with it. Protocol 1 has no number: its agents call an incarnation a life
 * and an index a slot.
 */
export const AGENT_PROTOCOL = 2;

/** The request header that carries the number. */
export const PROTOCOL_HEADER = "berth-agent-protocol";
