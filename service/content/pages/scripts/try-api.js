// On a development service the API reference sends its own examples. Only there: a key of a real project belongs in no page.
const CREDENTIALS = {
  managementKey: ['Management key', 'MANAGEMENT_KEY'],
  edgeSession: ['Edge token', 'EDGE_TOKEN'],
  waitToken: ['Wait token', 'WAIT_TOKEN'],
  oauth: ['OAuth access token', 'ACCESS_TOKEN'],
}
const SENT_AS_TEXT = [
  'application/json',
  'application/x-ndjson',
  'application/x-www-form-urlencoded',
]
/** The credentials that were entered on this page, by their kind. Nothing stores them. */
const entered = {}
/** From the OpenAPI document, loaded once. */
let operations

for (const heading of document.querySelectorAll('.prose > h2[id]')) {
  const curl = curlBlockOf(heading)
  if (curl) {
    curl.after(tryIt(heading.id))
  }
}

function curlBlockOf(heading) {
  for (
    let next = heading.nextElementSibling;
    next && next.tagName !== 'H2';
    next = next.nextElementSibling
  ) {
    if (next.querySelector('figcaption')?.firstChild.textContent === 'curl') {
      return next
    }
  }
}

/** A closed block. Its form is made when it is opened for the first time. */
function tryIt(operationId) {
  const details = element('details', { className: 'try' }, element('summary', {}, 'Try it'))
  const open = async () => {
    operations ??= fetch('/openapi.json')
      .then((response) => response.json())
      .then(operationsOf)
    const operation = (await operations).get(operationId)
    details.append(formFor(operation))
  }
  details.addEventListener(
    'toggle',
    () =>
      open().catch(() =>
        details.append('The list of operations could not be loaded. Reload the page.'),
      ),
    { once: true },
  )
  return details
}

const operationsOf = ({ paths }) =>
  new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        operation.operationId,
        { ...operation, path, method: method.toUpperCase() },
      ]),
    ),
  )

function formFor(operation) {
  const { parameters = [], requestBody, security, operationId } = operation
  const [scheme] = Object.keys(security.find((each) => Object.keys(each).length > 0) ?? {})
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const field = (name, label, input) => {
    const id = `try-${operationId}-${name}`
    return element(
      'div',
      { className: 'field' },
      element('label', { htmlFor: id }, label),
      Object.assign(input, { id, name }),
    )
  }
  const inputs = parameters
    .filter(({ in: place }) => place === 'path' || place === 'query')
    .map(({ name, example, required }) =>
      field(
        name,
        name,
        element('input', { type: 'text', value: example ?? '', required: required === true }),
      ),
    )
  if (CREDENTIALS[scheme]) {
    const input = element('input', {
      type: 'password',
      value: entered[scheme] ?? '',
      autocomplete: 'off',
      required: security.length === 1,
    })
    input.addEventListener('input', () => (entered[scheme] = input.value))
    inputs.unshift(field('credential', CREDENTIALS[scheme][0], input))
  }
  if (SENT_AS_TEXT.includes(type)) {
    inputs.push(
      field(
        'body',
        `Body, ${type}`,
        element('textarea', {
          value: bodyText(type, media.example),
          rows: Math.min(14, bodyText(type, media.example).split('\n').length + 1),
          spellcheck: false,
        }),
      ),
    )
  }
  const result = element('div', { role: 'status' })
  const form = element(
    'form',
    {},
    ...inputs,
    element('button', { className: 'small' }, 'Send the request'),
    result,
  )
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const request = requestOf(operation, scheme, type, new FormData(form))
    result.replaceChildren(...(await send(request)))
  })
  return form
}

function bodyText(type, example) {
  if (typeof example === 'string') {
    return example
  }
  if (type === 'application/x-www-form-urlencoded') {
    return new URLSearchParams(example).toString()
  }
  return example === undefined ? '' : JSON.stringify(example, null, 2)
}

function requestOf({ path, method, parameters = [] }, scheme, type, values) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values.get(name)))
  const asked = parameters.filter(({ in: place, name }) => place === 'query' && values.get(name))
  const query = new URLSearchParams(asked.map(({ name }) => [name, values.get(name)]))
  const body = values.get('body')
  return {
    method,
    url: `${location.origin}${filled}${query.size > 0 ? `?${query}` : ''}`,
    credential: values.get('credential') || undefined,
    variable: CREDENTIALS[scheme]?.[1],
    ...(body ? { type, body } : {}),
  }
}

/** What happened: the response, or why there is none, and the same request as a command. */
async function send({ method, url, credential, variable, type, body }) {
  const headers = {
    ...(type ? { 'Content-Type': type } : {}),
    ...(credential ? { Authorization: `Bearer ${credential}` } : {}),
  }
  const parts = [
    `curl -A my-agent -X ${method} ${quoted(url)}`,
    ...(credential ? [`-H "Authorization: Bearer $${variable}"`] : []),
    ...(type ? [`-H 'Content-Type: ${type}'`, `-d ${quoted(body)}`] : []),
  ]
  const response = await fetch(url, { method, headers, body, redirect: 'manual' }).catch(() => null)
  const blocks = [block('The same as a command', parts.join(' \\\n  '))]
  if (response === null) {
    return [block('No response', 'The service could not be reached.'), ...blocks]
  }
  // A script may not read the response of a redirect.
  if (response.type === 'opaqueredirect') {
    return [block('A redirect', `Open ${url} in a tab to follow it.`), ...blocks]
  }
  return [
    block(`${response.status} ${response.statusText}`, pretty(await response.text())),
    ...blocks,
  ]
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function block(title, text) {
  const pre = element(
    'pre',
    { tabIndex: 0, role: 'region', ariaLabel: title },
    element('code', {}, text),
  )
  const figure = element('figure', { className: 'file' }, element('figcaption', {}, title), pre)
  document.dispatchEvent(new CustomEvent('codeadded', { detail: figure }))
  return figure
}

function element(name, properties, ...children) {
  const created = Object.assign(document.createElement(name), properties)
  created.append(...children)
  return created
}
