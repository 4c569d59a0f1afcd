import { z } from 'zod'

/** A whole number in a query string. Digits only, because `Number('')` is 0 and `Number('1e3')` is 1000. */
export const Digits = z
  .string()
  .regex(/^\d{1,15}$/, 'Send a whole number, 0 or more.')
  .transform(Number)
