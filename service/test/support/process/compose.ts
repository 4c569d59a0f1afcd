import { createRequire } from 'node:module'

// js-yaml has no types.
const { load } = createRequire(import.meta.url)('js-yaml') as { load(text: string): unknown }

export interface ComposeService {
  readonly image: string
  readonly build?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly stop_grace_period?: string
  readonly networks: Readonly<Record<string, { readonly ipv4_address: string }>>
}

export interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes: Readonly<Record<string, null>>
  readonly networks: Readonly<
    Record<string, { readonly ipam: { readonly config: readonly { readonly subnet: string }[] } }>
  >
}

/** Parses a Compose file; YAML's anchors and merge keys are resolved. */
export const readCompose = (text: string): Compose => load(text) as Compose

/** Replaces `${NAME:?message}` by the value of that name. Throws if it is not given: Compose would print the message. */
export const interpolate = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\$\{([A-Z_]+):\?[^}]+\}/g, (_match, name: string) => {
    const value = values[name]
    if (value === undefined) {
      throw new Error(`${name} is not set`)
    }
    return value
  })
