export { default } from './SecondFactorDialog.tsx'
