import { headers } from 'next/headers'
import { client } from '../../gatehouse'

export default async function Notes() {
  const { user } = await client.session({ headers: await headers() })
  return (
    <form method="post" action="/logout">
      <p>Notes of {user?.email}</p>
      <button type="submit">Sign out</button>
    </form>
  )
}
