import { writeFileSync } from 'node:fs'
import path from 'node:path'
import * as contract from '@gatehouse-auth/contract'
import * as z from 'zod'

// Writes the SDK's types of the management API and of the providers. The SDK has no dependency, so it cannot import them from the contract. Run this
// after a change of the contract: npx node scripts/sdk-types.ts

const SDK = path.join(import.meta.dirname, '../sdk/src')

/** The content of each generated file. */
export const SDK_FILES: Readonly<Record<string, () => string>> = {
  [path.join(SDK, 'management/types.ts')]: sdkTypes,
  [path.join(SDK, 'login/provider-clients.ts')]: providerClients,
}

interface SdkType {
  readonly schema: z.ZodType
  /** The app sends it: a field with a default is optional. */
  readonly sent?: true
  /** For a schema without a description, or whose description is about REST. */
  readonly doc?: string
}

const { UserDetails, Provider, Brand, DomainCheck, AuditEntry, AuthEvent } = contract

/** By name in the SDK. A type stands before those that use it, which then name it instead of repeating it. */
const TYPES: Readonly<Record<string, SdkType>> = {
  Claims: { schema: contract.Claims },
  IdTokenSettings: { schema: contract.IdTokenSettings },
  SocialLoginSettings: { schema: contract.SocialLoginSettings },
  Invitation: { schema: contract.Invitation },
  NewInvitation: { schema: contract.createInvitation.body.unwrap(), sent: true },
  Refusal: { schema: contract.Refusal },
  AuditAction: { schema: AuditEntry.shape.action },
  AuditEntry: { schema: AuditEntry },
  AuthEventKind: { schema: AuthEvent.shape.event },
  AuthEvent: { schema: AuthEvent },
  UserMetadata: { schema: contract.UserMetadata },
  UserInclude: {
    schema: z.enum(contract.USER_INCLUDES),
    doc: 'A field that a user has only if you ask for it.',
  },
  UserIdentity: { schema: UserDetails.shape.identities.unwrap().element },
  ManagedUser: { schema: UserDetails },
  UserSession: { schema: contract.UserSession },
  ImportedIdentity: { schema: contract.ImportedUser.shape.identities.unwrap().element, sent: true },
  ImportedUser: { schema: contract.ImportedUser, sent: true },
  ImportResult: { schema: contract.ImportResult },
  ImportReport: { schema: contract.importUsers.ok.body },
  RemovalRequest: { schema: contract.RemovalRequest },
  ProviderMode: { schema: Provider.shape.mode },
  Provider: { schema: Provider },
  ProviderTestResult: { schema: contract.testProvider.ok.body },
  Accent: { schema: Brand.shape.accent },
  BrandSettings: { schema: contract.BrandSettings, sent: true },
  Brand: { schema: Brand },
  Domain: { schema: contract.Domain },
  Proof: { schema: DomainCheck.shape.found.shape.dns },
  DomainCheck: { schema: DomainCheck },
  WebhookType: { schema: contract.WebhookEvents.element },
  Webhook: { schema: contract.Webhook },
  NewWebhook: { schema: contract.createWebhook.body, sent: true },
  WebhookChange: { schema: contract.changeWebhook.body, sent: true },
  CreatedWebhook: {
    schema: contract.createWebhook.ok.body,
    doc: '`secret` is returned only here. Store it.',
  },
  RotatedSecret: {
    schema: contract.rotateWebhookSecret.ok.body,
    doc: 'Until `previous_until`, deliveries are signed with the old secret, too.',
  },
  WebhookTestResult: { schema: contract.WebhookTestResult },
  WebhookDelivery: { schema: contract.WebhookDelivery },
  WebhookReplay: { schema: contract.replayWebhook.body, sent: true },
}

/** By hand in the SDK: a JSON schema has no template literal types. */
const IMPORTS: Readonly<Record<string, string>> = { ProviderName: '../login/provider.ts' }

