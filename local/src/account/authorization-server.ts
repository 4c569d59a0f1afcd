import { z } from 'zod'
import { notGatehouse } from '../api/api-version.ts'
import { request } from '../api/request.ts'
import { parseJson } from '../json.ts'
import { nextStep, Problem } from '../problem.ts'
import { singleLine } from '../redact.ts'

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  registration_endpoint: z.url(),
  revocation_endpoint: z.url(),
  code_challenge_methods_supported: z.array(z.string()),
})

/** Authorization server metadata (RFC 8414). */
export type AuthorizationServer = z.infer<typeof Metadata>

export async function authorizationServer(service: string): Promise<AuthorizationServer> {
  const response = await request(service, 'GET', '/.well-known/oauth-authorization-server')
  const read = Metadata.safeParse(parseJson(response.text))
  if (!read.success) throw notGatehouse(service, response.status)
  const metadata = read.data
  // A mismatched issuer enables impersonation of the authorization server (RFC 8414, section 3.3).
  if (metadata.issuer !== service) {
    const issuer = singleLine(metadata.issuer).slice(0, 200)
    throw new Problem(
      'serviceUrlInvalid',
      `The issuer of the service at ${service} is ${issuer}.`,
      nextStep(`If you trust that address, use it: --service ${issuer}`),
    )
  }
  const endpoints = Object.entries(metadata).flatMap(([name, value]) => (name.endsWith('_endpoint') ? [value] : []))
  if (!endpoints.every((endpoint) => new URL(String(endpoint)).origin === service)) throw notGatehouse(service, 200)
  if (!metadata.code_challenge_methods_supported.includes('S256')) throw notGatehouse(service, 200)
  return metadata
}
