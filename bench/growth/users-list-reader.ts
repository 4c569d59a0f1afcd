import { get } from 'node:http'

// Reads a list to its end whenever it is told an address, and tells what it saw. The list is kept and parsed, so that
// a wrong one fails the run.

export interface Seen {
  readonly users: number
  readonly bytes: number
  readonly firstByteMs: number
  readonly totalMs: number
}

process.on('message', ({ url, key }: { url: string; key: string }) => {
  const began = performance.now()
  let firstByteMs = 0
  const chunks: Buffer[] = []
  get(url, { headers: { Authorization: `Bearer ${key}` } }, (response) => {
    response.on('data', (chunk: Buffer) => {
      if (chunks.length === 0) firstByteMs = performance.now() - began
      chunks.push(chunk)
    })
    response.on('end', () => {
      const totalMs = performance.now() - began
      const body = Buffer.concat(chunks)
      const { users } = JSON.parse(body.toString()) as { users: { id: number }[] }
      const inOrder = users.every(({ id }, index) => id > (users[index - 1]?.id ?? 0))
      if (response.statusCode !== 200 || !inOrder) throw new Error('this is not the list of users')
      process.send?.({ users: users.length, bytes: body.length, firstByteMs, totalMs } satisfies Seen)
    })
  })
})
