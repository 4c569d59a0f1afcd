import { clientAddressKey } from '../../domain/network/client-address.ts'
import type { Call, HttpDependencies } from '../dependencies.ts'

/** The network source that limits are counted for. */
export const requestAddressKey = (deps: HttpDependencies, c: Call): string =>
  clientAddressKey(c.env.incoming.socket.remoteAddress ?? '', c.req.header('x-forwarded-for'), deps.trustedProxies)