/** The reference speaks of itself and of tenants, the SDK's documentation of the service and of the reader's project. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bthis service\b/g, 'the service'],
  [/\b(this|the) tenant\b/g, 'your project'],
]

const HEADER =
  '// Generated from contract/src by `npx node scripts/sdk-types.ts`. Change the contract, not this file.'

type Schema = z.core.JSONSchema.BaseSchema

const LINE_WIDTH = 100

function sdkTypes(): string {
  const writer = new Writer()
  const types = Object.entries(TYPES).map(([name, type]) => writer.declaration(name, type))
  const imports = Object.entries(IMPORTS).map(
    ([name, from]) => `import type { ${name} } from '${from}'\n`,
  )
  return [`${HEADER}\n`, imports.join(''), ...types].join('\n')
}

/** What an owner enters for a client of each kind of provider, and the names of the providers. */
function providerClients(): string {
  const kinds = Object.entries<contract.ProviderDefinition>(contract.PROVIDER_KINDS)
  const clients = kinds.map(([kind, definition]) => [kind, clientSchema(definition)])
  const writer = new Writer()
  const declaration = writer.declaration('ProviderClients', {
    schema: z.strictObject(Object.fromEntries(clients)),
    sent: true,
    doc: 'Your own client, by provider.',
  })
  const labels = Object.entries(contract.PROVIDERS).map(
    ([name, { label }]) => `  ${name}: ${literal(label)},\n`,
  )
  return [
    `${HEADER}\n`,
    declaration,
    `/** For people. */\nexport const PROVIDER_LABELS = {\n${labels.join('')}} as const\n`,
  ].join('\n')
}

/** Without `mode`, which the SDK sends, and with the documentation of each field. */
function clientSchema({ ownClient, fields }: contract.ProviderDefinition): z.ZodType {
  const { mode: _mode, redirect_uri, ...shape } = ownClient(z).shape
  const described = Object.entries(shape).map(([name, schema]) => {
    const { doc = '' } = fields[name] ?? {}
    return [name, (schema as z.ZodType).describe(doc.charAt(0).toUpperCase() + doc.slice(1))]
  })
  return z.strictObject({
    ...Object.fromEntries(described),
    redirect_uri: (redirect_uri as z.ZodType).describe(
      'A URL of your app that relays the response (`relayProvider`). Default: the callback of the service.',
    ),
  })
}

/** Writes in the format of Biome, so that the file is checked like every other. */
class Writer {
  /** What has been declared, by the text of its type. */
  readonly #declared = new Map<string, { readonly name: string; readonly doc: string }>()
  #definitions: Readonly<Record<string, Schema>> = {}

  declaration(name: string, { schema, sent, doc: ownDoc }: SdkType): string {
    const written = z.toJSONSchema(schema, {
      io: sent ? 'input' : 'output',
      override: openFailureCodes,
    }) as Schema
    this.#definitions = (written.$defs ?? {}) as Readonly<Record<string, Schema>>
    const root = this.#resolve(written)
    const description = plain(ownDoc ?? root.description ?? '')
    const doc = hasTimes(root) ? `${description} Times are ISO 8601.`.trim() : description
    const type = this.#anonymous(root, '')
    this.#declared.set(type, { name, doc })
    const declared = type.startsWith('{')
      ? `export interface ${name} ${type}`
      : withType(`export type ${name} =`, type, '')
    return `${comment(doc, '')}${declared}\n`
  }

