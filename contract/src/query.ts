import { z } from 'zod'

/** A whole number in a query string, without the surprises of Number(''): digits only. */
export const Digits = z
  .string()
  .regex(/^\d{1,15}$/, 'Send a whole number, 0 or more.')
  .transform(Number)
