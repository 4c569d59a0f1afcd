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

/**
 * A list whose length is checked before its elements, so that a long list of invalid elements is one problem instead of
 * one for each element.
 */
export const boundedList = <Item extends z.ZodType>(item: Item, max: number, tooLong: string) =>
  z.preprocess((list, ctx) => {
    if (!Array.isArray(list) || list.length <= max) {
      return list
    }
    ctx.issues.push({ code: 'custom', message: tooLong, input: list })
    return z.NEVER
  }, z.array(item).max(max))

export const Allowance = z.strictObject({ used: z.int(), limit: z.int().nullable() }).meta({
  id: 'Allowance',
  description: 'Usage against a limit; `limit` is null when there is none.',
})

/**
 * The storage generation that a tenant was created on: `v1-1` SQLite, `v1-2` PostgreSQL. A tenant keeps its profile
 * permanently; an upgrade may add a profile but never moves data (spec, Versioning 6).
 */
export const RUNTIME_PROFILES = ['v1-1', 'v1-2'] as const

export type RuntimeProfile = (typeof RUNTIME_PROFILES)[number]

export const RuntimeProfileName = z.enum(RUNTIME_PROFILES)
