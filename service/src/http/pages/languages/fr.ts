import { countedIn } from './counted.ts'
import type { Messages } from './en.ts'
import { sentence } from './sentence.ts'

const counted = countedIn('fr')
const seconds = (count: number) => counted(count, { one: '# seconde', other: '# secondes' })
const minutes = (count: number) => counted(count, { one: '# minute', other: '# minutes' })
const hours = (count: number) => counted(count, { one: '# heure', other: '# heures' })
const days = (count: number) => counted(count, { one: '# jour', other: '# jours' })

export const fr: Messages = {
  site: {
    skip: 'Aller au contenu',
    about: 'À propos de ce service',
    runBy: (operator) => sentence`Géré par ${operator}`,
    yourData: 'Vos données',
    privacy: 'Confidentialité',
    terms: 'Conditions d’utilisation',
    support: 'Assistance',
    useAnotherAccount: 'Utiliser un autre compte',
    signInWith: (provider) => `Se connecter avec ${provider}`,
    continueWith: (provider) => `Continuer avec ${provider}`,
  },
  time: {
    justNow: 'à l’instant',
    withinAMinute: 'dans moins d’une minute',
    both: (relative, exact) => sentence`${relative}, le ${exact}`,
  },
  consent: {
    title: (host) => `Se connecter à ${host}`,
    waitTitle: (host) => `Veuillez patienter : se connecter à ${host}`,
    heading: (host) => `Se connecter à ${host} ?`,
    localHeading: 'Se connecter à une application sur cet ordinateur ?',
    ownLetters: (host) => sentence`Dans son écriture d’origine : ${host}`,
    verified: 'Domaine vérifié',
    temporary: 'Application temporaire, non vérifiée.',
    temporaryMeaning:
      'Elle a été configurée sans compte : nous ne savons donc pas qui la gère. Continuez uniquement si vous faites confiance à cette adresse.',
    appSees: 'L’application verra',
    shared: (provider) =>
      sentence`Votre nom, votre adresse e-mail et votre photo de profil. Aucune autre information de votre compte ${provider}.`,
    appPages: 'Pages de l’application',
    privacyPolicy: 'Règles de confidentialité',
    terms: 'Conditions d’utilisation',
    allow: 'Continuer',
    deny: 'Annuler',
    limited: (count) =>
      `Cette application a atteint sa limite de connexions pour cette minute. Appuyez de nouveau sur « Continuer » dans ${seconds(count)}.`,
    remembered: (count) =>
      `Si vous continuez, ce navigateur ne vous posera plus la question pendant ${days(count)}, sauf si quelque chose change dans l’application. Vous pouvez revenir sur ce choix ci-dessous, dans « Vos données ».`,
    ifDenied: 'Si vous annulez, l’application saura seulement que la connexion n’a pas eu lieu.',
    footer: (provider) =>
      sentence`Gatehouse gère cette connexion pour l’application. Votre mot de passe ${provider} reste chez ${provider}.`,
  },
  errors: {
    title: {
      invalidRedirectUri: 'L’adresse de retour de ce lien de connexion est incorrecte',
      redirectUriRequired: 'Ce lien de connexion n’a pas d’adresse de retour',
      codeChallengeRequired: 'Ce lien de connexion est incomplet',
      invalidReturnTo: 'La page de retour de ce lien de connexion est incorrecte',
      invalidRequest: 'Ce lien ne fonctionne pas',
      signInFailed: 'La connexion n’a pas abouti',
      claimUnknown: 'Ce lien de revendication n’est pas valide',
      projectLimit: 'Vous avez atteint votre nombre maximal de projets',
      providerNotFound: 'Ce lien de connexion est incorrect',
      providerNotEnabled: 'L’application ne propose pas ce mode de connexion',
      tenantNotFound: 'Aucune application ne correspond à ce lien',
      notProvisioned: 'La connexion à cette application n’est pas encore prête',
      tenantPaused: 'La connexion à cette application est en pause',
      tenantSuspended: 'La connexion à cette application est suspendue',
      callbackHostBlocked: 'Vous ne pouvez pas vous connecter à cette application',
      tenantExpired: 'Cette application n’existe plus',
      loginOver: 'Cette tentative de connexion est terminée',
      loginOtherBrowser: 'Cette connexion est liée à un autre navigateur',
      decisionNotOurs: 'Cette demande ne provient pas de notre page',
      rateLimited: 'Trop de connexions en ce moment',
      temporarilyUnavailable: 'La connexion n’est pas disponible pour le moment',
      outcomeUnknown: 'Nous ne savons pas si l’opération a réussi',
      internalError: 'Une erreur s’est produite',
    },
    message: {
      invalidRedirectUri:
        'L’application vous envoie ici avec une adresse de retour qu’elle n’a pas enregistrée. La connexion n’a pas eu lieu.',
      redirectUriRequired: 'L’application vous envoie ici sans adresse de retour. La connexion n’a pas eu lieu.',
      codeChallengeRequired:
        'Revenez à l’application et connectez-vous à partir de celle-ci. La connexion n’a pas eu lieu.',
      invalidReturnTo:
        'L’application a demandé à vous renvoyer vers une page qui n’est pas la sienne. La connexion n’a pas eu lieu.',
      claimUnknown:
        'Ce n’est pas l’un de nos liens, ou son projet n’existe plus. Demandez un nouveau lien à votre agent.',
      projectLimit:
        'Supprimez un projet dans votre compte ou demandez à l’opérateur de ce service d’augmenter votre limite.',
      providerNotFound:
        'Ce mode de connexion n’existe pas. Revenez à l’application et connectez-vous à partir de celle-ci.',
      providerNotEnabled:
        'L’application vous envoie vers un mode de connexion qu’elle n’a pas activé. Revenez en arrière et choisissez-en un autre.',
      tenantNotFound: 'Vérifiez l’adresse, ou revenez à l’application et connectez-vous à partir de celle-ci.',
      notProvisioned: 'L’application n’a pas fini de configurer la connexion. Réessayez plus tard.',
      tenantPaused: 'Cette application a atteint sa limite d’essai. Son développeur doit la revendiquer.',
      tenantSuspended:
        'L’opérateur de ce service de connexion a suspendu l’application. La connexion n’a pas eu lieu, et rien n’a été partagé avec elle.',
      callbackHostBlocked:
        'L’opérateur de ce service de connexion a bloqué le site Web vers lequel l’application vous renverrait. La connexion n’a pas eu lieu, et rien n’a été partagé avec lui.',
      tenantExpired:
        'C’était une application d’essai qui n’a pas été revendiquée dans les 72 heures, ou son propriétaire l’a supprimée.',
      loginOver:
        'Elle était déjà achevée, ou elle a duré plus de dix minutes. Revenez à l’application ; si aucune session n’y est ouverte, recommencez.',
      loginOtherBrowser:
        'Elle a commencé dans un autre navigateur, ou les cookies sont bloqués. Revenez à l’application et recommencez ici.',
      decisionNotOurs: 'Revenez en arrière, actualisez la page et utilisez le bouton qui s’y trouve.',
      rateLimited: 'Votre connexion n’a pas commencé.',
      temporarilyUnavailable:
        'Un système nécessaire à cette connexion est en panne. Rien n’est perdu : réessayez dans un instant.',
      outcomeUnknown:
        'La communication a été interrompue pendant l’enregistrement de votre modification. Vérifiez si elle a été effectuée avant de réessayer.',
      internalError:
        'Nous avons commis une erreur. Réessayez ; si elle se reproduit, communiquez à l’opérateur de ce service l’ID de demande ci-dessous.',
      other: 'Revenez à la page d’où vous venez et réessayez.',
    },
    monthLimit: (day) =>
      `Cette application a atteint sa limite mensuelle de connexions. Celle-ci sera réinitialisée le ${day}.`,
    trialLimit: (day) =>
      `Cette application a atteint sa limite d’essai. Son développeur doit la revendiquer au plus tard le ${day}, date de fin de l’essai.`,
    goTo: (host) => sentence`Accéder à ${host}`,
    tryAgain: 'Réessayer',
    tryAgainWhen: (when) => sentence`Réessayez ${when}.`,
    waitOver: 'Vous pouvez réessayer maintenant.',
    forDeveloper: 'Pour le développeur de l’application',
    reference: (status, requestId) => sentence`Statut ${status} · Demande ${requestId}`,
  },
  claim: {
    title: 'Conserver ce projet ?',
    intro: 'Un agent IA l’a créé sans compte et vous demande de le revendiquer.',
    paused: 'Ce projet est en pause.',
    pausedMeaning:
      'Il a atteint sa limite d’essai : les utilisateurs ne peuvent donc pas se connecter. Si vous approuvez, la pause prend fin.',
    project: 'Projet',
    created: 'Création',
    hosts: 'Hôtes de callback',
    noHosts: 'Aucun pour l’instant : les utilisateurs ne peuvent donc pas se connecter.',
    moreHosts: (count) => counted(count, { one: '# autre', other: '# autres' }),
    activity: 'Activité',
    users: (count) => counted(count, { one: '# utilisateur', many: '# d’utilisateurs', other: '# utilisateurs' }),
    signIns: (count) => counted(count, { one: '# connexion', many: '# de connexions', other: '# connexions' }),
    ends: 'Prend fin si vous n’approuvez pas',
    ifApproved: 'Si vous approuvez',
    yours: 'Le projet vous appartient et n’expire plus.',
    counts: 'Ses utilisateurs et ses connexions sont comptés dans les limites de votre compte.',
    manage: 'Vous pouvez voir qui se connecte, mettre fin à des sessions, remplacer les clés et supprimer le projet.',
    whoHasKeys: 'Qui possède les clés',
    keyFile:
      'Toute personne disposant du fichier de clés peut gérer le projet et voir ses utilisateurs. L’agent qui a créé le projet dispose du fichier.',
    keptKeys:
      'Si vous conservez les clés, elles donnent aussi accès aux noms, à l’utilisation et à l’activité de vos autres projets, mais pas à l’identité des personnes qui s’y sont connectées. Si vous remplacez les clés, votre agent a besoin du nouveau fichier, qui n’est affiché qu’une seule fois.',
    code: 'Code de confirmation',
    compareOrDeny:
      'Si votre agent vous a donné un code, il doit être identique à celui-ci. Si ce n’est pas le cas, appuyez sur « Refuser ».',
    compareOrClose:
      'Si votre agent vous a donné un code, il doit être identique à celui-ci. Si ce n’est pas le cas, fermez cette page.',
    unaskedDeny: 'Si vous n’êtes pas à l’origine de cette demande, appuyez sur « Refuser ».',
    unaskedClose: 'Si vous n’êtes pas à l’origine de cette demande, fermez cette page.',
    signInMeaning: 'La connexion ne vaut pas approbation. Vous reviendrez ensuite sur cette page pour décider.',
    keys: 'Les clés, si vous approuvez',
    keyChoice: {
      keep: 'Conserver les clés',
      overlap: 'Remplacer les clés ; les anciennes fonctionnent encore 24 heures',
      now: 'Remplacer les clés ; les anciennes cessent de fonctionner maintenant',
    },
    approve: 'Approuver',
    deny: 'Refuser',
    wrongAccount: 'Ce n’est pas le bon compte ?',
  },
  claimed: {
    title: 'Ce projet vous appartient',
    keepsKeys: (project) =>
      sentence`${project} n’expire plus. Votre agent en a été informé, et ses clés continuent de fonctionner.`,
    newKeys: (project) => sentence`${project} n’expire plus. Votre agent en a été informé.`,
    toAccount: 'Accéder à votre compte',
    replaceTitle: 'Remplacer les clés ?',
    replaceMeaning:
      'Remplacez-les si quelqu’un d’autre que vous et votre agent a pu voir le fichier de clés. Le nouveau fichier n’est affiché qu’une seule fois. Les anciennes clés fonctionnent encore 24 heures, afin que votre application continue de fonctionner pendant le changement.',
    replace: 'Remplacer les clés',
    deniedTitle: 'Demande refusée',
    denied: (project, ends) => sentence`Rien n’a été modifié. ${project} n’a pas de propriétaire et prend fin ${ends}.`,
    deniedNext:
      'Votre agent en a été informé. Vous pouvez fermer cette page. Si vous changez d’avis, demandez un nouveau lien à votre agent.',
    yoursTitle: 'Ce projet vous appartient déjà',
    yours: (project) => sentence`Vous avez déjà revendiqué ${project}. Il n’y a plus rien à décider.`,
    toProject: 'Accéder au projet',
    takenTitle: 'Ce projet a déjà un propriétaire',
    taken: (project) => sentence`Quelqu’un d’autre a revendiqué ${project}. Rien n’a été modifié.`,
    takenNext:
      'Si vous l’avez revendiqué avec un autre compte Google, connectez-vous avec celui-ci. Sinon, adressez-vous à la personne qui vous a donné le lien.',
    supersededTitle: 'Il existe un lien plus récent',
    superseded: (project) =>
      sentence`Votre agent a créé un lien plus récent pour ${project}, et seul le plus récent fonctionne. Ouvrez le dernier lien que votre agent a affiché.`,
    expiredTitle: 'Ce lien a expiré',
    expired: (project, count, endpoint) =>
      sentence`Un lien fonctionne pendant ${minutes(count)}. Celui-ci, pour ${project}, n’a pas été utilisé à temps, et rien n’a été modifié. Demandez-en un nouveau à votre agent ; il l’obtient auprès de ${endpoint}.`,
    endedTitle: 'Ce projet a pris fin',
    ended: (project, count) =>
      sentence`Un projet sans propriétaire prend fin ${hours(count)} après sa création. ${project} n’a pas été revendiqué à temps, ou son agent l’a supprimé. Ses données sont supprimées et ne peuvent pas être restaurées.`,
    endedNext: 'Demandez à votre agent d’en créer un nouveau, et revendiquez-le avant l’expiration du lien.',
  },
  me: {
    question: 'Avez-vous utilisé ce service pour vous connecter à une application ? Ici, vous pouvez :',
    seeApps: 'voir dans quelles applications vous avez ouvert une session, et quand,',
    signOutOfApps: 'vous déconnecter de l’une d’elles ou de toutes,',
    haveRemoved: 'faire supprimer vos données.',
    signInMeaning: (count) =>
      `Aucun compte n’est créé. Choisissez le compte que vous utilisez dans les applications. La déconnexion de cette page est automatique au bout de ${minutes(count)}.`,
    leave: 'Se déconnecter de cette page',
    apps: (provider) =>
      `Applications dans lesquelles vous avez ouvert une session avec ce compte ${provider}, en commençant par la dernière utilisée.`,
    noApps: (provider) => `Aucune application ici n’a de données sur ce compte ${provider}.`,
    pages: 'Applications',
    newer: 'Plus récentes',
    older: 'Plus anciennes',
    temporary: 'Application temporaire',
    firstUsed: 'Première utilisation',
    lastUsed: 'Dernière utilisation',
    known: 'Ce que l’application sait',
    sessions: 'Sessions',
    signedOut: 'Vous n’avez aucune session ouverte.',
    sessionUsed: (when) => `Dernière utilisation : ${when}`,
    sessionStarted: (when) => sentence`Connexion : ${when}`,
    moreSessions: 'Et d’autres.',
    signOut: 'Se déconnecter de l’application',
    consent: 'Consentement',
    consentMeaning: (count) =>
      `Mémorisé pendant ${days(count)} au maximum dans les navigateurs où vous avez appuyé sur « Continuer » : lorsque vous vous y connectez, la question ne vous est plus posée.`,
    forgetConsent: 'Oublier le consentement',
    remove: 'Supprimer mes données',
    removeFromOwned: (count) =>
      `Nous demandons au propriétaire de l’application de supprimer vos données. S’il ne le fait pas, nous les supprimons au bout de ${days(count)} : vos sessions prennent fin, et l’historique conservé ici ne vous nomme plus. Ce que l’application conserve elle-même n’est pas ici : adressez-vous à l’application.`,
    removeFromTemporary:
      'Cette application temporaire n’a pas de propriétaire connu : nous supprimons donc vos données maintenant. Vos sessions prennent fin, et l’historique conservé ici ne vous nomme plus. Cette action est irréversible. Ce que l’application conserve elle-même n’est pas ici : adressez-vous à l’application.',
    removalAsked: (when) =>
      sentence`Vous avez demandé la suppression de vos données. Le propriétaire de l’application le sait. Elles seront supprimées au plus tard ${when}.`,
    keep: 'Conserver mes données',
    everywhere: 'Se déconnecter partout',
    everywhereMeaning:
      'Met fin à vos sessions dans toutes les applications qui détiennent vos données. Vous pouvez vous reconnecter.',
    notShown: 'Ce que cette page ne peut pas afficher',
    otherAccounts:
      'Les applications dans lesquelles vous avez ouvert une session avec un autre compte. Pour les voir, connectez-vous à cette page avec ce compte.',
    notOffered: (providers) =>
      `Les applications auxquelles vous vous connectez avec ${providers} : ce service n’y dispose d’aucun client.`,
    ownClients:
      'Les applications qui utilisent leur propre client auprès d’Apple ou d’un autre fournisseur OpenID : elles vous connaissent sous un ID qui leur est propre.',
    appData: 'Ce qu’une application conserve elle-même à votre sujet. Adressez-vous à l’application.',
    stored: (privacy) => sentence`Ce que ce service conserve, et pendant combien de temps : ${privacy}.`,
    done: {
      left: 'Déconnexion de cette page effectuée.',
      'signed-out': 'Déconnexion de l’application effectuée. Cela peut prendre quelques secondes.',
      'signed-out-everywhere': 'Déconnexion de toutes les applications effectuée. Cela peut prendre quelques secondes.',
      forgotten: 'L’application vous posera de nouveau la question à votre prochaine connexion.',
      deleted: 'Vos données ont été supprimées de l’application.',
      requested: 'Nous avons demandé au propriétaire de l’application de supprimer vos données.',
      kept: 'La demande est retirée. L’application conserve vos données.',
    },
  },
}
