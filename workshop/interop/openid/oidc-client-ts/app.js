import { UserManager } from 'oidc-client-ts'

const { ISSUER, CLIENT_ID } = await (await fetch('/settings.json')).json()

const users = new UserManager({
  authority: ISSUER,
  client_id: CLIENT_ID,
  redirect_uri: `${location.origin}/callback`,
  post_logout_redirect_uri: `${location.origin}/`,
  scope: 'openid email profile',
})

const show = (text) => {
  document.querySelector('#status').textContent = text
}
const showUser = (user) => show(user ? `Signed in as ${user.profile.email}` : 'Signed out')

if (location.pathname === '/callback') {
  await users
    .signinCallback()
    .then(showUser)
    .catch((error) => show(`Sign-in failed: ${error.error_description ?? error.message}`))
} else {
  showUser(await users.getUser())
}

document.querySelector('#sign-in').onclick = () => users.signinRedirect()
document.querySelector('#refresh').onclick = async () => {
  show('Refreshing')
  await users.signinSilent().then(showUser, (error) => show(`Refresh failed: ${error.message}`))
}
document.querySelector('#sign-out').onclick = () => users.signoutRedirect()
