import { createHash } from 'node:crypto'
import { SCOPES, TOOL_NAMES } from '@gatehouse-auth/contract'
import { ApiError } from '../../domain/api-error.ts'
import { lazy } from '../../domain/lazy.ts'
import { mcpResource } from '../../domain/oauth/grant.ts'
import { RELEASE } from '../../version.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { acceptOf } from '../responses.ts'
import { readContent, withAbsoluteLinks } from './docs/content.ts'
import { API_GROUPS } from './docs/operations.ts'
import { llmsFullText, llmsText, securityText, sitemap } from './plain-texts.ts'
import { MARKDOWN, memoize, PLAIN_TEXT, type Published, publish, published } from './publish.ts'

const MINUTES_5 = 300
const HOUR = 3_600
const JSON_TYPE = 'application/json; charset=utf-8'
const CARD_TYPE = 'application/mcp-server-card+json'

/** Machine-readable documents. Each is generated at the first request and cached until the process ends. */
export function documentRoutes(app: App, { ctx, development }: HttpDependencies): void {
  const { baseUrl } = ctx

  const serve = (
    path: string,
    type: string,
    seconds: number,
    make: () => string | Promise<string>,
  ): void => {
    const document = memoize(async () => published(await make(), type))
    app.get(path, async (c) => {
      c.set('route', path)
      return publish(c, await document(), seconds)
    })
  }

  const openApi = openApiDocuments(baseUrl, development)
  app.get('/openapi.json', async (c) => {
    c.set('route', '/openapi.json')
    return publish(c, await openApi(c.req.query('tags')), MINUTES_5)
  })
  serve('/auth.md', MARKDOWN, MINUTES_5, () =>
    withAbsoluteLinks(readContent('auth.md', baseUrl), baseUrl),
  )
  serve('/llms.txt', PLAIN_TEXT, MINUTES_5, () => llmsText(baseUrl))
  serve('/llms-full.txt', PLAIN_TEXT, MINUTES_5, () => llmsFullText(baseUrl, development))
  serve('/sitemap.xml', 'application/xml; charset=utf-8', HOUR, () => sitemap(baseUrl))
  // Excludes the API, the login flows and the account pages.
  serve('/robots.txt', PLAIN_TEXT, HOUR, () => readContent('robots.txt', baseUrl))
  serve('/.well-known/mcp.json', JSON_TYPE, HOUR, () =>
    JSON.stringify(serverCard(baseUrl), null, 2),
  )
  serve('/.well-known/ai-catalog.json', JSON_TYPE, HOUR, () =>
    JSON.stringify(aiCatalog(baseUrl), null, 2),
  )

  serve('/mcp/server.json', JSON_TYPE, HOUR, () => registryEntry(baseUrl))
  serve(SKILLS_PATH, JSON_TYPE, MINUTES_5, () => JSON.stringify(skillsIndex(baseUrl), null, 2))
  for (const name of SKILLS) {
    serve(skillPath(name), MARKDOWN, MINUTES_5, () => skillText(name, baseUrl))
  }

  const card = lazy(() => published(JSON.stringify(serverCard(baseUrl), null, 2), JSON_TYPE))
  app.get('/mcp/server-card', (c) => {
    c.set('route', '/mcp/server-card')
    c.header('Vary', 'Accept')
    return publish(
      c,
      acceptOf(c).includes(CARD_TYPE) ? { ...card(), contentType: CARD_TYPE } : card(),
      HOUR,
    )
  })

  app.get('/.well-known/security.txt', (c) => {
    c.set('route', '/.well-known/security.txt')
    return publish(c, published(securityText(baseUrl, ctx.now()), PLAIN_TEXT), HOUR)
  })
}

const PARTS_MAX = 32

