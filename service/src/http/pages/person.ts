import { displayText } from './display-text.ts'
import { initials } from './initials.ts'
import { type Html, html } from './markup.ts'

export interface Person {
  readonly email: string
  readonly name: string | null
}

/** Who is signed in here. The picture is left out: it would be a request to another site. */
export const personRow = (person: Person): Html => html`<p class="person">
  <span class="initials" aria-hidden="true">${initials(displayText(person.name ?? '') || displayText(person.email))}</span>
  <span>${personNames(person)}</span>
</p>`

/** The name, when there is one, over the address. */
export function personNames({ email, name }: Person): Html {
  const called = displayText(name ?? '')
  // <bdi>: a name written from right to left must not reorder the words around it.
  return html`${called && html`<strong><bdi>${called}</bdi></strong> `}<span class="address">${emailText(email)}</span>`
}

// 254 is the length of the longest address that mail can be sent to (RFC 5321, errata 1690).
export const emailText = (email: string): Html => html`<bdi>${displayText(email, 254)}</bdi>`
