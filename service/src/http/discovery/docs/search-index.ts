import MiniSearch from 'minisearch'
import language from '../../../../content/docs/search.json' with { type: 'json' }
import { lazy } from '../../../domain/lazy.ts'
import { yieldToEventLoop } from '../../../operations/yield-to-event-loop.ts'
import type { DocsSearch, Section } from '../../dependencies.ts'
import { memoize } from '../publish.ts'
import { markdownOf } from './docs.ts'
import { EVERY_PAGE } from './page-list.ts'
import { type SearchedSection, sectionsOf } from './sections.ts'

const RESULTS_MAX = 15
const KNOWN_MAX = 500

export function docsSearch(baseUrl: string, development: boolean): DocsSearch {
  const index = memoize(() => buildIndex(baseUrl, development))
  const results = new Map<string, readonly Section[]>()
  return {
    build: async () => void (await index()),
    known: (words) => results.get(words.join(' ')),
    async find(words) {
      const found = findSections(await index(), words)
      const [oldest] = results.keys()
      if (results.size >= KNOWN_MAX && oldest !== undefined) {
        results.delete(oldest)
      }
      results.set(words.join(' '), found)
      return found
    },
  }
}

interface Index {
  readonly sections: readonly SearchedSection[]
  /** Knows a section by its place in the list. */
  readonly engine: MiniSearch
}

async function buildIndex(baseUrl: string, development: boolean): Promise<Index> {
  const sections: SearchedSection[] = []
  const engine = new MiniSearch({
    fields: ['heading', 'shownAs', 'page', 'text', 'code'],
    tokenize: termsOf,
    processTerm: stemOf,
  })
  const { openApiDocument } = await import('../openapi/document.ts')
  const document = lazy(() => openApiDocument(baseUrl, development))

  for (const page of EVERY_PAGE) {
    const markdown = await markdownOf(page, baseUrl, development, document)
    for (const section of sectionsOf(page, markdown)) {
      const id = sections.push(section) - 1
      engine.add({ ...section, id })
    }
    await yieldToEventLoop()
  }
  return { sections, engine }
}

/** What an occurrence counts, compared with one in the text. */
const FIELD_BOOSTS = { heading: 3, shownAs: 3, page: 2, code: 0.5 }
/** Guides explain, so they come before the reference when both match alike. */
const GUIDE_BOOST = 1.3

function findSections({ sections, engine }: Index, words: readonly string[]): Section[] {
  const sectionOf = (id: number): SearchedSection => sections[id] as SearchedSection

  const found = engine.search(words.join(' '), {
    tokenize: (query) => query.split(' '),
    processTerm: withSynonyms,
    prefix: (stem) => stem.length > 2,
    fuzzy: errorsAllowed,
    boost: FIELD_BOOSTS,
    boostDocument: (id) => (sectionOf(id).isGuide ? GUIDE_BOOST : 1),
  })
  return found.slice(0, RESULTS_MAX).map(({ id }) => sectionOf(id))
}

function withSynonyms(word: string): string[] {
  const stem = stemOf(word)
  return [stem, ...(SYNONYMS.get(stem) ?? [])]
}

/** How many letters may be missing, added or wrong. */
function errorsAllowed(stem: string): number {
  if (stem.length < 4) {
    return 0
  }
  return stem.length < 7 ? 1 : 2
}

const WORD = /[\p{L}\p{N}_]+/gu

/** `invalidRedirectUri` and `redirect_uri` are also their parts, and `Next.js` is `nextjs`, too. */
function termsOf(text: string): string[] {
  const parts = text.replace(/([a-z])([A-Z])|_/g, '$1 $2')
  const names = (text.match(/\b\w+\.js\b/gi) ?? []).map((name) => name.replace('.', ''))
  return [text, parts, ...names].flatMap((each) => each.match(WORD) ?? [])
}

/** Without the endings of plurals and verbs: `signing`, `signs` and `signed` are `sign`. */
export function stemOf(word: string): string {
  const lower = word.toLowerCase()
  if (lower.length < 5) {
    return lower.replace(/(?<=\w{3})s$/, '')
  }
  return lower
    .replace(/(?<=[^s])s$/, '')
    .replace(/(?<=\w{3})ie$/, 'y')
    .replace(/(?<=\w{3})(ation|ing|ed|e)$/, '')
    .replace(/([bdglmnprt])\1$/, '$1')
}

export const QUERY_MAX_CHARACTERS = 100
const WORDS_MAX = 8

/** The words of a query, in lower case, without those that every page has, and with phrases as the documentation has them. */
export function wordsOf(query: string): string[] {
  const all =
    query
      .slice(0, QUERY_MAX_CHARACTERS)
      .toLowerCase()
      .replace(/\.js\b/g, 'js')
      .match(WORD) ?? []
  const telling = all.filter((word) => !IGNORED.has(word))
  const words = new Set(telling.length === 0 ? all : telling)
  for (const [phrase, others] of Object.entries(language.phrases)) {
    const parts = phrase.split(' ')
    if (!parts.every((part) => words.has(part))) {
      continue
    }
    for (const part of parts) {
      words.delete(part)
    }
    for (const other of others.split(' ')) {
      words.add(other)
    }
  }
  return [...words].slice(0, WORDS_MAX)
}

const IGNORED = new Set(language.ignored.split(' '))
const SYNONYMS = new Map(
  language.same.map(([word = '', ...others]) => [stemOf(word), others.map(stemOf)]),
)
