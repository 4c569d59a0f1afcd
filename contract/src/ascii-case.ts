/**
 * Lower case for addresses and hosts. Only ASCII letters are folded: JavaScript's `toLowerCase` turns the Kelvin sign (U+212A)
 * into `k`, so that one person's address would equal another's.
 */
export const asciiLowerCase = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
