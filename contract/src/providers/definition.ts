import type * as zod from 'zod'
import { PROVIDER_SECRET_MAX_CHARACTERS, PROVIDER_SECRET_MIN_CHARACTERS } from '../limits.ts'

/** What the service knows of a provider. What `identity/providers` adds is how its protocol differs from OpenID Connect. */
export interface ProviderDefinition<Own extends zod.ZodObject = zod.ZodObject> {
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
  /**
   * What an owner enters for a client of their own. A function, because a start of the service reads the definitions and
   * loads no schemas (decision 63).
   */
  readonly ownClient: (z: Zod) => Own
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
   * What the operator sets besides `<NAME>_CLIENT_ID` and `<NAME>_CLIENT_SECRET`: `directory` is `<NAME>_DIRECTORY`.
   */
  readonly settings: Readonly<Record<string, OperatorSetting>>
  /**
   * Its mark as its guidelines show it: unchanged, in its colors, on the background that they name (`.provider` in
   * style.css). It is part of the page, so nothing is loaded from another site.
   */
  readonly mark: string
}

/** A setting of the operator's client. The problem follows its name. */
interface OperatorSetting {
  readonly pattern: RegExp
  readonly problem: string
  readonly default: string
}

export type Zod = typeof zod

type CommonField = 'mode' | 'redirect_uri' | 'client_id' | 'client_secret'

const common = (z: Zod) => ({
  mode: z.literal('own').optional(),
  redirect_uri: z.string().max(2_048).optional(),
})

/** Visible ASCII: a secret with a space or a line break was not copied as it is. */
const secret = (z: Zod) =>
  z
    .string()
    .min(PROVIDER_SECRET_MIN_CHARACTERS)
    .max(PROVIDER_SECRET_MAX_CHARACTERS)
    .regex(/^[\x21-\x7e]*$/, 'Send the secret without spaces or line breaks.')

/** A client with an id and a secret, and with the further fields of this provider. */
export const secretClient = <Fields extends zod.ZodRawShape>(
  z: Zod,
  clientId: zod.ZodString,
  fields: Fields,
) => z.strictObject({ ...common(z), client_id: clientId, client_secret: secret(z), ...fields })

/** A client that authenticates with something else than a secret. */
export const keyClient = <Fields extends zod.ZodRawShape>(
  z: Zod,
  clientId: zod.ZodString,
  fields: Fields,
) => z.strictObject({ ...common(z), client_id: clientId, ...fields })
