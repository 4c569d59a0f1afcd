import { PROVIDERS } from '@gatehouse-auth/contract'
import type { SharedProviderName } from '../../domain/providers/provider-client.ts'
import { hiddenFields } from './fields.ts'
import { ENGLISH, type Language } from './languages/language.ts'
import { type Html, html } from './markup.ts'

/** The providers with which people sign in to pages of this service: those at which the operator can have a client. */
export type PageProvider = 'google' | SharedProviderName

interface ProviderButton {
  readonly provider: PageProvider
  /** Google's guidelines allow these words on its button, and no others. */
  readonly words: 'signInWith' | 'continueWith'
  readonly language?: Language
}

/**
 * The marks of the providers, as their guidelines show them: unchanged, in their colors, on the background that they name
 * (`.provider` in style.css). They are part of the page, so nothing is loaded from another site.
 */
const MARKS: Readonly<Record<PageProvider, Html>> = {
  google: html`<svg viewBox="0 0 48 48" width="20" height="20" aria-hidden="true" focusable="false"><path fill="#EA4335" d="M24 9.5c3.54 0 6.71 1.22 9.21 3.6l6.85-6.85C35.9 2.38 30.47 0 24 0 14.62 0 6.51 5.38 2.56 13.22l7.98 6.19C12.43 13.72 17.74 9.5 24 9.5z"/><path fill="#4285F4" d="M46.98 24.55c0-1.57-.15-3.09-.38-4.55H24v9.02h12.94c-.58 2.96-2.26 5.48-4.78 7.18l7.73 6c4.51-4.18 7.09-10.36 7.09-17.65z"/><path fill="#FBBC05" d="M10.53 28.59c-.48-1.45-.76-2.99-.76-4.59s.27-3.14.76-4.59l-7.98-6.19C.92 16.46 0 20.12 0 24c0 3.88.92 7.54 2.56 10.78l7.97-6.19z"/><path fill="#34A853" d="M24 48c6.48 0 11.93-2.13 15.89-5.81l-7.73-6c-2.15 1.45-4.92 2.3-8.16 2.3-6.26 0-11.57-4.22-13.47-9.91l-7.98 6.19C6.51 42.62 14.62 48 24 48z"/></svg>`,
  github: html`<svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true" focusable="false"><path fill="currentColor" d="M8 0C3.58 0 0 3.58 0 8c0 3.54 2.29 6.53 5.47 7.59.4.07.55-.17.55-.38 0-.19-.01-.82-.01-1.49-2.01.37-2.53-.49-2.69-.94-.09-.23-.48-.94-.82-1.13-.28-.15-.68-.52-.01-.53.63-.01 1.08.58 1.23.82.72 1.21 1.87.87 2.33.66.07-.52.28-.87.51-1.07-1.78-.2-3.64-.89-3.64-3.95 0-.87.31-1.59.82-2.15-.08-.2-.36-1.02.08-2.12 0 0 .67-.21 2.2.82.64-.18 1.32-.27 2-.27s1.36.09 2 .27c1.53-1.04 2.2-.82 2.2-.82.44 1.1.16 1.92.08 2.12.51.56.82 1.27.82 2.15 0 3.07-1.87 3.75-3.65 3.95.29.25.54.73.54 1.48 0 1.07-.01 1.93-.01 2.2 0 .21.15.46.55.38A8.01 8.01 0 0 0 16 8c0-4.42-3.58-8-8-8z"/></svg>`,
  microsoft: html`<svg viewBox="0 0 21 21" width="20" height="20" aria-hidden="true" focusable="false"><path fill="#f25022" d="M0 0h10v10H0z"/><path fill="#7fba00" d="M11 0h10v10H11z"/><path fill="#00a4ef" d="M0 11h10v10H0z"/><path fill="#ffb900" d="M11 11h10v10H11z"/></svg>`,
}

export const PAGE_PROVIDERS = Object.keys(MARKS) as readonly PageProvider[]

export const isPageProvider = (name: string): name is PageProvider => Object.hasOwn(MARKS, name)

export const pageProviderName = (provider: PageProvider): string => PROVIDERS[provider].label

/** A button that leads to a provider. `formAction`: of a form with several buttons. */
export const providerButton = (
  { provider, words, language = ENGLISH }: ProviderButton,
  formAction?: string,
): Html =>
  html`<button class="provider"${formAction !== undefined && html` formaction="${formAction}"`}>${MARKS[provider]}<span>${language.messages.site[words](pageProviderName(provider))}</span></button>`

interface ProviderForm extends ProviderButton {
  readonly action: string
  /** Undefined only on pages without a session. */
  readonly csrf: string | undefined
  readonly fields?: Readonly<Record<string, string>>
}

/** The same, in a form of its own. */
export const providerForm = ({ action, csrf, fields = {}, ...button }: ProviderForm): Html =>
  html`<form method="post" action="${action}" class="actions">${hiddenFields({ csrf, ...fields })}${providerButton(button)}</form>`
