import type { LanguageTag } from '../../../domain/language.ts'
import { readInstalled } from '../../../folders.ts'
import { type Catalogue, ENGLISH_MESSAGES, type Messages, readMessages } from './messages.ts'

/** The language of a page. */
export interface Language {
  readonly tag: LanguageTag
  readonly direction: 'ltr' | 'rtl'
  readonly messages: Messages
  /** `ui_locales` asked for it: links and forms of the page ask for it, too. */
  readonly requested: boolean
}

/** The language of pages for developers and owners. */
export const ENGLISH: Language = {
  tag: 'en',
  direction: 'ltr',
  messages: ENGLISH_MESSAGES,
  requested: false,
}

/** A path of this site, in the language of this page. */
export function inLanguage({ tag, requested }: Language, path: string): string {
  if (!requested) {
    return path
  }
  return `${path}${path.includes('?') ? '&' : '?'}ui_locales=${tag}`
}

/** Each catalogue is loaded at its first use: all of them would slow the start of the process. */
const loaded = new Map<LanguageTag, Messages>([['en', ENGLISH_MESSAGES]])

export function messagesIn(tag: LanguageTag): Messages {
  const catalogue = () =>
    JSON.parse(readInstalled('content', `languages/${tag.toLowerCase()}.json`).toString())
  const messages = loaded.get(tag) ?? readMessages(tag, catalogue() as Catalogue)
  loaded.set(tag, messages)
  return messages
}

export const languageIn = (tag: LanguageTag, requested = false): Language => ({
  tag,
  direction: tag === 'ar' ? 'rtl' : 'ltr',
  messages: messagesIn(tag),
  requested,
})
