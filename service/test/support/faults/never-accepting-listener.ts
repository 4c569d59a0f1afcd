import { type AddressInfo, createServer } from 'node:net'
import { parentPort } from 'node:worker_threads'

// Node accepts connections in its event loop, so this thread blocks its event loop until it is terminated.
const server = createServer()
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  parentPort?.postMessage((server.address() as AddressInfo).port)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})
