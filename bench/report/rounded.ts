/** A replacer for `JSON.stringify`. Four digits are more precise than any of the measurements. */
export const rounded = (_key: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value
