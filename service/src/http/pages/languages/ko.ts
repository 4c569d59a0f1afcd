import type { Html, Part } from '../markup.ts'
import { countedIn } from './counted.ts'
import type { Messages } from './en.ts'
import { sentence } from './sentence.ts'

const counted = countedIn('ko')
const seconds = (count: number) => counted(count, { other: '#초' })
const minutes = (count: number) => counted(count, { other: '#분' })
const hours = (count: number) => counted(count, { other: '#시간' })
const days = (count: number) => counted(count, { other: '#일' })

/** After a placeholder: a noun, or a particle that has the same form after every sound, such as `에` and `까지`. */
export const ko: Messages = {
  site: {
    skip: '본문으로 건너뛰기',
    about: '이 서비스 정보',
    runBy: (operator: Part): Html => sentence`운영자: ${operator}`,
    yourData: '내 데이터',
    privacy: '개인정보 보호',
    terms: '약관',
    support: '지원',
    useAnotherAccount: '다른 계정 사용',
    signInWith: (provider: string) => `${provider} 계정으로 로그인`,
    continueWith: (provider: string) => `${provider} 계정으로 계속하기`,
  },
  time: {
    justNow: '방금',
    withinAMinute: '1분 이내',
    both: (relative: string, exact: Part): Html => sentence`${relative}(${exact})`,
  },
  consent: {
    title: (host: string) => `${host}에 로그인`,
    waitTitle: (host: string) => `잠시 기다려 주세요: ${host}에 로그인`,
    heading: (host: string) => `${host}에 로그인하시겠습니까?`,
    localHeading: '이 컴퓨터의 앱에 로그인하시겠습니까?',
    ownLetters: (host: Part): Html => sentence`원래 문자로 표기: ${host}`,
    verified: '확인된 도메인',
    temporary: '확인되지 않은 임시 앱입니다.',
    temporaryMeaning:
      '계정 없이 설정된 앱이므로 누가 운영하는지 알 수 없습니다. 이 주소를 신뢰하는 경우에만 계속하세요.',
    appSees: '앱이 볼 수 있는 정보',
    shared: (provider: Part): Html =>
      sentence`이름, 이메일 주소, 프로필 사진입니다. ${provider} 계정의 다른 정보는 볼 수 없습니다.`,
    appPages: '앱의 페이지',
    privacyPolicy: '개인정보처리방침',
    terms: '이용약관',
    allow: '계속',
    deny: '취소',
    limited: (count: number) =>
      `이 앱이 이번 1분 동안의 로그인 한도에 도달했습니다. ${seconds(count)} 후에 ‘계속’을 다시 누르세요.`,
    remembered: (count: number) =>
      `계속하면 앱에 변경사항이 없는 한 이 브라우저에서는 ${days(count)} 동안 다시 묻지 않습니다. 아래의 ‘내 데이터’에서 취소할 수 있습니다.`,
    ifDenied: '취소하면 앱은 로그인하지 않았다는 사실만 알게 됩니다.',
    footer: (provider: Part): Html =>
      sentence`Gatehouse가 앱을 대신해 이 로그인을 처리합니다. ${provider} 비밀번호는 ${provider} 밖으로 전달되지 않습니다.`,
  },
  errors: {
    title: {
      invalidRedirectUri: '로그인 링크의 돌아갈 주소가 잘못되었습니다',
      redirectUriRequired: '로그인 링크에 돌아갈 주소가 없습니다',
      codeChallengeRequired: '로그인 링크가 완전하지 않습니다',
      invalidReturnTo: '로그인 링크의 돌아갈 페이지가 잘못되었습니다',
      invalidRequest: '사용할 수 없는 링크입니다',
      signInFailed: '로그인되지 않았습니다',
      claimUnknown: '소유자 등록 링크가 유효하지 않습니다',
      projectLimit: '소유할 수 있는 프로젝트 수 한도에 도달했습니다',
      providerNotFound: '로그인 링크가 잘못되었습니다',
      providerNotEnabled: '앱에서 이 로그인 방법을 제공하지 않습니다',
      tenantNotFound: '이 링크에 해당하는 앱이 없습니다',
      notProvisioned: '아직 로그인할 준비가 되지 않은 앱입니다',
      tenantPaused: '이 앱의 로그인이 일시중지되었습니다',
      tenantSuspended: '이 앱의 로그인이 정지되었습니다',
      callbackHostBlocked: '이 앱에 로그인할 수 없습니다',
      tenantExpired: '더 이상 존재하지 않는 앱입니다',
      loginOver: '이 로그인은 종료되었습니다',
      loginOtherBrowser: '다른 브라우저에서 시작된 로그인입니다',
      decisionNotOurs: '이 서비스의 페이지에서 보낸 요청이 아닙니다',
      rateLimited: '현재 로그인 요청이 너무 많습니다',
      temporarilyUnavailable: '지금은 로그인할 수 없습니다',
      outcomeUnknown: '처리되었는지 확인할 수 없습니다',
      internalError: '문제가 발생했습니다',
    },
    message: {
      invalidRedirectUri: '앱이 등록하지 않은 주소로 돌아가도록 요청했습니다. 로그인되지 않았습니다.',
      redirectUriRequired: '앱이 돌아갈 주소 없이 로그인을 요청했습니다. 로그인되지 않았습니다.',
      codeChallengeRequired: '앱으로 돌아가 앱에서 로그인하세요. 로그인되지 않았습니다.',
      invalidReturnTo: '앱이 자체 페이지가 아닌 곳으로 돌아가도록 요청했습니다. 로그인되지 않았습니다.',
      claimUnknown:
        '이 서비스의 링크가 아니거나 링크의 프로젝트가 더 이상 존재하지 않습니다. 에이전트에게 새 링크를 요청하세요.',
      projectLimit: '계정에서 프로젝트를 삭제하거나 이 서비스의 운영자에게 한도를 늘려 달라고 요청하세요.',
      providerNotFound: '존재하지 않는 로그인 방법입니다. 앱으로 돌아가 앱에서 로그인하세요.',
      providerNotEnabled: '앱이 사용 설정하지 않은 로그인 방법을 요청했습니다. 돌아가서 다른 방법을 선택하세요.',
      tenantNotFound: '주소를 확인하거나 앱으로 돌아가 앱에서 로그인하세요.',
      notProvisioned: '앱의 로그인 설정이 아직 완료되지 않았습니다. 나중에 다시 시도하세요.',
      tenantPaused: '이 앱이 체험 한도에 도달했습니다. 앱 개발자가 소유자로 등록해야 합니다.',
      tenantSuspended:
        '이 로그인 서비스의 운영자가 앱을 정지했습니다. 로그인되지 않았으며 앱과 아무것도 공유되지 않았습니다.',
      callbackHostBlocked:
        '앱이 돌아가려는 웹사이트를 이 로그인 서비스의 운영자가 차단했습니다. 로그인되지 않았으며 그 사이트와 아무것도 공유되지 않았습니다.',
      tenantExpired: '72시간 이내에 소유자가 등록되지 않은 체험 앱이거나 소유자가 앱을 삭제했습니다.',
      loginOver: '이미 완료되었거나 10분이 넘게 걸렸습니다. 앱으로 돌아가 로그인되어 있지 않으면 다시 시작하세요.',
      loginOtherBrowser:
        '다른 브라우저에서 시작했거나 쿠키가 차단되어 있습니다. 앱으로 돌아가 이 브라우저에서 다시 시작하세요.',
      decisionNotOurs: '뒤로 돌아가 페이지를 새로고침한 다음 그 페이지의 버튼을 누르세요.',
      rateLimited: '로그인이 시작되지 않았습니다.',
      temporarilyUnavailable:
        '로그인에 필요한 시스템이 작동하지 않습니다. 손실된 것은 없습니다. 잠시 후 다시 시도하세요.',
      outcomeUnknown: '변경사항을 저장하는 동안 연결에 실패했습니다. 다시 시도하기 전에 변경되었는지 확인하세요.',
      internalError:
        '이 서비스의 오류입니다. 다시 시도해 보고, 문제가 반복되면 아래의 요청 ID를 이 서비스의 운영자에게 알려 주세요.',
      other: '이전 페이지로 돌아가 다시 시도하세요.',
    },
    monthLimit: (day: string) => `이 앱이 월간 로그인 한도에 도달했습니다. 한도는 ${day}에 초기화됩니다.`,
    trialLimit: (day: string) =>
      `이 앱이 체험 한도에 도달했습니다. 체험이 끝나는 ${day}까지 앱 개발자가 소유자로 등록해야 합니다.`,
    goTo: (host: Part): Html => sentence`${host} 사이트로 이동`,
    tryAgain: '다시 시도',
    tryAgainWhen: (when) => sentence`${when}에 다시 시도하세요.`,
    waitOver: '이제 다시 시도할 수 있습니다.',
    forDeveloper: '앱 개발자용 정보',
    reference: (status: number, requestId: Part): Html => sentence`상태 ${status} · 요청 ${requestId}`,
  },
  claim: {
    title: '이 프로젝트를 유지하시겠습니까?',
    intro: '에이전트가 계정 없이 만든 프로젝트이며, 소유자로 등록해 달라고 요청합니다.',
    paused: '이 프로젝트는 일시중지되었습니다.',
    pausedMeaning: '체험 한도에 도달하여 사용자가 로그인할 수 없습니다. 승인하면 일시중지가 해제됩니다.',
    project: '프로젝트',
    created: '생성 시간',
    hosts: '콜백 호스트',
    noHosts: '아직 없으므로 사용자가 로그인할 수 없습니다.',
    moreHosts: (count: number) => counted(count, { other: '#개 더보기' }),
    activity: '활동',
    users: (count: number) => counted(count, { other: '사용자 #명' }),
    signIns: (count: number) => counted(count, { other: '로그인 #회' }),
    ends: '승인하지 않을 경우 종료 시간',
    ifApproved: '승인하면',
    yours: '프로젝트가 내 소유가 되며 더 이상 만료되지 않습니다.',
    counts: '프로젝트의 사용자와 로그인이 내 계정의 한도에 포함됩니다.',
    manage: '누가 로그인하는지 확인하고, 세션을 종료하고, 키를 교체하고, 프로젝트를 삭제할 수 있습니다.',
    whoHasKeys: '키를 가진 사람',
    keyFile:
      '키 파일이 있으면 누구나 프로젝트를 관리하고 프로젝트의 사용자를 볼 수 있습니다. 프로젝트를 만든 에이전트가 이 파일을 가지고 있습니다.',
    keptKeys:
      '키를 유지하면 그 키로 내 다른 프로젝트의 이름, 사용량, 활동도 볼 수 있지만 누가 로그인했는지는 볼 수 없습니다. 키를 교체하면 에이전트에게 새 파일이 필요하며, 새 파일은 한 번만 표시됩니다.',
    code: '확인 코드',
    compareOrDeny: '에이전트가 코드를 알려 주었다면 이 코드와 일치해야 합니다. 일치하지 않으면 ‘거부’를 누르세요.',
    compareOrClose: '에이전트가 코드를 알려 주었다면 이 코드와 일치해야 합니다. 일치하지 않으면 이 페이지를 닫으세요.',
    unaskedDeny: '직접 요청하지 않았다면 ‘거부’를 누르세요.',
    unaskedClose: '직접 요청하지 않았다면 이 페이지를 닫으세요.',
    signInMeaning: '로그인만으로는 아무것도 승인되지 않습니다. 이 페이지로 돌아와 결정하게 됩니다.',
    keys: '승인할 경우의 키',
    keyChoice: {
      keep: '키 유지',
      overlap: '키 교체(기존 키는 24시간 더 작동)',
      now: '키 교체(기존 키는 지금 작동 중지)',
    },
    approve: '승인',
    deny: '거부',
    wrongAccount: '원하는 계정이 아닌가요?',
  },
  claimed: {
    title: '이제 내 프로젝트입니다',
    keepsKeys: (project: Part): Html =>
      sentence`${project} 프로젝트는 더 이상 만료되지 않습니다. 에이전트에게 알렸으며 에이전트의 키는 계속 작동합니다.`,
    newKeys: (project: Part): Html =>
      sentence`${project} 프로젝트는 더 이상 만료되지 않습니다. 에이전트에게 알렸습니다.`,
    toAccount: '내 계정으로 이동',
    replaceTitle: '키를 교체하시겠습니까?',
    replaceMeaning:
      '본인과 에이전트가 아닌 누군가가 키 파일을 보았을 수 있다면 교체하세요. 새 파일은 한 번만 표시됩니다. 기존 키는 24시간 더 작동하므로 전환하는 동안에도 앱이 계속 작동합니다.',
    replace: '키 교체',
    deniedTitle: '요청이 거부되었습니다',
    denied: (project: Part, ends: Part): Html =>
      sentence`변경된 것은 없습니다. ${project} 프로젝트는 소유자가 없으며 ${ends}에 종료됩니다.`,
    deniedNext: '에이전트에게 알렸습니다. 이 페이지를 닫아도 됩니다. 생각이 바뀌면 에이전트에게 새 링크를 요청하세요.',
    yoursTitle: '이미 소유한 프로젝트입니다',
    yours: (project: Part): Html =>
      sentence`이미 ${project} 프로젝트의 소유자로 등록했습니다. 더 결정할 것이 없습니다.`,
    toProject: '프로젝트로 이동',
    takenTitle: '이미 소유자가 있는 프로젝트입니다',
    taken: (project: Part): Html =>
      sentence`다른 사람이 ${project} 프로젝트의 소유자로 등록했습니다. 변경된 것은 없습니다.`,
    takenNext: '다른 Google 계정으로 등록했다면 그 계정으로 로그인하세요. 그렇지 않다면 링크를 준 사람에게 문의하세요.',
    supersededTitle: '더 새로운 링크가 있습니다',
    superseded: (project: Part): Html =>
      sentence`에이전트가 ${project} 프로젝트의 새 링크를 만들었으며 가장 최근 링크만 작동합니다. 에이전트가 마지막으로 출력한 링크를 여세요.`,
    expiredTitle: '만료된 링크입니다',
    expired: (project: Part, count: number, endpoint: Part): Html =>
      sentence`링크는 ${minutes(count)} 동안 작동합니다. ${project} 프로젝트의 이 링크는 제시간에 사용되지 않았으며 변경된 것은 없습니다. 에이전트에게 새 링크를 요청하세요. 에이전트는 ${endpoint}에서 새 링크를 받습니다.`,
    endedTitle: '종료된 프로젝트입니다',
    ended: (project: Part, count: number): Html =>
      sentence`소유자가 없는 프로젝트는 만든 지 ${hours(count)} 후에 종료됩니다. ${project} 프로젝트는 제시간에 소유자가 등록되지 않았거나 에이전트가 삭제했습니다. 데이터는 삭제되었으며 복원할 수 없습니다.`,
    endedNext: '에이전트에게 새 프로젝트를 만들어 달라고 요청하고, 링크가 만료되기 전에 소유자로 등록하세요.',
  },
  me: {
    question: '이 서비스를 통해 앱에 로그인하셨나요? 여기에서 다음 작업을 할 수 있습니다.',
    seeApps: '어떤 앱에 언제 로그인했는지 확인',
    signOutOfApps: '그중 하나 또는 모든 앱에서 로그아웃',
    haveRemoved: '내 데이터 삭제 요청',
    signInMeaning: (count: number) =>
      `로그인해도 계정이 만들어지지는 않습니다. 앱에서 사용하는 계정을 선택하세요. ${minutes(count)} 후에 이 페이지에서 로그아웃됩니다.`,
    leave: '이 페이지에서 로그아웃',
    apps: (provider: string) => `이 ${provider} 계정으로 로그인한 앱입니다. 최근에 사용한 순서로 표시됩니다.`,
    noApps: (provider: string) => `여기에는 이 ${provider} 계정의 데이터를 가진 앱이 없습니다.`,
    pages: '앱',
    newer: '더 최근',
    older: '더 이전',
    temporary: '임시 앱',
    firstUsed: '처음 사용',
    lastUsed: '마지막 사용',
    known: '앱이 아는 정보',
    sessions: '세션',
    signedOut: '로그인되어 있지 않습니다.',
    sessionUsed: (when: string) => `마지막 사용: ${when}`,
    sessionStarted: (when: Part): Html => sentence`로그인: ${when}`,
    moreSessions: '더 있습니다.',
    signOut: '이 앱에서 로그아웃',
    consent: '동의',
    consentMeaning: (count: number) =>
      `‘계속’을 누른 브라우저에서 최대 ${days(count)} 동안 저장되며, 그 브라우저에서 로그인할 때는 다시 묻지 않습니다.`,
    forgetConsent: '저장된 동의 삭제',
    remove: '내 데이터 삭제',
    removeFromOwned: (count: number) =>
      `앱 소유자에게 내 데이터를 삭제하도록 요청합니다. 소유자가 삭제하지 않으면 ${days(count)} 후에 이 서비스에서 삭제합니다. 그러면 세션이 종료되고 여기의 기록에 더 이상 내 이름이 표시되지 않습니다. 앱이 직접 저장한 데이터는 여기에 없습니다. 앱에 문의하세요.`,
    removeFromTemporary:
      '이 임시 앱은 알려진 소유자가 없으므로 내 데이터를 지금 삭제합니다. 그러면 세션이 종료되고 여기의 기록에 더 이상 내 이름이 표시되지 않습니다. 이 작업은 취소할 수 없습니다. 앱이 직접 저장한 데이터는 여기에 없습니다. 앱에 문의하세요.',
    removalAsked: (when: Part): Html =>
      sentence`내 데이터 삭제를 요청했습니다. 앱 소유자도 알고 있습니다. 늦어도 ${when}까지 삭제됩니다.`,
    keep: '내 데이터 유지',
    everywhere: '모든 앱에서 로그아웃',
    everywhereMeaning: '내 데이터를 가진 모든 앱에서 세션을 종료합니다. 다시 로그인할 수 있습니다.',
    notShown: '이 페이지에 표시할 수 없는 항목',
    otherAccounts: '다른 계정으로 로그인한 앱. 확인하려면 그 계정으로 이 페이지에 로그인하세요.',
    notOffered: (providers: string) =>
      `${providers} 계정으로 로그인하는 앱. 이 서비스에는 그 제공업체의 클라이언트가 없습니다.`,
    ownClients:
      'Apple 또는 다른 OpenID 제공업체에서 자체 클라이언트를 사용하는 앱. 이러한 앱은 자체 ID로 사용자를 식별합니다.',
    appData: '앱이 직접 저장한 내 데이터. 앱에 문의하세요.',
    stored: (privacy: Part): Html => sentence`이 서비스가 저장하는 데이터와 보관 기간: ${privacy}`,
    done: {
      left: '이 페이지에서 로그아웃되었습니다.',
      'signed-out': '앱에서 로그아웃되었습니다. 몇 초 정도 걸릴 수 있습니다.',
      'signed-out-everywhere': '모든 앱에서 로그아웃되었습니다. 몇 초 정도 걸릴 수 있습니다.',
      forgotten: '다음에 로그인할 때 앱에서 다시 묻습니다.',
      deleted: '앱에서 내 데이터가 삭제되었습니다.',
      requested: '앱 소유자에게 내 데이터를 삭제하도록 요청했습니다.',
      kept: '요청이 취소되었습니다. 앱에 내 데이터가 유지됩니다.',
    },
  },
}
