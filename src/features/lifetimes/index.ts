export { Lifetimes } from './Lifetimes.tsx'
