import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { get } from 'node:https'
import { waitUntil } from './wait-until.ts'

// Runs in a network namespace with the addresses of compose.yaml: two upstreams in place of the instances, the command of the
// nginx container, and a client. Prints what the client received, as JSON. Arguments: the port of the instances, their addresses
// and that of nginx, then the command.

const [port, first = '', second = '', proxy = '', program = '', ...args] = process.argv.slice(2)
for (const address of [first, second]) {
  const server = createServer(({ headers }, res) => {
    res.end(`${address} ${headers.host} ${headers['x-forwarded-for']}`)
  })
  server.listen(Number(port), address)
  await once(server, 'listening')
}
const nginx = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })
const exited = once(nginx, 'exit')

interface Received {
  readonly status: number | undefined
  readonly body: string
}

const request = (path: string): Promise<Received> =>
  new Promise((resolve, reject) => {
    const headers = { Host: 'login.example.com' }
    const options = {
      host: proxy,
      localAddress: proxy,
      port: 443,
      path,
      headers,
      rejectUnauthorized: false,
    }
    get(options, async (res) =>
      resolve({ status: res.statusCode, body: (await res.toArray()).join('') }),
    ).on('error', reject)
  })

const isServing = (): Promise<boolean> =>
  request('/').then(
    () => true,
    () => nginx.exitCode !== null,
  )
try {
  await waitUntil('nginx serves, or has exited', isServing)
  const responses: Received[] = []
  for (const path of ['/callback?access_token=secret', '/', '/metrics']) {
    responses.push(await request(path))
  }
  process.stdout.write(JSON.stringify(responses))
} finally {
  nginx.kill('SIGQUIT')
  await exited
}
process.exit()
