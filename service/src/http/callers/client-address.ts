import { clientSource } from '../../domain/network/client-address.ts'
import type { Call, Surface } from '../dependencies.ts'

/** The network source that limits are counted for. */
export const sourceOf = (surface: Surface, c: Call): string =>
  clientSource(c.env.incoming.socket.remoteAddress ?? '', c.req.header('x-forwarded-for'), surface.trustedProxies)
