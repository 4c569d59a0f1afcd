/** An id in a path; null if it is not a number that an id can have. */
export const numberIn = (text: string): number | null =>
  /^\d{1,15}$/.test(text) ? Number(text) : null
