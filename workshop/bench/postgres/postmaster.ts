import { Client } from 'pg'

/** The process id of the server at this URL, which runs on this machine. */
export async function postmasterOf(url: string): Promise<number> {
  const client = new Client(url)
  await client.connect()
  const { rows } = await client.query<{ text: string }>(
    "select pg_read_file('postmaster.pid') as text",
  )
  await client.end()
  return Number(rows[0]?.text.split('\n')[0])
}
