/** One or two letters that stand in for a person's picture, which would be a request to another site. */
export function initials(name: string): string {
  const words = name.split(' ').filter((word) => /^[\p{L}\p{N}]/u.test(word))
  const first = words[0] ?? ''
  const last = words.length > 1 ? (words.at(-1) ?? '') : ''
  return [first, last].map((word) => ([...word][0] ?? '').toUpperCase()).join('')
}
