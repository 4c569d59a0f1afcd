import { data, type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { requireUser } from '../auth.server'

export async function loader({ request }: LoaderFunctionArgs) {
  const { user, headers } = await requireUser(request)
  return data({ notesOf: user.email }, { headers })
}

export default function Notes() {
  const { notesOf } = useLoaderData<typeof loader>()
  return (
    <form method="post" action="/logout">
      <p>Notes of {notesOf}</p>
      <button type="submit">Sign out</button>
    </form>
  )
}
