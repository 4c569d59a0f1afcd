/** The languages of the pages that people see. The first one is for everyone else. */
export const LANGUAGE_TAGS = [
  'en',
  'de',
  'es',
  'fr',
  'pt-BR',
  'it',
  'nl',
  'pl',
  'ja',
  'ko',
  'zh-Hans',
  'hi',
  'ar',
] as const

export type LanguageTag = (typeof LANGUAGE_TAGS)[number]

interface LanguageWishes {
  /** The parameter `ui_locales` of this request (OpenID Connect Core, section 3.1.2.1). */
  readonly uiLocales?: string | undefined
  /** What an earlier request of the same sign-in wished. */
  readonly kept?: LanguageTag | null
  /** The header `Accept-Language` (RFC 9110, section 12.5.4). */
  readonly accepted?: string | undefined
}

/** The first wish that can be fulfilled. A malformed wish is none. */
export function pickLanguage({ uiLocales, kept = null, accepted }: LanguageWishes): LanguageTag {
  return (
    requestedLanguage(uiLocales) ?? kept ?? lookup(acceptedRanges(accepted)) ?? LANGUAGE_TAGS[0]
  )
}

/** The language that `ui_locales` asks for, if it is one of ours. */
export const requestedLanguage = (uiLocales: string | undefined): LanguageTag | null =>
  lookup(requestedRanges(uiLocales))

/** The well-formed tags of `ui_locales`, for a provider. undefined: there are none. */
export const cleanUiLocales = (uiLocales: string | undefined): string | undefined =>
  requestedRanges(uiLocales).join(' ') || undefined

export const isLanguageTag = (text: string | undefined): text is LanguageTag =>
  LANGUAGE_TAGS.some((tag) => tag === text)

/** Longer input is ignored: no browser sends so much. */
const MAX_CHARACTERS = 500
const MAX_RANGES = 20

/** RFC 4647, section 2.1: a basic language range, without the wildcard, which names no language. */
const RANGE = /^[a-z]{1,8}(-[a-z0-9]{1,8}){0,7}$/i

function requestedRanges(uiLocales: string | undefined): string[] {
  if (uiLocales === undefined || uiLocales.length > MAX_CHARACTERS) {
    return []
  }
  return uiLocales
    .split(' ')
    .filter((range) => RANGE.test(range))
    .slice(0, MAX_RANGES)
}

/** By descending quality; equal ones in the order of the header. */
function acceptedRanges(header: string | undefined): string[] {
  if (header === undefined || header.length > MAX_CHARACTERS) {
    return []
  }
  return header
    .split(',')
    .slice(0, MAX_RANGES)
    .map(readWeighted)
    .filter(({ range, quality }) => RANGE.test(range) && quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ range }) => range)
}

/** `de-CH;q=0.8`. A quality that is none counts as 0, which means "not this one". */
function readWeighted(entry: string): { readonly range: string; readonly quality: number } {
  const [range = '', weight] = entry.split(';').map((part) => part.trim())
  if (weight === undefined) {
    return { range, quality: 1 }
  }
  const quality = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i.exec(weight)?.[1]
  return { range, quality: Number(quality ?? 0) }
}

/** Also by their first subtag, so that a lookup of `pt-PT` or `zh-CN`, truncated, finds the language. */
const BY_RANGE: ReadonlyMap<string, LanguageTag> = new Map(
  LANGUAGE_TAGS.flatMap((tag) => [
    [tag.toLowerCase(), tag],
    [primarySubtag(tag), tag],
  ]),
)

/** RFC 4647, section 3.4: each range is truncated from its end until it matches. */
function lookup(ranges: readonly string[]): LanguageTag | null {
  for (const range of ranges) {
    const subtags = range.toLowerCase().split('-')
    while (subtags.length > 0) {
      const found = BY_RANGE.get(subtags.join('-'))
      if (found !== undefined) {
        return found
      }
      subtags.pop()
    }
  }
  return null
}

function primarySubtag(tag: string): string {
  return tag.split('-')[0] ?? tag
}
