/** For `JSON.stringify`. Four digits are more than the spread of any measurement allows for. */
export const rounded = (_key: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value
