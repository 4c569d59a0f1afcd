import { createServer } from 'node:http'
import { toNodeHandler } from 'better-auth/node'
import { auth } from './better-auth-config.js'
import { PORT } from './peer-env.js'

createServer(toNodeHandler(auth)).listen(PORT, '127.0.0.1')
