const KINDS = `
chain; Drivetrain: KMC X11 chain / Chain KMC X11 /  SRAM  CHAIN, new / The chain / SRAM PC-951 chain, 9-speed
chain; Drivetrain: Waxed chain B / KMC pre-waxed chain / Waxed KMC X11 chain / Hot-waxed chain
chain; Drivetrain: KMC X11 chain with missing link / Chain, quick link / SRAM chain + quicklinks
chain; Drivetrain: Chain and Chainring / Chain + chainrings
cassette; any: Shimano 105 R7000 cassette 11-32 / Cassette
bottom bracket; any: Shimano SM-BB52 bottom bracket / Bottom bracket / BB / BB30 / SRAM DUB BB86
chain; Drivetrain: Chain and cassette
cassette; Drivetrain: Cassette + chain
tire front; Tires: Continental GP 5000 28, front / Front tire
tire rear; any: Rear tyre Marathon / Tire (rear)
tire both; Tires: Schwalbe Marathon Plus 35, pair / Front and rear tires / Tires
tire; Tires: GP 5000 / Gravelking / Vittoria Barzo / Tubeless Ready
wheel both; Wheels: Winter wheelset / DT Swiss ARC 1100, pair / Rim brake wheelset / Wheelset
wheel both; Wheels: Stan's NoTubes Crest Wheelset / Lightweight Meilenstein, pair
saddle; Saddle: Fizik Antares R3 / B17 / Saddle
pedals; Pedals: Shimano XT M8120 / Pedals / Crankbrothers Stamp
brake pads front; Brakes: Pads front / Brake pads, front
brake pads; any: Disc brake pads / Rim brake pads
brake pads; Brakes: SRAM Guide sintered pads / Guide RSC pads
brake pads both; Brakes: Kool-Stop Salmon pads, both
?; Drivetrain: Chain wear gauge / Chain Gauge / Chain wax / Chain waxed / Waxed / Quick link for the chain
?; Drivetrain: Chain quick link / KMC missing link / Waxed drivetrain, chain and all / Chainring 50 / KMC X12
?; Drivetrain: Shimano M8100
?; Pedals: Toe straps / Power meter battery / Cleats / Pedalboard / Pedal Wrench / Toestraps
?; Saddle: Dropper / Brooks Proofide / Gel saddle pad / Saddle bag / Saddlebag / Topeak Saddlebag L / Seatbag
?; Saddle: Saddlecover
?; Handlebar: Handlebarbag / Handlebar bag with chain / Chainstay Protector
?; Wheels: Jockey wheels / Derailleur pulley wheel / Training wheels / Wheelbag / Ritchey Wheelbags, pair
?; Wheels: Wheel Stand / Freehub / Mudguards / Speed sensor, rear wheel / Reflectors for wheels
?; Wheels: Rear wheel rebuilt / Front Hub
?; Tires: Tubolito / Tirelever / Tire Levers / Tyrelevers Schwalbe / Innertube / Rimtape / Tire Pump
?; Tires: Studded tires, pair (in the garage) / Sealant / Inner tube / Stan's NoTubes Sealant
?; any: Chainstay / Chainring, chain not included / Chainguard / Wheelbag / Tireliner
`

/** Names and types of entries, and the kind and position that version 1.0 read from them. */
export const FORMER_KINDS = KINDS.trim()
  .split('\n')
  .flatMap((line) => {
    const [, place = '', type = '', names = ''] = /^(.*?); (.*?): (.*)$/.exec(line)!
    return names.split(' / ').map((name) => ({ name, type: type === 'any' ? null : type, place }))
  })
