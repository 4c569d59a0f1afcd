import { userOf } from '@gatehouse-auth/sdk/react-router'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { auth } from '../auth.server'

// In root.tsx for every page, or in a layout.
export const middleware = [auth.middleware]

export const loader = ({ context }: LoaderFunctionArgs) => ({ notesOf: userOf(context)?.email })

export default function Notes() {
  const { notesOf } = useLoaderData<typeof loader>()
  return (
    <form method="post" action="/logout">
      <p>Notes of {notesOf}</p>
      <button type="submit">Sign out</button>
    </form>
  )
}
