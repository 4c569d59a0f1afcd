/**
 * How tokens reach your app. `code`, the default: the callback gets a one-time code that only the browser that started the
 * login can use, and the server exchanges it. `tokens`: the tokens are in the URL of the callback.
 */
export type LoginFlow = 'code' | 'tokens'
