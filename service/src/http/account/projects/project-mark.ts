import type { Logo } from '../../../domain/brand/brand.ts'
import { logoPath } from '../../logo.ts'
import { type Html, html } from '../../pages/markup.ts'
import { displayText, initials } from '../../pages/text.ts'

export interface MarkedProject {
  readonly tenantId: string
  readonly name: string
  readonly logo: Logo | null
}

/** One of these, by the tenant's id: two projects side by side can be told apart. */
const COLORS = ['gray', 'blue', 'indigo', 'purple', 'pink', 'red', 'orange', 'green'] as const

/** The logo of the app, or the first letter of its name. */
export const projectMark = ({ tenantId, name, logo }: MarkedProject): Html =>
  logo === null
    ? html`<span class="monogram accent-${colorOf(tenantId)}" aria-hidden="true">${initials(displayText(name).replaceAll(/[^\p{L}\p{N}]+/gu, ' ')).slice(0, 1) || '?'}</span>`
    : html`<span class="logo" aria-hidden="true"><img src="${logoPath(tenantId, logo)}" alt="" width="48" height="48"></span>`

function colorOf(tenantId: string): (typeof COLORS)[number] {
  const sum = [...tenantId].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0)
  return COLORS[sum % COLORS.length] ?? 'gray'
}
