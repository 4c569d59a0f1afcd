import { Anchors, plainText } from './anchors.ts'
import { markdownOf } from './docs.ts'
import { API_PATH } from './operations.ts'
import { type DocsPage, EVERY_PAGE } from './page-list.ts'

/** A part of a page: its title and introduction, or a heading and what follows it. */
export interface IndexedSection {
  readonly path: string
  /** The label of its page. */
  readonly page: string
  readonly heading: string
  readonly text: string
  readonly code: string
  /** Guides explain, so they come before the reference when both match alike. */
  readonly isGuide: boolean
  /** Text and code in lower case, and the words of both titles: prepared once, because each search reads every section. */
  readonly searched: { readonly content: string; readonly heading: SearchedTitle; readonly page: SearchedTitle }
}

interface SearchedTitle {
  readonly lower: string
  readonly words: readonly string[]
}

/** Every section of every page. */
export const buildIndex = async (baseUrl: string, development: boolean): Promise<readonly IndexedSection[]> =>
  (
    await Promise.all(EVERY_PAGE.map(async (page) => sectionsOf(page, await markdownOf(page, baseUrl, development))))
  ).flat()

/** Splits a page at its headings, with the anchors that its HTML has. */
function sectionsOf({ path, label, source, parent }: DocsPage, markdown: string): IndexedSection[] {
  const anchors = new Anchors()
  const isGuide = 'file' in source
  return splitAtHeadings(markdown).map(({ depth, heading, body }) => {
    const { words, id } = depth < 2 ? { words: label, id: null } : anchors.next(heading)
    const page = parent === API_PATH ? `API: ${label}` : label
    const text = plainText(body.replace(CODE_BLOCK, ''))
    const code = (body.match(CODE_BLOCK) ?? []).map(plainText).join(' ')
    const searched = { content: `${text} ${code}`.toLowerCase(), heading: titleOf(words), page: titleOf(page) }
    return { path: id === null ? path : `${path}#${id}`, page, heading: words, text, code, isGuide, searched }
  })
}

const CODE_BLOCK = /^```.*?^```$/gms

interface Part {
  readonly depth: number
  readonly heading: string
  readonly body: string
}

function splitAtHeadings(markdown: string): Part[] {
  const parts: { depth: number; heading: string; body: string }[] = []
  let isCode = false
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    const [, marks = '', heading = ''] = (!isCode && /^(#{1,4}) (.+)$/.exec(line)) || []
    if (marks !== '') parts.push({ depth: marks.length, heading, body: '' })
    else {
      const part = parts.at(-1)
      if (part !== undefined) part.body += `${line}\n`
    }
  }
  return parts
}

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

const OCCURRENCES_MAX = 4

/** 0: the word does not occur. */
function scoreOf({ searched: { content, heading, page } }: IndexedSection, word: string): number {
  let occurrences = 0
  for (let at = content.indexOf(word); at !== -1 && occurrences < OCCURRENCES_MAX; occurrences++)
    at = content.indexOf(word, at + word.length)
  return inTitle(heading, word) * 3 + inTitle(page, word) * 2 + occurrences
}

/** 3: a whole word, 2: the start of one, 1: a part. */
function inTitle({ lower, words }: SearchedTitle, word: string): number {
  if (!lower.includes(word)) return 0
  if (words.includes(word)) return 3
  return words.some((each) => each.startsWith(word)) ? 2 : 1
}

/** `camelCase` is several words. */
function titleOf(title: string): SearchedTitle {
  const lower = title.toLowerCase()
  const words = [lower, title.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()].flatMap(
    (each) => each.match(/[\p{L}\p{N}_]+/gu) ?? [],
  )
  return { lower, words }
}
