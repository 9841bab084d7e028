/**
 * People put tokens where names belong: into a path, a key of a request, a reason. What is written
 * down of a request leaves out every word that has the form of a token.
 */

/** Of `berth token create`, of an administrator's file, and of an issuer (a JWT). */
const TOKENS = /\bberth_[\w-]{32,}|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|\bBearer\s+[^\s,;"']+/gi;

export const TOKEN_LEFT_OUT = "<token>";

export const withoutTokens = (text: string): string => text.replace(TOKENS, TOKEN_LEFT_OUT);
