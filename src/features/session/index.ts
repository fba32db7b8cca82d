export { followSessionAtom, ownerIdAtom, sessionStatusAtom, signOutAtom, userAtom } from './atoms.ts'
export { SignInCard } from './SignInCard.tsx'
