/** What secrets of the service look like, whatever is around them. */
const SECRETS = /(?:svc_(?:man|app|rt|wt|es|fb)_|mcp_(?:ac|at|rt)_)[\w-]{8,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is taken out
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g

/** The last net under everything that is printed: a key that got this far by mistake goes no further. */
export const withoutSecrets = (text: string): string => text.replaceAll(SECRETS, '[removed]')

/** What strangers wrote, as one line that can neither move the cursor nor colour the terminal nor turn the text around. */
export const oneLine = (text: string): string => withoutSecrets(text.replaceAll(CONTROLS, ' ').trim())
