/** How a node runs a command: the names that templates and nodes use. */

export type DriverName = "sandbox" | "image" | "process";
