import { type LanguageTag, pickLanguage, requestedLanguage } from '../../domain/language.ts'
import type { Call } from '../dependencies.ts'
import { type Language, languageIn } from '../pages/languages/language.ts'

/** The language of the response to this request. `kept`: what an earlier request of the same sign-in asked for. */
export async function languageOf(c: Call, kept: LanguageTag | null = null): Promise<Language> {
  const uiLocales = c.req.query('ui_locales')
  const tag = pickLanguage({ uiLocales, kept, accepted: c.req.header('accept-language') })
  return languageIn(tag, (requestedLanguage(uiLocales) ?? kept) !== null)
}
