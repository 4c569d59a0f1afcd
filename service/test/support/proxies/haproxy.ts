import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { Program } from '../actors/debian-program.ts'
import { waitUntil } from '../process/wait-until.ts'
import { TEST_TLS } from '../transport/tls.ts'
import { newPlace, published, runProxy, type StartProxy } from './proxy.ts'

/** deploy/haproxy.cfg with other addresses and paths. */
export const haproxy =
  (program: Program): StartProxy =>
  async (t, [first, second]) => {
    const { port, folder } = await newPlace()
    const file = (name: string): string => path.join(folder, name)
    writeFileSync(file('login.pem'), `${TEST_TLS.cert}\n${TEST_TLS.key}\n`)
    const configuration = published('haproxy.cfg', {
      '10.87.0.11:8787': `127.0.0.1:${first}`,
      '10.87.0.12:8787': `127.0.0.1:${second}`,
      'bind :443': `bind 127.0.0.1:${port}`,
      '/etc/haproxy/login.example.com.pem': file('login.pem'),
      '/dev/log': 'stdout format raw',
      '/run/haproxy/admin.sock': file('admin.sock'),
    })
    writeFileSync(file('haproxy.cfg'), configuration)
    const accessLog = await runProxy(t, program, port, ['-db', '-f', file('haproxy.cfg')])
    return {
      port,
      accessLog,
      errorLog: accessLog,
      inService: (instancePort) =>
        waitUntil(`haproxy uses 127.0.0.1:${instancePort}`, async () =>
          (await serversState(file('admin.sock'))).includes(`127.0.0.1:${instancePort} UP`),
        ),
    }
  }

/** `127.0.0.1:8787 UP` for each server, as its statistics show it. */
async function serversState(socket: string): Promise<string[]> {
  const stream = connect({ path: socket })
  stream.end('show stat\n')
  const lines = (await text(stream).catch(() => '')).replace(/^# /, '').trim().split('\n')
  const [names = [], ...rows] = lines.map((line) => line.split(','))
  return rows.map((row) => `${row[names.indexOf('addr')]} ${row[names.indexOf('status')]}`)
}
