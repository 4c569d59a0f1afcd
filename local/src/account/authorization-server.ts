import { z } from 'zod'
import { request } from '../api/request.ts'
import { notGatehouse } from '../api/wrong-service.ts'
import { jsonIn } from '../json.ts'
import { either, Problem } from '../problem.ts'
import { oneLine } from '../safe-text.ts'

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  registration_endpoint: z.url(),
  revocation_endpoint: z.url(),
  code_challenge_methods_supported: z.array(z.string()),
})

/** Where to sign in (RFC 8414). */
export type AuthorizationServer = z.infer<typeof Metadata>

export async function authorizationServer(service: string): Promise<AuthorizationServer> {
  const response = await request(service, 'GET', '/.well-known/oauth-authorization-server')
  const read = Metadata.safeParse(jsonIn(response.text))
  if (!read.success) throw notGatehouse(service, response.status)
  const metadata = read.data
  // Whoever answers in another's name could have the code sent to themselves (RFC 8414, section 3.3).
  if (metadata.issuer !== service) {
    const issuer = oneLine(metadata.issuer).slice(0, 200)
    throw new Problem(
      'serviceUrlInvalid',
      `The service at ${service} calls itself ${issuer}.`,
      either(`Use that address, if it is the one you mean: --service ${issuer}`),
    )
  }
  const addresses = Object.entries(metadata).flatMap(([name, value]) => (name.endsWith('_endpoint') ? [value] : []))
  if (!addresses.every((address) => new URL(String(address)).origin === service)) throw notGatehouse(service, 200)
  if (!metadata.code_challenge_methods_supported.includes('S256')) throw notGatehouse(service, 200)
  return metadata
}
