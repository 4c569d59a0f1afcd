import { SECRET_PREFIX_PATTERN } from '@gatehouse/contract'

/** Keys and tokens of the service, and JWTs. */
const SECRETS = new RegExp(`${SECRET_PREFIX_PATTERN}[\\w-]{8,}|eyJ[\\w-]{8,}\\.[\\w-]{8,}\\.[\\w-]*`, 'g')

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g

/** Applied to everything that is printed: a second line of defense against a leaked key. */
export const redactSecrets = (text: string): string => text.replaceAll(SECRETS, '[removed]')

/** Untrusted text as one line, without terminal escape sequences and bidirectional overrides. */
export const singleLine = (text: string): string => redactSecrets(text.replaceAll(CONTROLS, ' ').trim())
