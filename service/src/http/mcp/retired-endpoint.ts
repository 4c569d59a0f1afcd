import { ApiError } from '../../domain/api-error.ts'
import type { App, HttpDependencies } from '../dependencies.ts'
import { MCP_MANAGE_MIGRATION_PATH } from '../discovery/docs/page-list.ts'
import { errorPage } from '../pages/error-page.ts'
import { jsonProblem, page, reportOf, wantsPage } from '../responses.ts'
import { allowCrossOrigin } from './cors.ts'

const PATH = '/mcp/manage'

/** The dates of the Deprecation (RFC 9745) and Sunset (RFC 8594) headers. */
const DEPRECATED_AT = Date.UTC(2026, 0, 1)
const SUNSET_AT = Date.UTC(2026, 6, 1)

/** Responds 410 to every method, with or without a token, and links to the migration guide: `/mcp` replaced this path. */
export function retiredRoutes(app: App, deps: HttpDependencies): void {
  const { baseUrl } = deps.ctx

  app.on('ALL', [PATH, `${PATH}/*`], (c) => {
    c.set('route', PATH)
    allowCrossOrigin(c, baseUrl)
    c.header('Deprecation', `@${DEPRECATED_AT / 1_000}`)
    c.header('Sunset', new Date(SUNSET_AT).toUTCString())
    c.header(
      'Link',
      `<${baseUrl}${MCP_MANAGE_MIGRATION_PATH}>; rel="deprecation"; type="text/html"`,
    )
    c.header('Link', `<${baseUrl}/mcp>; rel="successor-version"`, { append: true })
    c.header('Cache-Control', 'no-store')
    const error = retired(baseUrl)
    if (!wantsPage(c)) {
      return jsonProblem(deps, c, error)
    }
    const html = errorPage({
      operator: deps.operator,
      status: 410,
      title: 'This endpoint has moved',
      message: `It’s now at \`${baseUrl}/mcp\`.`,
      requestId: c.get('requestId'),
      wayBack: { href: MCP_MANAGE_MIGRATION_PATH, label: 'Migration guide' },
      report: reportOf(deps, c, { code: error.code, status: 410, message: error.message }),
    })
    return page(c, html, 410)
  })
}

const retired = (baseUrl: string): ApiError =>
  new ApiError(
    'endpointRetired',
    `This endpoint has been replaced by ${baseUrl}/mcp. Connect there and sign in again: tokens for this address no longer work. See ${baseUrl}${MCP_MANAGE_MIGRATION_PATH}.`,
  )
