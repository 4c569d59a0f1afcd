import { type Html, html } from './markup.ts'
import { displayText, initials } from './text.ts'

export interface Person {
  readonly email: string
  readonly name: string | null
}

/** Name, email address and initials. A profile picture would be a request to another site. */
export const personRow = (person: Person): Html => html`<p class="person">
  <span class="initials" aria-hidden="true">${initials(displayText(person.name ?? '') || displayText(person.email))}</span>
  <span>${personNames(person)}</span>
</p>`

/** The name, if there is one, above the email address. */
export function personNames({ email, name }: Person): Html {
  const shownName = displayText(name ?? '')
  // <bdi>: a right-to-left name must not reorder the words around it.
  return html`${shownName && html`<strong><bdi>${shownName}</bdi></strong> `}<span class="address">${emailText(email)}</span>`
}

// The longest valid email address has 254 characters (RFC 5321, erratum 1690).
export const emailText = (email: string): Html => html`<bdi>${displayText(email, 254)}</bdi>`
