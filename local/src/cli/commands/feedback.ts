import { addAbortSignal } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { FEEDBACK_MAX_CHARACTERS, FeedbackText } from '@gatehouse/contract'
import { leaveFeedback } from '../../api/tenants.ts'
import { interrupted, interruption } from '../../interruption.ts'
import { program } from '../../invocation.ts'
import { type Command, usageProblem } from '../command.ts'

export const feedback: Command = {
  name: 'feedback',
  synopsis: '[text…]',
  summary: 'send feedback to the operator of the service',
  details: [
    `At most ${FEEDBACK_MAX_CHARACTERS.toLocaleString('en')} characters. Without an argument, the text is read from standard input.`,
    'Also works while the tenant is paused.',
  ],
  positionals: { min: 0, max: Number.POSITIVE_INFINITY },
  async run(io, positionals) {
    const project = await io.project()
    const isArgument = positionals.length > 0
    if (!isArgument && process.stdin.isTTY) throw usageProblem(`Usage: ${program} feedback <text…>`, 'feedback')
    const parsed = FeedbackText.safeParse(isArgument ? positionals.join(' ') : await readInput())
    if (!parsed.success) throw usageProblem(parsed.error.issues[0]?.message ?? 'The text is not valid.', 'feedback')
    const response = await leaveFeedback(project, parsed.data)
    io.printResult(response, () => [`${io.colors.green('✓')} Feedback sent. Thank you.`])
    return undefined
  },
}

async function readInput(): Promise<string> {
  try {
    return await readText(addAbortSignal(interruption, process.stdin))
  } catch (error) {
    throw interruption.aborted ? interrupted('Nothing was sent.') : error
  }
}
