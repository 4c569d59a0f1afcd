import { countedIn } from './counted.ts'
import type { Messages } from './en.ts'
import { sentence } from './sentence.ts'

const counted = countedIn('de')
const seconds = (count: number) => counted(count, { one: '# Sekunde', other: '# Sekunden' })
const minutes = (count: number) => counted(count, { one: '# Minute', other: '# Minuten' })
const hours = (count: number) => counted(count, { one: '# Stunde', other: '# Stunden' })
const days = (count: number) => counted(count, { one: '# Tag', other: '# Tage' })
/** Dative: `nach 30 Tagen`. */
const daysDative = (count: number) => counted(count, { one: '# Tag', other: '# Tagen' })

export const de: Messages = {
  site: {
    skip: 'Zum Inhalt springen',
    about: 'Über diesen Dienst',
    runBy: (operator) => sentence`Betrieben von ${operator}`,
    yourData: 'Ihre Daten',
    privacy: 'Datenschutz',
    terms: 'Nutzungsbedingungen',
    support: 'Support',
    useAnotherAccount: 'Anderes Konto verwenden',
    signInWith: (provider) => `Über ${provider} anmelden`,
    continueWith: (provider) => `Weiter mit ${provider}`,
  },
  time: {
    justNow: 'gerade eben',
    withinAMinute: 'in weniger als einer Minute',
    both: (relative, exact) => sentence`${relative}, am ${exact}`,
  },
  consent: {
    title: (host) => `Bei ${host} anmelden`,
    waitTitle: (host) => `Bitte warten: bei ${host} anmelden`,
    heading: (host) => `Bei ${host} anmelden?`,
    localHeading: 'Bei einer App auf diesem Computer anmelden?',
    ownLetters: (host) => sentence`In Originalschreibweise: ${host}`,
    verified: 'Verifizierte Domain',
    temporary: 'Temporäre, nicht verifizierte App.',
    temporaryMeaning:
      'Sie wurde ohne Konto eingerichtet, daher wissen wir nicht, wer sie betreibt. Fahren Sie nur fort, wenn Sie dieser Adresse vertrauen.',
    appSees: 'Die App sieht',
    shared: (provider) =>
      sentence`Ihren Namen, Ihre E-Mail-Adresse und Ihr Profilbild. Nichts anderes aus Ihrem Konto bei ${provider}.`,
    appPages: 'Eigene Seiten der App',
    privacyPolicy: 'Datenschutzerklärung',
    terms: 'Nutzungsbedingungen',
    allow: 'Weiter',
    deny: 'Abbrechen',
    limited: (count) =>
      `Diese App hat ihr Anmeldelimit für diese Minute erreicht. Wählen Sie in ${seconds(count)} noch einmal „Weiter“.`,
    remembered: (count) =>
      `Wenn Sie fortfahren, werden Sie in diesem Browser ${days(count)} lang nicht erneut gefragt, es sei denn, an der App ändert sich etwas. Das können Sie unten unter „Ihre Daten“ rückgängig machen.`,
    ifDenied: 'Wenn Sie abbrechen, erfährt die App nur, dass Sie sich nicht angemeldet haben.',
    footer: (provider) =>
      sentence`Gatehouse führt diese Anmeldung für die App durch. Ihr Passwort für ${provider} bleibt bei ${provider}.`,
  },
  errors: {
    title: {
      invalidRedirectUri: 'Die Rückkehradresse in diesem Anmeldelink ist falsch',
      redirectUriRequired: 'In diesem Anmeldelink fehlt die Rückkehradresse',
      codeChallengeRequired: 'Dieser Anmeldelink ist unvollständig',
      invalidReturnTo: 'Die Rückkehrseite in diesem Anmeldelink ist falsch',
      invalidRequest: 'Dieser Link funktioniert nicht',
      signInFailed: 'Sie sind nicht angemeldet',
      claimUnknown: 'Dieser Übernahmelink ist ungültig',
      projectLimit: 'Sie haben die Höchstzahl an Projekten erreicht',
      providerNotFound: 'Dieser Anmeldelink ist falsch',
      providerNotEnabled: 'Die App bietet diese Anmeldung nicht an',
      tenantNotFound: 'Unter diesem Link gibt es keine App',
      notProvisioned: 'Bei dieser App ist noch keine Anmeldung möglich',
      tenantPaused: 'Die Anmeldung bei dieser App ist pausiert',
      tenantSuspended: 'Die Anmeldung bei dieser App ist gesperrt',
      callbackHostBlocked: 'Sie können sich bei dieser App nicht anmelden',
      tenantExpired: 'Diese App gibt es nicht mehr',
      loginOver: 'Dieser Anmeldevorgang ist beendet',
      loginOtherBrowser: 'Diese Anmeldung gehört zu einem anderen Browser',
      decisionNotOurs: 'Diese Anfrage kam nicht von unserer Seite',
      rateLimited: 'Zurzeit zu viele Anmeldungen',
      temporarilyUnavailable: 'Die Anmeldung ist zurzeit nicht verfügbar',
      outcomeUnknown: 'Wir können nicht sagen, ob das geklappt hat',
      internalError: 'Etwas ist schiefgelaufen',
    },
    message: {
      invalidRedirectUri:
        'Die App hat Sie mit einer Rückkehradresse hierher geschickt, die sie nicht registriert hat. Sie wurden nicht angemeldet.',
      redirectUriRequired: 'Die App hat Sie ohne Rückkehradresse hierher geschickt. Sie wurden nicht angemeldet.',
      codeChallengeRequired:
        'Gehen Sie zurück zur App und melden Sie sich von dort aus an. Sie wurden nicht angemeldet.',
      invalidReturnTo:
        'Die App wollte Sie zu einer Seite zurückleiten, die nicht zu ihr gehört. Sie wurden nicht angemeldet.',
      claimUnknown:
        'Der Link stammt nicht von uns, oder das zugehörige Projekt gibt es nicht mehr. Bitten Sie Ihren Agenten um einen neuen Link.',
      projectLimit:
        'Löschen Sie ein Projekt in Ihrem Konto oder bitten Sie den Betreiber dieses Dienstes, Ihr Limit zu erhöhen.',
      providerNotFound:
        'Diese Anmeldemöglichkeit gibt es nicht. Gehen Sie zurück zur App und melden Sie sich von dort aus an.',
      providerNotEnabled:
        'Die App hat Sie zu einer Anmeldemöglichkeit geschickt, die sie nicht aktiviert hat. Gehen Sie zurück und wählen Sie eine andere.',
      tenantNotFound: 'Prüfen Sie die Adresse oder gehen Sie zurück zur App und melden Sie sich von dort aus an.',
      notProvisioned: 'Die App hat die Anmeldung noch nicht fertig eingerichtet. Versuchen Sie es später noch einmal.',
      tenantPaused: 'Diese App hat ihr Testlimit erreicht. Der Entwickler muss sie übernehmen.',
      tenantSuspended:
        'Der Betreiber dieses Anmeldedienstes hat die App gesperrt. Sie wurden nicht angemeldet, und es wurde nichts an die App weitergegeben.',
      callbackHostBlocked:
        'Der Betreiber dieses Anmeldedienstes hat die Website blockiert, zu der die App Sie zurückleiten würde. Sie wurden nicht angemeldet, und es wurde nichts dorthin weitergegeben.',
      tenantExpired:
        'Es war eine App in der Testphase, die nicht innerhalb von 72 Stunden übernommen wurde, oder ihr Inhaber hat sie gelöscht.',
      loginOver:
        'Er war bereits abgeschlossen oder hat länger als zehn Minuten gedauert. Gehen Sie zurück zur App; wenn Sie dort nicht angemeldet sind, beginnen Sie von vorn.',
      loginOtherBrowser:
        'Sie wurde in einem anderen Browser begonnen, oder Cookies sind blockiert. Gehen Sie zurück zur App und beginnen Sie hier von vorn.',
      decisionNotOurs: 'Gehen Sie zurück, laden Sie die Seite neu und verwenden Sie die Schaltfläche dort.',
      rateLimited: 'Ihre Anmeldung hat noch nicht begonnen.',
      temporarilyUnavailable:
        'Ein System, das für diese Anmeldung nötig ist, ist ausgefallen. Es ging nichts verloren: Versuchen Sie es gleich noch einmal.',
      outcomeUnknown:
        'Während Ihre Änderung gespeichert wurde, ist eine Verbindung abgebrochen. Prüfen Sie, ob die Änderung vorgenommen wurde, bevor Sie es noch einmal versuchen.',
      internalError:
        'Uns ist ein Fehler unterlaufen. Versuchen Sie es noch einmal; wenn es wieder passiert, teilen Sie dem Betreiber dieses Dienstes die unten stehende Anfrage-ID mit.',
      other: 'Gehen Sie zurück zu der Seite, von der Sie gekommen sind, und versuchen Sie es noch einmal.',
    },
    monthLimit: (day) => `Diese App hat ihr monatliches Anmeldelimit erreicht. Es wird am ${day} zurückgesetzt.`,
    trialLimit: (day) =>
      `Diese App hat ihr Testlimit erreicht. Der Entwickler muss sie bis zum ${day} übernehmen; dann endet die Testphase.`,
    goTo: (host) => sentence`Zu ${host}`,
    tryAgain: 'Noch einmal versuchen',
    tryAgainWhen: (when) => sentence`Versuchen Sie es ${when} noch einmal.`,
    waitOver: 'Sie können es jetzt noch einmal versuchen.',
    forDeveloper: 'Für den Entwickler der App',
    reference: (status, requestId) => sentence`Status ${status} · Anfrage ${requestId}`,
  },
  claim: {
    title: 'Dieses Projekt behalten?',
    intro: 'Ein KI-Agent hat es ohne Konto erstellt und bittet Sie, es zu übernehmen.',
    paused: 'Dieses Projekt ist pausiert.',
    pausedMeaning:
      'Es hat sein Testlimit erreicht, daher können sich Nutzer nicht anmelden. Wenn Sie zustimmen, endet die Pause.',
    project: 'Projekt',
    created: 'Erstellt',
    hosts: 'Callback-Hosts',
    noHosts: 'Noch keine, daher können sich Nutzer nicht anmelden.',
    moreHosts: (count) => counted(count, { one: '# weiterer', other: '# weitere' }),
    activity: 'Aktivität',
    users: (count) => counted(count, { one: '# Nutzer', other: '# Nutzer' }),
    signIns: (count) => counted(count, { one: '# Anmeldung', other: '# Anmeldungen' }),
    ends: 'Endet, wenn Sie nicht zustimmen',
    ifApproved: 'Wenn Sie zustimmen',
    yours: 'Das Projekt gehört Ihnen und läuft nicht mehr ab.',
    counts: 'Seine Nutzer und Anmeldungen werden auf die Limits Ihres Kontos angerechnet.',
    manage: 'Sie können sehen, wer sich anmeldet, Sitzungen beenden, die Schlüssel ersetzen und das Projekt löschen.',
    whoHasKeys: 'Wer die Schlüssel hat',
    keyFile:
      'Wer die Schlüsseldatei hat, kann das Projekt verwalten und seine Nutzer sehen. Der Agent, der das Projekt erstellt hat, hat die Datei.',
    keptKeys:
      'Wenn Sie die Schlüssel behalten, zeigen sie auch Namen, Nutzung und Aktivität Ihrer anderen Projekte, aber nicht, wer sich dort angemeldet hat. Wenn Sie die Schlüssel ersetzen, braucht Ihr Agent die neue Datei, die nur einmal angezeigt wird.',
    code: 'Bestätigungscode',
    compareOrDeny:
      'Wenn Ihr Agent Ihnen einen Code genannt hat, muss er mit diesem übereinstimmen. Stimmt er nicht überein, wählen Sie „Ablehnen“.',
    compareOrClose:
      'Wenn Ihr Agent Ihnen einen Code genannt hat, muss er mit diesem übereinstimmen. Stimmt er nicht überein, schließen Sie diese Seite.',
    unaskedDeny: 'Wenn Sie das nicht angefordert haben, wählen Sie „Ablehnen“.',
    unaskedClose: 'Wenn Sie das nicht angefordert haben, schließen Sie diese Seite.',
    signInMeaning:
      'Mit der Anmeldung stimmen Sie noch nicht zu. Danach kehren Sie zu dieser Seite zurück und entscheiden.',
    keys: 'Die Schlüssel, wenn Sie zustimmen',
    keyChoice: {
      keep: 'Schlüssel behalten',
      overlap: 'Schlüssel ersetzen; die alten funktionieren noch 24 Stunden',
      now: 'Schlüssel ersetzen; die alten funktionieren ab sofort nicht mehr',
    },
    approve: 'Zustimmen',
    deny: 'Ablehnen',
    wrongAccount: 'Nicht das gewünschte Konto?',
  },
  claimed: {
    title: 'Dieses Projekt gehört jetzt Ihnen',
    keepsKeys: (project) =>
      sentence`${project} läuft nicht mehr ab. Ihr Agent wurde benachrichtigt, und seine Schlüssel funktionieren weiterhin.`,
    newKeys: (project) => sentence`${project} läuft nicht mehr ab. Ihr Agent wurde benachrichtigt.`,
    toAccount: 'Zu Ihrem Konto',
    replaceTitle: 'Schlüssel ersetzen?',
    replaceMeaning:
      'Ersetzen Sie die Schlüssel, wenn außer Ihnen und Ihrem Agenten jemand die Schlüsseldatei gesehen haben könnte. Die neue Datei wird nur einmal angezeigt. Die alten Schlüssel funktionieren noch 24 Stunden, damit Ihre App während der Umstellung weiterläuft.',
    replace: 'Schlüssel ersetzen',
    deniedTitle: 'Anfrage abgelehnt',
    denied: (project, ends) => sentence`Es wurde nichts geändert. ${project} hat keinen Inhaber und endet ${ends}.`,
    deniedNext:
      'Ihr Agent wurde benachrichtigt. Sie können diese Seite schließen. Wenn Sie es sich anders überlegen, bitten Sie Ihren Agenten um einen neuen Link.',
    yoursTitle: 'Dieses Projekt gehört Ihnen bereits',
    yours: (project) => sentence`Sie haben ${project} bereits übernommen. Es gibt nichts mehr zu entscheiden.`,
    toProject: 'Zum Projekt',
    takenTitle: 'Dieses Projekt hat bereits einen Inhaber',
    taken: (project) => sentence`Jemand anderes hat ${project} übernommen. Es wurde nichts geändert.`,
    takenNext:
      'Wenn Sie es mit einem anderen Google-Konto übernommen haben, melden Sie sich mit diesem an. Fragen Sie andernfalls die Person, von der Sie den Link haben.',
    supersededTitle: 'Es gibt einen neueren Link',
    superseded: (project) =>
      sentence`Ihr Agent hat einen neueren Link für ${project} erstellt, und nur der neueste funktioniert. Öffnen Sie den letzten Link, den Ihr Agent ausgegeben hat.`,
    expiredTitle: 'Dieser Link ist abgelaufen',
    expired: (project, count, endpoint) =>
      sentence`Ein Link funktioniert ${minutes(count)} lang. Dieser Link für ${project} wurde nicht rechtzeitig verwendet, und es wurde nichts geändert. Bitten Sie Ihren Agenten um einen neuen; er erhält ihn über ${endpoint}.`,
    endedTitle: 'Dieses Projekt ist beendet',
    ended: (project, count) =>
      sentence`Ein Projekt ohne Inhaber endet ${hours(count)} nach seiner Erstellung. ${project} wurde nicht rechtzeitig übernommen, oder sein Agent hat es gelöscht. Die Daten des Projekts sind gelöscht und können nicht wiederhergestellt werden.`,
    endedNext: 'Bitten Sie Ihren Agenten, ein neues zu erstellen, und übernehmen Sie es, bevor der Link abläuft.',
  },
  me: {
    question: 'Haben Sie sich über diesen Dienst bei einer App angemeldet? Hier können Sie:',
    seeApps: 'sehen, bei welchen Apps Sie sich wann angemeldet haben,',
    signOutOfApps: 'sich von einer oder von allen abmelden,',
    haveRemoved: 'Ihre Daten entfernen lassen.',
    signInMeaning: (count) =>
      `Dabei wird kein Konto erstellt. Wählen Sie das Konto, das Sie in den Apps verwenden. Nach ${minutes(count)} werden Sie von dieser Seite abgemeldet.`,
    leave: 'Von dieser Seite abmelden',
    apps: (provider) =>
      `Apps, bei denen Sie sich mit diesem ${provider}-Konto angemeldet haben, die zuletzt verwendete zuerst.`,
    noApps: (provider) => `Keine App hier hat Daten über dieses ${provider}-Konto.`,
    pages: 'Apps',
    newer: 'Neuere',
    older: 'Ältere',
    temporary: 'Temporäre App',
    firstUsed: 'Erstmals verwendet',
    lastUsed: 'Zuletzt verwendet',
    known: 'Was die App weiß',
    sessions: 'Sitzungen',
    signedOut: 'Sie sind nicht angemeldet.',
    sessionUsed: (when) => `Zuletzt verwendet: ${when}`,
    sessionStarted: (when) => sentence`Angemeldet: ${when}`,
    moreSessions: 'Und weitere.',
    signOut: 'Von dieser App abmelden',
    consent: 'Einwilligung',
    consentMeaning: (count) =>
      `In jedem Browser, in dem Sie „Weiter“ gewählt haben, bis zu ${days(count)} lang gespeichert: Bei der Anmeldung dort werden Sie nicht erneut gefragt.`,
    forgetConsent: 'Einwilligung vergessen',
    remove: 'Meine Daten entfernen',
    removeFromOwned: (count) =>
      `Wir bitten den Inhaber der App, Ihre Daten zu entfernen. Geschieht das nicht, entfernen wir sie nach ${daysDative(count)}: Ihre Sitzungen enden, und Sie werden im Verlauf hier nicht mehr genannt. Was die App selbst speichert, liegt nicht hier: Wenden Sie sich dafür an die App.`,
    removeFromTemporary:
      'Diese temporäre App hat keinen bekannten Inhaber, daher entfernen wir Ihre Daten jetzt: Ihre Sitzungen enden, und Sie werden im Verlauf hier nicht mehr genannt. Das kann nicht rückgängig gemacht werden. Was die App selbst speichert, liegt nicht hier: Wenden Sie sich dafür an die App.',
    removalAsked: (when) =>
      sentence`Sie haben darum gebeten, dass Ihre Daten entfernt werden. Der Inhaber der App weiß davon. Die Daten werden spätestens ${when}, entfernt.`,
    keep: 'Meine Daten behalten',
    everywhere: 'Überall abmelden',
    everywhereMeaning: 'Beendet Ihre Sitzungen in jeder App, die Ihre Daten hat. Sie können sich wieder anmelden.',
    notShown: 'Was diese Seite nicht zeigen kann',
    otherAccounts:
      'Apps, bei denen Sie sich mit einem anderen Konto angemeldet haben. Um sie zu sehen, melden Sie sich mit diesem Konto auf dieser Seite an.',
    notOffered: (providers) =>
      `Apps, bei denen Sie sich über ${providers} anmelden: Dieser Dienst hat dort keinen Client.`,
    ownClients:
      'Apps, die bei Apple oder einem anderen OpenID-Anbieter einen eigenen Client verwenden: Dort sind Sie unter einer eigenen ID bekannt.',
    appData: 'Was eine App selbst über Sie speichert. Wenden Sie sich dafür an die App.',
    stored: (privacy) => sentence`Was dieser Dienst speichert und wie lange: ${privacy}.`,
    done: {
      left: 'Sie sind von dieser Seite abgemeldet.',
      'signed-out': 'Sie sind von der App abgemeldet. Das kann einige Sekunden dauern.',
      'signed-out-everywhere': 'Sie sind von allen Apps abgemeldet. Das kann einige Sekunden dauern.',
      forgotten: 'Die App fragt Sie bei der nächsten Anmeldung erneut.',
      deleted: 'Ihre Daten wurden aus der App entfernt.',
      requested: 'Wir haben den Inhaber der App gebeten, Ihre Daten zu entfernen.',
      kept: 'Die Anfrage ist zurückgezogen. Die App behält Ihre Daten.',
    },
  },
}
