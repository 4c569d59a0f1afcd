import {
  API_VERSION,
  type Endpoint,
  endpointsOf,
  OAUTH_ENDPOINTS,
  type OAuthEndpoint,
  OPENID_ENDPOINTS,
  TAGS,
} from '@gatehouse-auth/contract'
import { ERROR_SCHEMAS, ErrorResponses } from './error-responses.ts'
import { HEADER_COMPONENTS } from './headers.ts'
import { operationOf } from './operation.ts'
import { oauthOperationOf, otherPaths } from './other-operations.ts'
import { Schemas } from './schemas.ts'
import { securitySchemes } from './security.ts'
import type { OpenApi, Operation, PathItem } from './types.ts'

/**
 * The OpenAPI document, generated from the contract that validates every request. Every test validates the responses it
 * receives against this document.
 */
export function openApiDocument(baseUrl: string, development: boolean): OpenApi {
  const isSecure = baseUrl.startsWith('https:')
  const key = `${development} ${isSecure}`
  const template = templates.get(key) ?? JSON.stringify(generate(development, isSecure))
  templates.set(key, template)
  // A base URL contains no character that JSON escapes: configuration parses it as a URL.
  return JSON.parse(template.replaceAll('{base_url}', baseUrl)) as OpenApi
}

/** The operations with these tags, and only the components that they refer to. */
export function withTags(
  { paths, components, tags, ...rest }: OpenApi,
  chosen: ReadonlySet<string>,
): OpenApi {
  const kept = Object.entries(paths).flatMap(([path, item]) => {
    const operations = Object.entries(item).filter(([, operation]) =>
      operation.tags.some((tag) => chosen.has(tag)),
    )
    return operations.length === 0 ? [] : [[path, Object.fromEntries(operations)] as const]
  })
  const schemes = kept.flatMap(([, item]) =>
    Object.values(item).flatMap(({ security }) => security.flatMap(Object.keys)),
  )
  const sections: Readonly<Record<string, Readonly<Record<string, unknown>>>> = components
  const used = new Set(schemes.map((name) => `securitySchemes/${name}`))
  const visit = (part: unknown): void => {
    for (const [, ref = ''] of JSON.stringify(part).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)) {
      const [section = '', name = ''] = ref.split('/')
      if (used.has(ref)) {
        continue
      }
      used.add(ref)
      visit(sections[section]?.[name])
    }
  }
  visit(kept)
  const usedOf = ([section, all]: [string, object]) => [
    section,
    Object.fromEntries(Object.entries(all).filter(([name]) => used.has(`${section}/${name}`))),
  ]
  return {
    ...rest,
    tags: tags.filter(({ name }) => chosen.has(name)),
    paths: Object.fromEntries(kept),
    components: Object.fromEntries(Object.entries(sections).map(usedOf)),
  } as OpenApi
}

/** Documents with `{base_url}` in them. Ten pages and the search index are made from one, and generating it takes longest. */
const templates = new Map<string, string>()

function generate(development: boolean, isSecure: boolean): OpenApi {
  const schemas = new Schemas()
  const apiErrors = new ErrorResponses()
  const paths: Record<string, PathItem> = {}
  const add = (path: string, method: Endpoint['method'], operation: Operation): void => {
    const written = path.replace(/:([A-Za-z_]+)/g, '{$1}')
    paths[written] = { ...paths[written], [method.toLowerCase()]: operation }
  }
  for (const endpoint of endpointsOf(development)) {
    add(endpoint.path, endpoint.method, operationOf(endpoint, schemas, apiErrors))
  }
  for (const endpoint of [...OPENID_ENDPOINTS, ...OAUTH_ENDPOINTS]) {
    add(endpoint.path, endpoint.method, oauthOperationOf(endpoint, schemas))
    if (endpoint.alsoPost) {
      add(endpoint.path, 'POST', oauthOperationOf(byPost(endpoint), schemas))
    }
  }

  return {
    openapi: '3.1.1',
    info: {
      title: 'Gatehouse',
      version: `${API_VERSION}.0.0`,
      summary: 'Sign in with Google, for any app',
      description:
        'The control API (`/api`) provisions and manages a tenant; the app calls the edge API (`/edge`). Every error has a stable code: {base_url}/docs/errors. Guides: {base_url}/docs. For agents: {base_url}/llms.txt.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The operator of this instance', url: '{base_url}/docs/security' },
    },
    servers: [{ url: '{base_url}', description: 'This instance' }],
    externalDocs: { url: '{base_url}/docs', description: 'Documentation' },
    tags: Object.entries(TAGS)
      .filter(([name]) => development || name !== 'Tests')
      .map(([name, description]) => ({ name, description })),
    paths: { ...paths, ...otherPaths(apiErrors) },
    components: {
      schemas: { ...schemas.components, ...ERROR_SCHEMAS },
      headers: HEADER_COMPONENTS,
      responses: apiErrors.components,
      securitySchemes: securitySchemes(isSecure),
    },
  }
}

/** Describes the endpoint as it is called by POST, with its parameters in a form. */
const byPost = ({ id, query, ...endpoint }: OAuthEndpoint): OAuthEndpoint => ({
  ...endpoint,
  id: `${id}ByPost`,
  method: 'POST',
  ...(query === undefined ? {} : { body: { type: 'form', schema: query } }),
})
