/**
 * Names of users and groups that follow from something that the plane itself knows. No line, claim
 * or certificate may state one: roles of the system are bound to them.
 */
const RESERVED = /^(?:system|berth):/i;

export const isReservedName = (name: string): boolean => RESERVED.test(name);
