import { TAGS } from '@gatehouse-auth/contract'
import type { OpenApi, Operation } from '../openapi/types.ts'

export interface ListedOperation {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

/** The operations of a group, in the order of the document. */
export const operationsOf = ({ paths }: OpenApi, tag: string): ListedOperation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation }))
      .filter(({ operation }) => operation.tags.some((each) => each === tag)),
  )

/** Text for a cell of a Markdown table. */
export const cell = (text: string): string => text.replaceAll('\n', ' ').replaceAll('|', '\\|')

/** `verifyAccessToken` → `Verify access token`. */
export const titleOf = ({ operationId }: Operation): string =>
  operationId
    .replace(/^./, (first) => first.toUpperCase())
    .replace(/[A-Z](?=[a-z])/g, (capital, at: number) =>
      at === 0 ? capital : ` ${capital.toLowerCase()}`,
    )

export const API_PATH = '/docs/api'
export const SCHEMAS_PATH = `${API_PATH}/schemas`

interface ApiGroup {
  /** Its name in the OpenAPI document. */
  readonly tag: string
  readonly path: string
  readonly summary: string
}

/** The pages of the API reference: one per tag, in order. */
export const API_GROUPS: readonly ApiGroup[] = Object.entries(TAGS).map(([tag, summary]) => ({
  tag,
  path: `${API_PATH}/${tag.toLowerCase().replaceAll(' ', '-')}`,
  summary,
}))

/** The entry of an operation. */
export const operationPath = (tag: string, operationId: string): string =>
  `${API_GROUPS.find((group) => group.tag === tag)?.path ?? API_PATH}#${operationId}`
