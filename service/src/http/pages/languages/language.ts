import type { LanguageTag } from '../../../domain/language.ts'
import { en, type Messages } from './en.ts'

/** The language of a page. */
export interface Language {
  readonly tag: LanguageTag
  readonly direction: 'ltr' | 'rtl'
  readonly messages: Messages
  /** `ui_locales` asked for it: links and forms of the page ask for it, too. */
  readonly requested: boolean
}

/** Of pages for developers and owners. */
export const ENGLISH: Language = { tag: 'en', direction: 'ltr', messages: en, requested: false }

/** A path of this site, in the language of this page. */
export function inLanguage({ tag, requested }: Language, path: string): string {
  if (!requested) return path
  return `${path}${path.includes('?') ? '&' : '?'}ui_locales=${tag}`
}
