import type { IndexedSection } from './search-index.ts'

export const QUERY_MAX_CHARACTERS = 100
const WORDS_MAX = 8

/** The words of a query, in lower case. */
export const wordsOf = (query: string): string[] =>
  [
    ...new Set(
      query
        .slice(0, QUERY_MAX_CHARACTERS)
        .toLowerCase()
        .match(/[\p{L}\p{N}_]+/gu) ?? [],
    ),
  ].slice(0, WORDS_MAX)

/** The best sections first: those with more of the words, and with words in their title. */
export function findSections(index: readonly IndexedSection[], query: string, limit: number): IndexedSection[] {
  const words = wordsOf(query)
  if (words.length === 0) return []
  const scored = index
    .map((section) => {
      const scores = words.map((word) => scoreOf(section, word))
      const matched = scores.filter((score) => score > 0).length
      return { section, matched, score: scores.reduce((sum, score) => sum + score, section.isGuide ? 1 : 0) }
    })
    .filter(({ matched }) => matched > 0)
  return scored
    .sort((a, b) => b.matched - a.matched || b.score - a.score)
    .slice(0, limit)
    .map(({ section }) => section)
}

/** 0: the word does not occur. */
function scoreOf({ heading, page, text, code }: IndexedSection, word: string): number {
  const occurrences = `${text} ${code}`.toLowerCase().split(word).length - 1
  return inTitle(heading, word) * 3 + inTitle(page, word) * 2 + Math.min(occurrences, 4)
}

/** 3: a whole word, 2: the start of one, 1: a part. `camelCase` is several words. */
function inTitle(title: string, word: string): number {
  const lower = title.toLowerCase()
  const parts = [lower, title.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()].flatMap(
    (each) => each.match(/[\p{L}\p{N}_]+/gu) ?? [],
  )
  if (parts.includes(word)) return 3
  if (parts.some((part) => part.startsWith(word))) return 2
  return lower.includes(word) ? 1 : 0
}
