import { type Atom, useAtomValue, useSetAtom } from 'jotai'
import {
  type ComponentType,
  lazy,
  type ReactNode,
  startTransition,
  Suspense,
  useEffect,
  useState,
} from 'react'

import { pageHeading } from '../../components/page-heading.ts'
import { focusIfLost } from '../../components/lost-focus.ts'
import { backendAtom } from '../../lib/backend.ts'
import { linkProblemAtom, type SessionStatus, sessionStatusAtom, signInAtom } from './atoms.ts'
import { AuthCard, AuthField, EmailField, fieldText } from './AuthCard.tsx'
import { missingCredential } from './rules.ts'

// A separate chunk, because these cards are rarely needed and would delay sign-in.
const loadCards = () => import('./LazyCards.tsx')
const SecondFactorCard = lazy(async () => ({ default: (await loadCards()).SecondFactorCard }))
const NewPasswordCard = lazy(async () => ({ default: (await loadCards()).NewPasswordCard }))
const ForgotPasswordCard = lazy(async () => ({ default: (await loadCards()).ForgotPasswordCard }))

/** The signed-in owner's screen, undefined while its code loads. */
type ContentAtom = Atom<{ default: ComponentType } | undefined>

/** Shows the content while signed in or while the session is waiting for a refresh, else the next sign-in step. */
export function SessionScreen({ contentAtom }: { contentAtom: ContentAtom }) {
  const status = useAtomValue(sessionStatusAtom)
  const card = CARDS[status]
  const [hadCard, setHadCard] = useState(false)
  if (card && !hadCard) setHadCard(true)

  if (status === 'checking') return <Frame />
  if (!card) return <Content contentAtom={contentAtom} isFocused={hadCard} />
  return <Suspense fallback={<Frame />}>{card}</Suspense>
}

function Content({ contentAtom, isFocused }: { contentAtom: ContentAtom; isFocused: boolean }) {
  const screen = useAtomValue(contentAtom)
  if (!screen) return <Frame />
  return (
    <>
      <screen.default />
      {isFocused && <FocusOnContent />}
    </>
  )
}

const CARDS: Partial<Record<SessionStatus, ReactNode>> = {
  'signed-out': <SignInCard />,
  'second-factor': <SecondFactorCard />,
  'new-password': <NewPasswordCard />,
}

/** Shows what index.html shows before any script has loaded, until the session is known and the main screen's code has loaded. */
function Frame() {
  return (
    <div className="frame">
      <img src="/icon.svg" alt="" width="28" height="28" />
      RWGPS Maintenance Tracker
    </div>
  )
}

/**
 * Focuses the page's heading after a card closes, or its content if the bikes aren't loaded yet. On a fresh page, the first
 * Tab goes to the skip link instead.
 */
function FocusOnContent() {
  useEffect(() => focusIfLost(pageHeading('main h2'), { preventScroll: true }), [])
  return null
}

const DEMO = { email: 'owner@example.com', password: 'password' }

function demoForm(): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(DEMO)) form.set(name, value)
  return form
}

function SignInCard() {
  const { demoAccount } = useAtomValue(backendAtom).config
  const signIn = useSetAtom(signInAtom)
  const linkProblem = useAtomValue(linkProblemAtom)
  const [isForgotten, setForgotten] = useState(false)

  const submit = async (form: FormData) => {
    const [email, password] = [fieldText(form, 'email').trim(), fieldText(form, 'password')]
    const missing = missingCredential(email, password)
    if (missing === null) await signIn(email, password)
    return missing
  }

  // A transition keeps this card visible until the next card has loaded.
  const forget = () => startTransition(() => setForgotten(true))

  if (isForgotten) return <ForgotPasswordCard onBack={() => setForgotten(false)} />
  return (
    <AuthCard
      key={linkProblem}
      {...(demoAccount && {
        shortcut: { label: 'Open the sample', form: demoForm },
        purpose: `Demo account: ${DEMO.email} / ${DEMO.password}`,
      })}
      initialError={linkProblem}
      submitLabel="Sign in"
      onSubmit={submit}
      link={{ label: 'Forgot password?', onClick: forget }}
    >
      <EmailField />
      <AuthField label="Password" name="password" type="password" autoComplete="current-password" />
    </AuthCard>
  )
}
