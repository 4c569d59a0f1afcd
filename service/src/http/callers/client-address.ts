import { clientAddressKey } from '../../domain/network/client-address.ts'
import type { Call, HttpDependencies } from '../dependencies.ts'

/** The client address key that rate limits count by. */
export const requestAddressKey = (deps: HttpDependencies, c: Call): string =>
  clientAddressKey(c.env.incoming.socket.remoteAddress ?? '', c.req.header('x-forwarded-for'), deps.trustedProxies)