/** The whole document, and those of some tags (`tags=sessions,users-and-events`, named as the pages of the reference). */
function openApiDocuments(
  baseUrl: string,
  development: boolean,
): (tags: string | undefined) => Promise<Published> {
  const documents = new Map<string, () => Promise<Published>>()
  // Only a development service has endpoints for tests.
  const groups = API_GROUPS.filter(({ tag }) => development || tag !== 'Tests').map(
    ({ tag, path: page }) => ({
      tag,
      name: page.slice(page.lastIndexOf('/') + 1),
    }),
  )
  return (tags) => {
    const names = tags?.toLowerCase().split(',')
    const chosen = groups.filter(({ name }) => names?.includes(name))
    if (names?.some((name) => !chosen.some((group) => group.name === name))) {
      throw new ApiError(
        'invalidRequest',
        `A tag is unknown. These exist: ${groups.map(({ name }) => name).join(', ')}.`,
      )
    }
    const key = chosen.map(({ name }) => name).join()
    if (documents.size > PARTS_MAX) {
      documents.clear()
    }
    const document =
      documents.get(key) ?? memoize(async () => published(await create(chosen), JSON_TYPE))
    documents.set(key, document)
    return document()
  }

  async function create(chosen: readonly { readonly tag: string }[]): Promise<string> {
    const { openApiDocument, withTags } = await import('./openapi/document.ts')
    const whole = openApiDocument(baseUrl, development)
    if (chosen.length === 0) {
      return JSON.stringify(whole, null, 2)
    }
    return JSON.stringify(withTags(whole, new Set(chosen.map(({ tag }) => tag))))
  }
}

/** The host in reverse-DNS notation: `login.example.com` → `com.example.login`. An IP address becomes `localhost`. */
export function reverseDnsName(baseUrl: string): string {
  const host = new URL(baseUrl).hostname
  if (/^[\d.]+$/.test(host) || host.startsWith('[')) {
    return 'localhost'
  }
  return host.split('.').reverse().join('.')
}

/**
 * The Server Card (SEP-2127) of the MCP server: its URL and how to sign in. Clients list the tools from the server
 * itself; the names in `_meta`, under a namespace of this host, are a hint.
 */
function serverCard(baseUrl: string): object {
  const namespace = reverseDnsName(baseUrl)
  const text = readContent('server-card.json', baseUrl).replaceAll('{namespace}', namespace)
  const card = JSON.parse(text) as { _meta: Record<string, object> }
  const auth = {
    ...card._meta[`${namespace}/auth`],
    resource: mcpResource(baseUrl),
    scopes_supported: SCOPES,
  }
  const meta = { ...card._meta, [`${namespace}/auth`]: auth, [`${namespace}/tools`]: TOOL_NAMES }
  return { ...card, version: RELEASE, _meta: meta }
}

/** The AI catalog of this host: its list of MCP servers. */
const aiCatalog = (baseUrl: string): object =>
  JSON.parse(
    readContent('ai-catalog.json', baseUrl).replaceAll('{host}', new URL(baseUrl).hostname),
  )

/** server.json of the MCP registry: the hosted server, and the one that runs on a developer's machine. */
const registryEntry = (baseUrl: string): string =>
  readContent('server.json', baseUrl)
    .replaceAll('{namespace}', reverseDnsName(baseUrl))
    .replaceAll('{version}', RELEASE)

const SKILLS = ['add-sign-in', 'fix-sign-in', 'manage-users']
const SKILLS_PATH = '/.well-known/agent-skills/index.json'
const skillPath = (name: string): string => `/.well-known/agent-skills/${name}/SKILL.md`

const skillText = (name: string, baseUrl: string): string =>
  readContent(`skills/${name}.md`, baseUrl)

/** Agent Skills discovery 0.2.0. Each digest is that of the text as it is served. */
const skillsIndex = (baseUrl: string): object => ({
  $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
  skills: SKILLS.map((name) => {
    const text = skillText(name, baseUrl)
    const [, description = ''] = /^description: (.+)$/m.exec(text) ?? []
    const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`
    return { name, type: 'skill-md', description, url: baseUrl + skillPath(name), digest }
  }),
})
