import { API_VERSION } from '@gatehouse-auth/contract'
import described from '../../../../content/openapi/headers.json' with { type: 'json' }
import type { Header, Ref } from './types.ts'

export type HeaderName = keyof typeof described

/** Every response header that the document describes, by its name under `components`. */
export const HEADER_COMPONENTS: Readonly<Record<string, Header>> = {
  ...Object.fromEntries(
    Object.entries(described).map(([key, { name: _, ...header }]) => [key, header]),
  ),
  ApiVersion: {
    description: described.ApiVersion.description,
    required: true,
    schema: { type: 'string', const: API_VERSION },
  },
}

export const headers = (names: readonly HeaderName[]): Record<string, Ref> =>
  Object.fromEntries(
    names.map((name) => [described[name].name, { $ref: `#/components/headers/${name}` }]),
  )

/** The headers of every response under /api, /edge and /oauth. */
export const REST: readonly HeaderName[] = ['ApiVersion', 'RequestId']
