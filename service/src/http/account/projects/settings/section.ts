import { type Html, html } from '../../../pages/markup.ts'
import { statusNotice } from '../../layout.ts'
import { accountPaths } from '../../paths.ts'

/** The sections of the settings, in the order of the page. Their names are the anchors. */
export const SECTIONS = {
  name: 'Name',
  callbacks: 'Callback URLs',
  access: 'Who can sign in',
  logins: 'Logins',
  brand: 'Branding',
  domains: 'Domains',
  providers: 'Sign-in providers',
  webhooks: 'Webhooks',
} as const

export type SectionName = keyof typeof SECTIONS

/** The result of the last action, shown in its section. */
export interface SectionNotice {
  readonly section: SectionName
  readonly message: string
}

export const settingsSection = (name: SectionName, notice: SectionNotice | undefined, body: Html): Html =>
  html`<section class="card setting" id="${name}">
    <h2>${SECTIONS[name]}</h2>
    ${statusNotice(notice?.section === name ? notice.message : undefined)}
    ${body}
  </section>`

/** Links to the sections: the page is long. */
export const sectionLinks = (tenantId: string): Html =>
  html`<nav class="section-links" aria-label="Settings">${Object.entries(SECTIONS).map(
    ([name, title]) => html`<a href="${accountPaths.settings(tenantId)}#${name}">${title}</a>`,
  )}</nav>`

/** Instead of a section that needs social login. */
export const afterCallbacks = html`<p class="none">Available after you register a callback URL.</p>`
