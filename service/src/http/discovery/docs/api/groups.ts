import { TAGS } from '@gatehouse/contract'

export const API_PATH = '/docs/api'
export const SCHEMAS_PATH = `${API_PATH}/schemas`

export interface ApiGroup {
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