  #type(schema: Schema, indent: string): string {
    const text = this.#anonymous(schema, indent)
    // Named types are known by their text without indentation.
    const atMargin = indent === '' ? text : this.#anonymous(schema, '')
    return this.#declared.get(atMargin)?.name ?? text
  }

  #anonymous(schema: Schema, indent: string): string {
    const reference = schema.$ref?.split('/').at(-1)
    if (reference !== undefined && reference in IMPORTS) {
      return reference
    }
    if (schema.$ref !== undefined) {
      return this.#type(this.#resolve(schema), indent)
    }
    if (schema.anyOf !== undefined) {
      return schema.anyOf.map((member) => this.#type(member as Schema, indent)).join(' | ')
    }
    if (schema.const !== undefined) {
      return literal(schema.const)
    }
    if (schema.enum !== undefined) {
      return schema.enum.map(literal).join(' | ')
    }
    if (Array.isArray(schema.type)) {
      return schema.type.map((type) => this.#anonymous({ type }, indent)).join(' | ')
    }
    switch (schema.type) {
      case 'string':
      case 'boolean':
      case 'null':
        return schema.type
      case 'integer':
      case 'number':
        return 'number'
      case 'array':
        return this.#array(schema.items as Schema, indent)
      case 'object':
        return schema.properties === undefined
          ? this.#record(schema, indent)
          : this.#object(schema, indent)
      default:
        throw new Error(`No type for ${JSON.stringify(schema)}`)
    }
  }

  #array(items: Schema, indent: string): string {
    const item = this.#type(items, indent)
    return item.includes(' | ') ? `readonly (${item})[]` : `readonly ${item}[]`
  }

  #record({ additionalProperties: values }: Schema, indent: string): string {
    const isTyped = typeof values === 'object' && Object.keys(values).length > 0
    return `Readonly<Record<string, ${isTyped ? this.#type(values as Schema, indent) : 'unknown'}>>`
  }

  /** Responses may have further fields: they are not part of the type. */
  #object({ properties = {}, required = [] }: Schema, indent: string): string {
    const inner = `${indent}  `
    const lines = Object.entries(properties as Readonly<Record<string, Schema>>).map(
      ([key, property]) => {
        const isRequired = required.includes(key)
        const type = this.#type(property, inner)
        const head = `${inner}readonly ${key}${isRequired ? '' : '?'}:`
        return (
          this.#commentOf(property, type, inner) +
          withType(head, isRequired ? type : `${type} | undefined`, inner)
        )
      },
    )
    return `{\n${lines.join('\n')}\n${indent}}`
  }

  /** None, if the named type already says it. */
  #commentOf(property: Schema, type: string, indent: string): string {
    const doc = plain(property.description ?? '')
    const isSaid = [...this.#declared.values()].some(
      (declared) => declared.name === type && declared.doc === doc,
    )
    return isSaid ? '' : comment(doc, indent)
  }

  #resolve(schema: Schema): Schema {
    const definition = this.#definitions[schema.$ref?.split('/').at(-1) ?? '']
    const { $ref: _resolved, ...own } = schema
    return definition === undefined ? schema : { ...definition, ...own }
  }
}

/** An `error_code` may be one of a later version. */
function openFailureCodes({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: unknown
  jsonSchema: Schema
}): void {
  if (zodSchema === contract.LoginFailureCode) {
    delete jsonSchema.enum
  }
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value}'` : String(value)

const plain = (text: string): string =>
  WORDS.reduce((result, [from, to]) => result.replace(from, to), text)

const hasTimes = ({ properties = {} }: Schema): boolean =>
  JSON.stringify(Object.values(properties)).includes('"date-time"')

function withType(head: string, type: string, indent: string): string {
  const line = `${head} ${type}`
  if (type.includes('\n') || line.length <= LINE_WIDTH) {
    return line
  }
  return [head, ...type.split(' | ').map((member) => `${indent}  | ${member}`)].join('\n')
}

function comment(text: string, indent: string): string {
  if (text === '') {
    return ''
  }
  const line = `${indent}/** ${text} */`
  if (line.length <= LINE_WIDTH) {
    return `${line}\n`
  }
  const lines = ['']
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`
    if (`${indent} *${longer}`.length <= LINE_WIDTH) {
      lines[lines.length - 1] = longer
    } else {
      lines.push(` ${word}`)
    }
  }
  return `${indent}/**\n${lines.map((each) => `${indent} *${each}\n`).join('')}${indent} */\n`
}

if (import.meta.main) {
  for (const [file, content] of Object.entries(SDK_FILES)) {
    writeFileSync(file, content())
  }
}
