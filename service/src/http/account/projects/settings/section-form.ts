import { ApiError } from '../../../../domain/api-error.ts'
import type { InputProblem } from '../../../../domain/invalid-request.ts'
import type { Call } from '../../../dependencies.ts'
import { problemOf } from '../../../problem.ts'
import type { OwnerPost } from '../../form.ts'
import type { OwnedProject } from '../project-route.ts'
import type { RejectedForm } from './form-state.ts'

type Post = OwnedProject & OwnerPost

/** Shows the page of a form again, with this status. */
export type ShowAgain = (c: Call, project: OwnedProject, rejected: RejectedForm, status: number) => Promise<Response>

/**
 * Handles the POST of a form. `act` returns the page to redirect to. An API error shows the form again: with its status,
 * its message at the field that it names, and everything that the owner entered.
 */
export const formHandler =
  (id: string, show: ShowAgain, act: (c: Call, post: Post) => Promise<string>) =>
  async (c: Call, post: Post): Promise<Response> => {
    try {
      return c.redirect(await act(c, post), 303)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { status, headers } = problemOf(error)
      for (const [name, value] of Object.entries(headers)) c.header(name, value)
      const { owner, tenant, form } = post
      const rejected = { id, form, message: error.message, problems: problemsOf(error) }
      return show(c, { owner, tenant }, rejected, status)
    }
  }

const problemsOf = ({ details }: ApiError): readonly InputProblem[] =>
  (details?.problems as readonly InputProblem[] | undefined) ?? []
