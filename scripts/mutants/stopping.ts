import type { Mutant } from './mutant.ts'

/** The graceful stop behind a proxy. */
export const STOPPING: readonly Mutant[] = [
  {
    name: 'a stop closes the port without waiting for STOP_AFTER_MS',
    file: 'service/src/http/server/drain.ts',
    find: 'if (afterMs > 0) await elapsed(afterMs)',
    replace: '',
    tests: ['service/test/process/stop.test.ts'],
  },
  {
    name: 'a stop ends long polls before the port closes',
    file: 'service/src/app.ts',
    find: 'closing = true\n',
    replace: 'closing = true\n        signals.close()\n',
    tests: ['service/test/process/stop.test.ts'],
  },
  {
    name: 'a stop closes idle connections together with the port',
    file: 'service/src/http/server/drain.ts',
    find: 'NetServer.prototype.close.call(server, () => resolve())',
    replace: 'server.close(() => resolve())',
    tests: ['service/test/process/stop.test.ts'],
  },
  {
    name: 'a stop resets connections in the accept queue',
    file: 'service/src/http/server/drain.ts',
    find: '  await acceptQueued(server)\n',
    replace: '',
    tests: ['service/test/process/stop.test.ts'],
  },
  {
    name: 'responses after the port has closed keep their connection alive',
    file: 'service/src/http/server/server.ts',
    find: 'if (isPortClosed) res.shouldKeepAlive = false',
    replace: '',
    tests: ['service/test/process/stop.test.ts'],
  },
  {
    name: 'the fast path keeps connections alive after the port has closed',
    file: 'service/src/http/server/server.ts',
    find: 'isPortClosed ? undefined : fastPaths.find',
    replace: 'fastPaths.find',
    tests: ['service/test/process/stop.test.ts'],
  },
  {
    name: 'an idle connection keeps a stopping instance running until the last deadline',
    file: 'service/src/http/server/drain.ts',
    find: 'setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)',
    replace: 'setInterval(() => {}, IDLE_CHECK_MS)',
    tests: ['service/test/process/stop.test.ts'],
  },
  {
    name: 'a health check without Host is rejected',
    file: 'service/src/http/server/server.ts',
    find: "getRequestListener(app.fetch, { hostname: 'localhost' })",
    replace: 'getRequestListener(app.fetch)',
    tests: ['service/test/process/stop.test.ts'],
  },
  {
    name: 'KEEP_ALIVE_SECONDS has no effect',
    file: 'service/src/http/server/server.ts',
    find: 'keepAliveTimeout: keepAliveMs,',
    replace: 'keepAliveTimeout: 30_000,',
    tests: ['service/test/http/process-limits.test.ts'],
  },
]
