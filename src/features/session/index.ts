export { emailAtom, followSessionAtom, ownerIdAtom, sessionStatusAtom, signOutAtom } from './atoms.ts'
export { SignInCard } from './SignInCard.tsx'
