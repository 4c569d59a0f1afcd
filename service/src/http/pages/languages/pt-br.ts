import { countedIn } from './counted.ts'
import type { Messages } from './en.ts'
import { sentence } from './sentence.ts'

const counted = countedIn('pt-BR')
const seconds = (count: number) => counted(count, { one: '# segundo', other: '# segundos' })
const minutes = (count: number) => counted(count, { one: '# minuto', other: '# minutos' })
const hours = (count: number) => counted(count, { one: '# hora', other: '# horas' })
const days = (count: number) => counted(count, { one: '# dia', other: '# dias' })

export const ptBr: Messages = {
  site: {
    skip: 'Ir para o conteúdo',
    about: 'Sobre este serviço',
    runBy: (operator) => sentence`Operado por ${operator}`,
    yourData: 'Seus dados',
    privacy: 'Privacidade',
    terms: 'Termos',
    support: 'Suporte',
    useAnotherAccount: 'Usar outra conta',
    signInWith: (provider) => `Fazer login com ${provider}`,
    continueWith: (provider) => `Continuar com ${provider}`,
  },
  time: {
    justNow: 'agora mesmo',
    withinAMinute: 'em menos de um minuto',
    both: (relative, exact) => sentence`${relative}, em ${exact}`,
  },
  consent: {
    title: (host) => `Fazer login em ${host}`,
    waitTitle: (host) => `Aguarde: fazer login em ${host}`,
    heading: (host) => `Fazer login em ${host}?`,
    localHeading: 'Fazer login em um app neste computador?',
    ownLetters: (host) => sentence`Na grafia original: ${host}`,
    verified: 'Domínio verificado',
    temporary: 'App temporário, não verificado.',
    temporaryMeaning:
      'Ele foi configurado sem uma conta, por isso não sabemos quem o administra. Continue somente se você confia neste endereço.',
    appSees: 'O app verá',
    shared: (provider) => sentence`Seu nome, endereço de e-mail e foto do perfil. Nada mais da sua conta ${provider}.`,
    appPages: 'Páginas do próprio app',
    privacyPolicy: 'Política de Privacidade',
    terms: 'Termos',
    allow: 'Continuar',
    deny: 'Cancelar',
    limited: (count) =>
      `Este app atingiu o limite de logins deste minuto. Selecione “Continuar” de novo em ${seconds(count)}.`,
    remembered: (count) =>
      `Se você continuar, este navegador não vai perguntar de novo por ${days(count)}, a menos que algo mude no app. Você pode desfazer isso em “Seus dados”, abaixo.`,
    ifDenied: 'Se você cancelar, o app saberá apenas que você não fez login.',
    footer: (provider) =>
      sentence`O Gatehouse realiza este login para o app. A senha da sua conta ${provider} fica com ${provider}.`,
  },
  errors: {
    title: {
      invalidRedirectUri: 'Este link de login tem um endereço de retorno errado',
      redirectUriRequired: 'Este link de login não tem endereço de retorno',
      codeChallengeRequired: 'Este link de login está incompleto',
      invalidReturnTo: 'Este link de login tem uma página de retorno errada',
      invalidRequest: 'Este link não funciona',
      signInFailed: 'Você não fez login',
      claimUnknown: 'Este link de reivindicação não é válido',
      projectLimit: 'Você atingiu seu número máximo de projetos',
      providerNotFound: 'Este link de login está errado',
      providerNotEnabled: 'O app não oferece este login',
      tenantNotFound: 'Não há nenhum app neste link',
      notProvisioned: 'Ainda não é possível fazer login neste app',
      tenantPaused: 'O login neste app está pausado',
      tenantSuspended: 'O login neste app está suspenso',
      callbackHostBlocked: 'Você não pode fazer login neste app',
      tenantExpired: 'Este app não existe mais',
      loginOver: 'Esta tentativa de login terminou',
      loginOtherBrowser: 'Esta tentativa de login é de outro navegador',
      decisionNotOurs: 'Esta solicitação não veio da nossa página',
      rateLimited: 'Muitos logins neste momento',
      temporarilyUnavailable: 'O login não está disponível no momento',
      outcomeUnknown: 'Não conseguimos saber se isso funcionou',
      internalError: 'Algo deu errado',
    },
    message: {
      invalidRedirectUri:
        'O app enviou você para cá com um endereço de retorno que ele não registrou. O login não foi feito.',
      redirectUriRequired: 'O app enviou você para cá sem um endereço de retorno. O login não foi feito.',
      codeChallengeRequired: 'Volte ao app e faça login por lá. O login não foi feito.',
      invalidReturnTo: 'O app pediu para levar você de volta a uma página que não é dele. O login não foi feito.',
      claimUnknown: 'O link não é um dos nossos ou o projeto dele não existe mais. Peça um novo link ao seu agente.',
      projectLimit: 'Exclua um projeto na sua conta ou peça ao operador deste serviço para aumentar seu limite.',
      providerNotFound: 'Essa forma de login não existe. Volte ao app e faça login por lá.',
      providerNotEnabled: 'O app enviou você para uma forma de login que ele não ativou. Volte e escolha outra.',
      tenantNotFound: 'Confira o endereço ou volte ao app e faça login por lá.',
      notProvisioned: 'O app ainda não terminou de configurar o login. Tente de novo mais tarde.',
      tenantPaused: 'Este app atingiu o limite do período de teste. O desenvolvedor precisa reivindicá-lo.',
      tenantSuspended:
        'O operador deste serviço de login suspendeu o app. O login não foi feito, e nada foi compartilhado com ele.',
      callbackHostBlocked:
        'O operador deste serviço de login bloqueou o site para o qual o app levaria você de volta. O login não foi feito, e nada foi compartilhado com ele.',
      tenantExpired:
        'Era um app em período de teste que não foi reivindicado em até 72 horas, ou o proprietário o excluiu.',
      loginOver:
        'Ela já tinha sido concluída ou levou mais de dez minutos. Volte ao app; se você não tiver uma sessão ativa lá, comece de novo.',
      loginOtherBrowser:
        'Ela começou em outro navegador ou os cookies estão bloqueados. Volte ao app e comece de novo por aqui.',
      decisionNotOurs: 'Volte, recarregue a página e use o botão que está nela.',
      rateLimited: 'Seu login não começou.',
      temporarilyUnavailable:
        'Um sistema necessário para este login está fora do ar. Nada foi perdido: tente de novo daqui a pouco.',
      outcomeUnknown:
        'Uma conexão falhou enquanto sua alteração era salva. Verifique se ela foi feita antes de tentar de novo.',
      internalError:
        'Cometemos um erro. Tente de novo; se acontecer outra vez, informe ao operador deste serviço o ID da solicitação abaixo.',
      other: 'Volte à página de onde você veio e tente de novo.',
    },
    monthLimit: (day) => `Este app atingiu o limite mensal de logins. O limite será redefinido em ${day}.`,
    trialLimit: (day) =>
      `Este app atingiu o limite do período de teste. O desenvolvedor precisa reivindicá-lo até ${day}, quando o teste termina.`,
    goTo: (host) => sentence`Ir para ${host}`,
    tryAgain: 'Tentar de novo',
    tryAgainWhen: (when) => sentence`Tente de novo ${when}.`,
    waitOver: 'Você já pode tentar de novo.',
    forDeveloper: 'Para o desenvolvedor do app',
    reference: (status, requestId) => sentence`Status ${status} · Solicitação ${requestId}`,
  },
  claim: {
    title: 'Manter este projeto?',
    intro: 'Um agente de IA o criou sem uma conta e pede que você o reivindique.',
    paused: 'Este projeto está pausado.',
    pausedMeaning:
      'Ele atingiu o limite do período de teste, por isso os usuários não conseguem fazer login. A aprovação encerra a pausa.',
    project: 'Projeto',
    created: 'Criado',
    hosts: 'Hosts de callback',
    noHosts: 'Nenhum ainda, por isso os usuários não conseguem fazer login.',
    moreHosts: (count) => counted(count, { other: 'mais #' }),
    activity: 'Atividade',
    users: (count) => counted(count, { one: '# usuário', many: '# de usuários', other: '# usuários' }),
    signIns: (count) => counted(count, { one: '# login', many: '# de logins', other: '# logins' }),
    ends: 'Termina se você não aprovar',
    ifApproved: 'Se você aprovar',
    yours: 'O projeto é seu e não expira mais.',
    counts: 'Os usuários e logins dele contam para os limites da sua conta.',
    manage: 'Você pode ver quem faz login, encerrar sessões, substituir as chaves e excluir o projeto.',
    whoHasKeys: 'Quem tem as chaves',
    keyFile:
      'Qualquer pessoa com o arquivo de chaves pode gerenciar o projeto e ver os usuários dele. O agente que criou o projeto tem o arquivo.',
    keptKeys:
      'Se você mantiver as chaves, elas também mostram os nomes, o uso e a atividade dos seus outros projetos, mas não quem fez login neles. Se você substituir as chaves, seu agente precisa do novo arquivo, que é mostrado uma única vez.',
    code: 'Código de confirmação',
    compareOrDeny: 'Se o seu agente informou um código, ele precisa ser igual a este. Se não for, selecione “Negar”.',
    compareOrClose: 'Se o seu agente informou um código, ele precisa ser igual a este. Se não for, feche esta página.',
    unaskedDeny: 'Se você não pediu isto, selecione “Negar”.',
    unaskedClose: 'Se você não pediu isto, feche esta página.',
    signInMeaning: 'Fazer login não aprova nada. Depois, você voltará a esta página para decidir.',
    keys: 'As chaves, se você aprovar',
    keyChoice: {
      keep: 'Manter as chaves',
      overlap: 'Substituir as chaves; as antigas funcionam por mais 24 horas',
      now: 'Substituir as chaves; as antigas deixam de funcionar agora',
    },
    approve: 'Aprovar',
    deny: 'Negar',
    wrongAccount: 'Não é a conta que você quer?',
  },
  claimed: {
    title: 'Este projeto é seu',
    keepsKeys: (project) =>
      sentence`${project} não expira mais. Seu agente foi notificado, e as chaves dele continuam funcionando.`,
    newKeys: (project) => sentence`${project} não expira mais. Seu agente foi notificado.`,
    toAccount: 'Ir para sua conta',
    replaceTitle: 'Substituir as chaves?',
    replaceMeaning:
      'Substitua as chaves se alguém além de você e do seu agente puder ter visto o arquivo de chaves. O novo arquivo é mostrado uma única vez. As chaves antigas funcionam por mais 24 horas, para que seu app continue funcionando durante a troca.',
    replace: 'Substituir as chaves',
    deniedTitle: 'Solicitação negada',
    denied: (project, ends) => sentence`Nada foi alterado. ${project} não tem proprietário e termina ${ends}.`,
    deniedNext:
      'Seu agente foi notificado. Você pode fechar esta página. Se mudar de ideia, peça um novo link ao seu agente.',
    yoursTitle: 'Este projeto já é seu',
    yours: (project) => sentence`Você já reivindicou ${project}. Não há mais nada a decidir.`,
    toProject: 'Ir para o projeto',
    takenTitle: 'Este projeto já tem um proprietário',
    taken: (project) => sentence`Outra pessoa reivindicou ${project}. Nada foi alterado.`,
    takenNext:
      'Se você o reivindicou com outra conta Google, faça login com ela. Caso contrário, fale com a pessoa que passou o link para você.',
    supersededTitle: 'Há um link mais recente',
    superseded: (project) =>
      sentence`Seu agente criou um link mais recente para ${project}, e só o mais recente funciona. Abra o último link que seu agente mostrou.`,
    expiredTitle: 'Este link expirou',
    expired: (project, count, endpoint) =>
      sentence`Um link funciona por ${minutes(count)}. Este, para ${project}, não foi usado a tempo, e nada foi alterado. Peça um novo ao seu agente; ele o obtém em ${endpoint}.`,
    endedTitle: 'Este projeto terminou',
    ended: (project, count) =>
      sentence`Um projeto sem proprietário termina ${hours(count)} depois de ser criado. ${project} não foi reivindicado a tempo, ou o agente dele o excluiu. Os dados dele foram excluídos e não podem ser restaurados.`,
    endedNext: 'Peça ao seu agente para criar um novo e reivindique-o antes que o link expire.',
  },
  me: {
    question: 'Você fez login em um app por meio deste serviço? Aqui você pode:',
    seeApps: 'ver em quais apps você fez login e quando,',
    signOutOfApps: 'sair de um deles ou de todos,',
    haveRemoved: 'pedir a remoção dos seus dados.',
    signInMeaning: (count) =>
      `Isto não cria uma conta. Escolha a conta que você usa nos apps. Sua sessão nesta página é encerrada após ${minutes(count)}.`,
    leave: 'Encerrar sessão nesta página',
    apps: (provider) => `Apps em que você fez login com esta conta ${provider}, a partir do último usado.`,
    noApps: (provider) => `Nenhum app aqui tem dados sobre esta conta ${provider}.`,
    pages: 'Apps',
    newer: 'Mais recentes',
    older: 'Mais antigos',
    temporary: 'App temporário',
    firstUsed: 'Primeiro uso',
    lastUsed: 'Último uso',
    known: 'O que o app sabe',
    sessions: 'Sessões',
    signedOut: 'Você não tem nenhuma sessão ativa.',
    sessionUsed: (when) => `Último uso: ${when}`,
    sessionStarted: (when) => sentence`Login: ${when}`,
    moreSessions: 'E mais.',
    signOut: 'Sair deste app',
    consent: 'Consentimento',
    consentMeaning: (count) =>
      `Lembrado por até ${days(count)} nos navegadores em que você selecionou “Continuar”: ao fazer login neles, não perguntamos de novo.`,
    forgetConsent: 'Esquecer o consentimento',
    remove: 'Remover meus dados',
    removeFromOwned: (count) =>
      `Pedimos ao proprietário do app que remova seus dados. Se ele não fizer isso, nós os removemos após ${days(count)}: suas sessões são encerradas, e o histórico daqui não menciona mais você. O que o próprio app armazena não está aqui: entre em contato com o app.`,
    removeFromTemporary:
      'Este app temporário não tem um proprietário conhecido, por isso removemos seus dados agora: suas sessões são encerradas, e o histórico daqui não menciona mais você. Isso não pode ser desfeito. O que o próprio app armazena não está aqui: entre em contato com o app.',
    removalAsked: (when) =>
      sentence`Você pediu a remoção dos seus dados. O proprietário do app sabe disso. Os dados serão removidos o mais tardar ${when}.`,
    keep: 'Manter meus dados',
    everywhere: 'Sair de todos os apps',
    everywhereMeaning: 'Encerra suas sessões em todos os apps que têm seus dados. Você pode fazer login de novo.',
    notShown: 'O que esta página não pode mostrar',
    otherAccounts: 'Apps em que você fez login com outra conta. Para vê-los, faça login nesta página com essa conta.',
    notOffered: (providers) => `Apps em que você faz login com ${providers}: este serviço não tem um cliente lá.`,
    ownClients:
      'Apps que usam o próprio cliente na Apple ou em outro provedor OpenID: eles conhecem você por um ID próprio.',
    appData: 'O que um app armazena sobre você por conta própria. Entre em contato com o app.',
    stored: (privacy) => sentence`O que este serviço armazena e por quanto tempo: ${privacy}.`,
    done: {
      left: 'Sua sessão nesta página foi encerrada.',
      'signed-out': 'Você saiu do app. Isso pode levar alguns segundos.',
      'signed-out-everywhere': 'Você saiu de todos os apps. Isso pode levar alguns segundos.',
      forgotten: 'O app vai perguntar de novo no seu próximo login.',
      deleted: 'Seus dados foram removidos do app.',
      requested: 'Pedimos ao proprietário do app que remova seus dados.',
      kept: 'O pedido foi retirado. O app mantém seus dados.',
    },
  },
}
