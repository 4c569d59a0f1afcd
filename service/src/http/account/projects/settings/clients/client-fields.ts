import { OWN_CLIENTS, type ProviderKind } from '@gatehouse/contract'
import { textArea, textField } from '../../../../pages/fields.ts'
import { type Html, html } from '../../../../pages/markup.ts'
import type { FormState } from '../form-state.ts'

interface ClientField {
  readonly label: string
  readonly hint?: string
  /** Never sent back to the browser, also not when the form is shown again. */
  readonly secret?: boolean
  readonly optional?: boolean
  readonly rows?: number
}

/** The fields that the API has for clients, in the order of the form. Which ones a provider takes is in the contract. */
const FIELDS: Readonly<Record<string, ClientField>> = {
  display_name: { label: 'Name of the provider', hint: 'Users see it on the sign-in pages. At most 40 characters.' },
  issuer: { label: 'Issuer', hint: 'An https URL, as in its discovery document.' },
  client_id: { label: 'Client ID' },
  client_secret: { label: 'Client secret', secret: true },
  directory: {
    label: 'Directory',
    hint: 'Who can sign in: a directory id or its domain, organizations, consumers, or common for every account.',
  },
  team_id: { label: 'Team ID', hint: 'Ten characters.' },
  key_id: { label: 'Key ID', hint: 'Ten characters.' },
  private_key: { label: 'Private key', hint: 'The whole content of the .p8 file.', secret: true, rows: 6 },
  redirect_uri: {
    label: 'Relay URL',
    hint: 'Only if a URL of your app relays the provider’s response to this service. Leave it empty otherwise.',
    optional: true,
  },
}

/** Their names in the API. */
export const clientFieldNames = (kind: ProviderKind): string[] =>
  Object.keys(FIELDS).filter((name) => name in OWN_CLIENTS[kind].shape)

/** What the API would get: without empty optional fields. */
export function readClientFields(kind: ProviderKind, form: URLSearchParams): Record<string, string> {
  const given = clientFieldNames(kind).map((name) => [name, (form.get(name) ?? '').trim().replaceAll('\r\n', '\n')])
  return Object.fromEntries(given.filter(([name = '', value]) => value !== '' || FIELDS[name]?.optional !== true))
}

export const clientFields = (kind: ProviderKind, form: FormState, current: Readonly<Record<string, string>>): Html =>
  html`${clientFieldNames(kind).map((name) => field(name, form, current[name] ?? ''))}`

function field(name: string, form: FormState, current: string): Html {
  const { label, hint, secret = false, optional = false, rows } = FIELDS[name] ?? { label: name }
  const state = form.field(name, current)
  const shown = { ...state, value: secret ? '' : state.value, label, required: !optional }
  const described = hint === undefined ? shown : { ...shown, hint }
  return rows === undefined
    ? textField({ ...described, type: secret ? 'password' : 'text' })
    : textArea({ ...described, rows })
}
