import type { LanguageTag } from '../../../domain/language.ts'
import type { Messages } from './en.ts'
import { ENGLISH, type Language } from './language.ts'

/** Each catalogue is loaded at its first use: all of them would add 60 ms to the start of the process. */
const CATALOGUES: Readonly<Record<LanguageTag, () => Promise<Messages>>> = {
  en: async () => ENGLISH.messages,
  de: async () => (await import('./de.ts')).de,
  es: async () => (await import('./es.ts')).es,
  fr: async () => (await import('./fr.ts')).fr,
  'pt-BR': async () => (await import('./pt-br.ts')).ptBr,
  it: async () => (await import('./it.ts')).it,
  nl: async () => (await import('./nl.ts')).nl,
  pl: async () => (await import('./pl.ts')).pl,
  ja: async () => (await import('./ja.ts')).ja,
  ko: async () => (await import('./ko.ts')).ko,
  'zh-Hans': async () => (await import('./zh-hans.ts')).zhHans,
  hi: async () => (await import('./hi.ts')).hi,
  ar: async () => (await import('./ar.ts')).ar,
}

export const messagesIn = (tag: LanguageTag): Promise<Messages> => CATALOGUES[tag]()

export const languageIn = async (tag: LanguageTag, requested = false): Promise<Language> => ({
  tag,
  direction: tag === 'ar' ? 'rtl' : 'ltr',
  messages: await messagesIn(tag),
  requested,
})
