/**
 * The annotation of a workload that names its last session (exec, port-forward). The API server
 * writes it as the caller of the session, before the session begins, so that the log has it.
 */
export const SESSION_ANNOTATION = "berth.dev/last-session";
