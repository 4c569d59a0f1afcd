import { clientSource } from '../../domain/client-address.ts'
import type { Call, Surface } from '../surface.ts'

/** The network source that limits are counted for. */
export const sourceOf = (surface: Surface, c: Call): string =>
  clientSource(c.env.incoming.socket.remoteAddress ?? '', c.req.header('x-forwarded-for'), surface.trustedProxies)
