import path from 'node:path'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { openApiDocument } from '../../src/http/discovery/openapi/document.ts'

export const TYPES_FILE = path.join(import.meta.dirname, 'openapi.generated.d.ts')

/** What a client's author would generate from our description, without its words: they do not change a type. */
export async function openApiTypes(): Promise<string> {
  const document = withoutWords(openApiDocument('https://login.example.com')) as OpenAPI3
  return astToString(await openapiTS(document))
}

const WORDS = new Set(['summary', 'description', 'example'])

function withoutWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutWords)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key, inner]) => !(WORDS.has(key) && typeof inner === 'string'))
  return Object.fromEntries(kept.map(([key, inner]) => [key, key === 'examples' ? undefined : withoutWords(inner)]))
}
