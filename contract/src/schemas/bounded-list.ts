import * as z from 'zod'

/**
 * A list whose length is checked before its elements, so that a long list of invalid elements is one problem instead of
 * one for each element.
 */
export const boundedList = <Item extends z.ZodType>(item: Item, max: number, tooLong: string) =>
  z.preprocess((list, ctx) => {
    if (!Array.isArray(list) || list.length <= max) return list
    ctx.issues.push({ code: 'custom', message: tooLong, input: list })
    return z.NEVER
  }, z.array(item).max(max))
