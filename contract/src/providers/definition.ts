import * as z from 'zod'
import { PROVIDER_SECRET_MAX_CHARACTERS, PROVIDER_SECRET_MIN_CHARACTERS } from '../limits.ts'

/** What the service knows of a provider. What `identity/providers` adds is how its protocol differs from OpenID Connect. */
export interface ProviderDefinition<Own extends z.ZodObject = z.ZodObject> {
  /** What people call it. */
  readonly label: string
  /**
   * The issuer of its users, the same for every client; `{directory}` is the id of any directory. null: a setting of the
   * operator (Google), or what an owner enters.
   */
  readonly issuer: string | null
  /** It shows its account chooser to everyone if it is asked to, so that a sign-in needs a click. */
  readonly chooser: boolean
  /** It posts its response as a form, which no relay can redirect. */
  readonly formPost: boolean
  /** It sends the name of a user with the first sign-in only. */
  readonly namesOnce: boolean
  /** What an owner should know who imports its users. null: their subjects are the same for every client. */
  readonly importWarning: string | null
  /** What an owner enters for a client of their own. */
  readonly ownClient: Own
  /** The fields of `ownClient` that not every provider has. */
  readonly fields: Readonly<Record<Exclude<keyof Own['shape'], CommonField>, ProviderField>>
  /** The operator's client, which projects can share. null: there can't be one. */
  readonly operator: OperatorClient | null
}

/** How a field is explained. */
export interface ProviderField {
  readonly label: string
  readonly hint: string
  /** For the reference, after the name of the provider. */
  readonly doc: string
  /** It is a secret of several lines. */
  readonly secretRows?: number
}

interface OperatorClient {
  /**
   * What the operator sets besides `<NAME>_CLIENT_ID` and `<NAME>_CLIENT_SECRET`: `directory` is `<NAME>_DIRECTORY`. A message
   * follows the name of the setting. Every setting has a default.
   */
  readonly settings: z.ZodObject
  /**
   * Its mark as its guidelines show it: unchanged, in its colors, on the background that they name (`.provider` in
   * style.css). It is part of the page, so nothing is loaded from another site.
   */
  readonly mark: string
}

const COMMON = {
  mode: z.literal('own').optional(),
  redirect_uri: z.string().max(2_048).optional(),
}

type CommonField = keyof typeof COMMON | 'client_id' | 'client_secret'

/** Visible ASCII: a secret with a space or a line break was not copied as it is. */
const Secret = z
  .string()
  .min(PROVIDER_SECRET_MIN_CHARACTERS)
  .max(PROVIDER_SECRET_MAX_CHARACTERS)
  .regex(/^[\x21-\x7e]*$/, 'Send the secret without spaces or line breaks.')

/** A client with an id and a secret, and with the further fields of this provider. */
export const secretClient = <Fields extends z.ZodRawShape>(clientId: z.ZodString, fields: Fields) =>
  z.strictObject({ ...COMMON, client_id: clientId, client_secret: Secret, ...fields })

/** A client that authenticates with something else than a secret. */
export const keyClient = <Fields extends z.ZodRawShape>(clientId: z.ZodString, fields: Fields) =>
  z.strictObject({ ...COMMON, client_id: clientId, ...fields })
