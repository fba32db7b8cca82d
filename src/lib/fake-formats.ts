export { GERMAN, KILOMETERS, US } from '../../supabase/functions/_shared/formats/testing.ts'
