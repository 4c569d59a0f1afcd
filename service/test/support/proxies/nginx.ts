import { readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import path from 'node:path'
import type { Program } from '../actors/debian-program.ts'
import { TEST_TLS } from '../transport/tls.ts'
import { newPlace, published, runProxy, type StartProxy } from './proxy.ts'

/** deploy/nginx.conf with other addresses and paths, included from a minimal main file, as /etc/nginx/nginx.conf includes it. */
export const nginx =
  (program: Program): StartProxy =>
  async (t, [first, second]) => {
    const { port, folder } = await newPlace()
    const file = (name: string): string => path.join(folder, name)
    writeFileSync(file('login.pem'), TEST_TLS.cert)
    writeFileSync(file('login.key'), TEST_TLS.key)
    const site = published('nginx.conf', {
      '10.87.0.11:8787': `127.0.0.1:${first}`,
      '10.87.0.12:8787': `127.0.0.1:${second}`,
      'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
      '/etc/ssl/login.example.com.pem': file('login.pem'),
      '/etc/ssl/login.example.com.key': file('login.key'),
      '/var/log/nginx/gatehouse.log': file('access.log'),
      '/var/log/nginx/gatehouse-error.log crit': `${file('error.log')} error`,
    })
    writeFileSync(file('site.conf'), site)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${file(kind)};`,
    )
    const main = [
      'daemon off;',
      `user ${userInfo().username} ${userInfo().username};`,
      'worker_processes 2;',
      `pid ${file('nginx.pid')};`,
      'events { worker_connections 1024; }',
      `http { ${temporary.join(' ')} include ${file('site.conf')}; }`,
    ]
    writeFileSync(file('nginx.conf'), main.join('\n'))
    await runProxy(t, program, port, [
      '-e',
      file('main-error.log'),
      '-p',
      folder,
      '-c',
      file('nginx.conf'),
    ])
    // nginx checks nothing: an instance is in service as soon as it listens.
    return {
      port,
      inService: async () => {},
      accessLog: () => readFileSync(file('access.log'), 'utf8'),
      errorLog: () => readFileSync(file('error.log'), 'utf8'),
    }
  }
