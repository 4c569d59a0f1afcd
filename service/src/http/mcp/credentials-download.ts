import { ApiError } from '../../domain/api-error.ts'
import type { TenantId } from '../../domain/ids.ts'
import { readCredentials } from '../../operations/tenants/kept-credentials.ts'
import { guestCookie } from '../callers/cookies.ts'
import { signedInOwner } from '../callers/sessions.ts'
import { pageRoute } from '../console/form.ts'
import { signInThenOpen } from '../console/paths.ts'
import { downloadKeyFile } from '../console/projects/new-keys.ts'
import type { App, Call, HttpDependencies } from '../dependencies.ts'
import { API_HEADERS, setHeaders } from '../headers.ts'
import { errorPage } from '../pages/error-page.ts'
import { jsonProblem, page, reportOf, wantsPage } from '../responses.ts'
import { newTenantView } from '../views.ts'

/**
 * Downloads the credentials file of a tenant that a grant created. Prevents an agent from fetching it: only the cookies of
 * the owner's or the guest's browser authenticate, neither the URL nor a token (spec, Authentication 9).
 */
export function credentialsRoutes(app: App, deps: HttpDependencies): void {
  const { ctx } = deps

  pageRoute(app, deps, 'GET', CREDENTIALS_PATH, async (c) => {
    setHeaders(c, API_HEADERS)
    const owner = await signedInOwner(ctx, c)
    const guest = guestCookie(c, ctx.baseUrl)
    if (owner === null && guest === null) {
      return signInRequired(deps, c)
    }
    const account = owner?.session.account ?? null
    try {
      const credentials = await readCredentials(ctx, c.req.param('tenant_id') ?? '', {
        account,
        guest,
      })
      return downloadKeyFile(c, newTenantView(ctx.baseUrl, credentials).credentials_file.content)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'tenantNotFound' && wantsPage(c)) {
        return noCredentials(deps, c, error)
      }
      throw error
    }
  })
}

function noCredentials(deps: HttpDependencies, c: Call, { message, code }: ApiError): Response {
  const about = {
    status: 404,
    title: 'There are no credentials to download',
    message,
    requestId: c.get('requestId'),
  }
  const report = reportOf(deps, c, { code, status: 404, message })
  return page(c, errorPage({ operator: deps.operator, ...about, report }), 404)
}

function signInRequired(deps: HttpDependencies, c: Call): Response {
  const message = `You are not signed in. The owner of the project can download its credentials in a browser after signing in at ${deps.ctx.baseUrl}/account.`
  if (!wantsPage(c)) {
    const response = jsonProblem(deps, c, new ApiError('missingCredentials', message))
    // No bearer token is accepted here, so no challenge asks for one.
    response.headers.delete('WWW-Authenticate')
    return response
  }
  const html = errorPage({
    operator: deps.operator,
    status: 401,
    title: 'Sign in to download the credentials',
    message: 'A project’s credentials are for its owner. Sign in to start the download.',
    requestId: c.get('requestId'),
    wayBack: { href: signInThenOpen(c.req.path), label: 'Sign in' },
    report: reportOf(deps, c, { code: 'missingCredentials', status: 401, message }),
  })
  return page(c, html, 401)
}

/** The route of the credentials download, which authenticates by browser cookies only. */
const CREDENTIALS_PATH = '/mcp/tenants/:tenant_id/credentials'

const credentialsPath = (tenantId: TenantId): string =>
  CREDENTIALS_PATH.replace(':tenant_id', encodeURIComponent(tenantId))

export const credentialsUrl = (baseUrl: string, tenantId: TenantId): string =>
  baseUrl + credentialsPath(tenantId)
