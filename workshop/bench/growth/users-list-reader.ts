import { get } from 'node:http'

// Reads the list at the URL of each message and reports its measurements. Parses the list, so that a wrong one fails the
// run.

export interface ListMeasurement {
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
      if (chunks.length === 0) {
        firstByteMs = performance.now() - began
      }
      chunks.push(chunk)
    })
    response.on('end', () => {
      const totalMs = performance.now() - began
      const body = Buffer.concat(chunks)
      const { users } = JSON.parse(body.toString()) as { users: { id: number }[] }
      const inOrder = users.every(({ id }, index) => id > (users[index - 1]?.id ?? 0))
      if (response.statusCode !== 200 || !inOrder) {
        throw new Error('the response is not a complete list of users')
      }
      process.send?.({
        users: users.length,
        bytes: body.length,
        firstByteMs,
        totalMs,
      } satisfies ListMeasurement)
    })
  })
})
