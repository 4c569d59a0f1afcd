import { text as textOf } from 'node:stream/consumers'
import { FEEDBACK_MAX_CHARACTERS, FeedbackText } from '@gatehouse/contract'
import { leaveFeedback } from '../../api/feedback.ts'
import { usage, type Verb } from '../verb.ts'

export const feedback: Verb = {
  name: 'feedback',
  takes: '[text…]',
  summary: 'tell the operator what works and what does not',
  more: [
    `At most ${FEEDBACK_MAX_CHARACTERS.toLocaleString('en')} characters. Without a text it is read from standard input.`,
    'Works while the tenant is paused.',
  ],
  words: { min: 0, max: Number.POSITIVE_INFINITY },
  async run(io, words) {
    const project = await io.project()
    const isTyped = words.length > 0
    if (!isTyped && process.stdin.isTTY) throw usage('Write what you want to say.', 'feedback')
    const read = FeedbackText.safeParse(isTyped ? words.join(' ') : await textOf(process.stdin))
    if (!read.success) throw usage(read.error.issues[0]?.message ?? 'Write something else.', 'feedback')
    const response = await leaveFeedback(project, read.data)
    io.response(response, () => [`${io.paint.green('✓')} Thank you: the operator will read it.`])
    return undefined
  },
}
