export { Spending } from './Spending.tsx'
