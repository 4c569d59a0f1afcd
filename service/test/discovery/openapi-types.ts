import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { openApiDocument } from '../../src/http/discovery/openapi/document.ts'

/** The TypeScript types of the OpenAPI document. Descriptions are removed, because they don't change a type. */
export async function openApiTypes(): Promise<string> {
  const document = withoutDescriptions(
    openApiDocument('https://login.example.com', true),
  ) as OpenAPI3
  return astToString(await openapiTS(document))
}

const DESCRIPTIONS = new Set(['summary', 'description', 'example'])

function withoutDescriptions(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutDescriptions)
  }
  if (typeof value !== 'object' || value === null) {
    return value
  }
  const kept = Object.entries(value).filter(
    ([key, inner]) => !(DESCRIPTIONS.has(key) && typeof inner === 'string'),
  )
  return Object.fromEntries(
    kept.map(([key, inner]) => [key, key === 'examples' ? undefined : withoutDescriptions(inner)]),
  )
}
