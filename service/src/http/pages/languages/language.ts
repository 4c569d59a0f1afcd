import type { LanguageTag } from '../../../domain/language.ts'
import { type Catalogue, ENGLISH_MESSAGES, type Messages, readMessages } from './messages.ts'

/** The language of a page. */
export interface Language {
  readonly tag: LanguageTag
  readonly direction: 'ltr' | 'rtl'
  readonly messages: Messages
  /** `ui_locales` asked for it: links and forms of the page ask for it, too. */
  readonly requested: boolean
}

/** Of pages for developers and owners. */
export const ENGLISH: Language = { tag: 'en', direction: 'ltr', messages: ENGLISH_MESSAGES, requested: false }

/** A path of this site, in the language of this page. */
export function inLanguage({ tag, requested }: Language, path: string): string {
  if (!requested) return path
  return `${path}${path.includes('?') ? '&' : '?'}ui_locales=${tag}`
}

/** Each catalogue is loaded at its first use: all of them would slow the start of the process. */
const CATALOGUES: Readonly<Record<Exclude<LanguageTag, 'en'>, () => Promise<{ readonly default: Catalogue }>>> = {
  de: () => import('../../../../content/languages/de.json', { with: { type: 'json' } }),
  es: () => import('../../../../content/languages/es.json', { with: { type: 'json' } }),
  fr: () => import('../../../../content/languages/fr.json', { with: { type: 'json' } }),
  'pt-BR': () => import('../../../../content/languages/pt-br.json', { with: { type: 'json' } }),
  it: () => import('../../../../content/languages/it.json', { with: { type: 'json' } }),
  nl: () => import('../../../../content/languages/nl.json', { with: { type: 'json' } }),
  pl: () => import('../../../../content/languages/pl.json', { with: { type: 'json' } }),
  ja: () => import('../../../../content/languages/ja.json', { with: { type: 'json' } }),
  ko: () => import('../../../../content/languages/ko.json', { with: { type: 'json' } }),
  'zh-Hans': () => import('../../../../content/languages/zh-hans.json', { with: { type: 'json' } }),
  hi: () => import('../../../../content/languages/hi.json', { with: { type: 'json' } }),
  ar: () => import('../../../../content/languages/ar.json', { with: { type: 'json' } }),
}

const loaded = new Map<LanguageTag, Messages>()

export async function messagesIn(tag: LanguageTag): Promise<Messages> {
  if (tag === 'en') return ENGLISH.messages
  const messages = loaded.get(tag) ?? readMessages(tag, (await CATALOGUES[tag]()).default)
  loaded.set(tag, messages)
  return messages
}

export const languageIn = async (tag: LanguageTag, requested = false): Promise<Language> => ({
  tag,
  direction: tag === 'ar' ? 'rtl' : 'ltr',
  messages: await messagesIn(tag),
  requested,
})
