import { Suspense } from 'react'
import { auth } from '../../auth'

async function Heading() {
  const user = await auth.user()
  return <h1>Notes of {user?.email}</h1>
}

export default function Notes() {
  return (
    <form method="post" action="/logout">
      <Suspense>
        <Heading />
      </Suspense>
      <button type="submit">Sign out</button>
    </form>
  )
}
