import * as z from 'zod'

/** A whole number in a query string. Digits only, because `Number('')` is 0 and `Number('1e3')` is 1000. */
export function wholeNumber(min: number, max: number) {
  const bounds = `Send a whole number from ${min} to ${max}.`
  return z
    .string(bounds)
    .regex(/^\d{1,15}$/, bounds)
    .transform(Number)
    .pipe(z.int(bounds).min(min, bounds).max(max, bounds))
}

/** An id, a cursor or a time in milliseconds: any number of 15 digits, which JavaScript represents exactly. */
export const Cursor = wholeNumber(0, 999_999_999_999_999)
