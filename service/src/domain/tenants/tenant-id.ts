import { type RandomBytes, uniform } from '../tokens/random-text.ts'

const ID_MAX_CHARACTERS = 40

/** No vowels, so that it spells no word; no 0, 1 or l, which look alike. */
const TAIL_ALPHABET = '23456789bcdfghjkmnpqrstvwxyz'
const TAIL_CHARACTERS = 5

const SHAPE = /^[a-z0-9]+(-[a-z0-9]+)+$/

/**
 * A readable id: `swift-fox-running-k3qd7`. It is public, part of every login link. With 2⁴⁵ values, guessing an existing
 * id or creating one twice is practically impossible.
 */
export function mintTenantId(random: RandomBytes): string {
  const words = [ADJECTIVES, ANIMALS, VERBS].map((list) => pick(list, 1, random))
  return [...words, pick([...TAIL_ALPHABET], TAIL_CHARACTERS, random)].join('-')
}

export const isTenantId = (text: string): boolean => text.length <= ID_MAX_CHARACTERS && SHAPE.test(text)

const pick = (from: readonly string[], count: number, random: RandomBytes): string =>
  uniform(count, from.length, random)
    .map((index) => from[index])
    .join('')

/** Words for tenant ids, all of them kind: a stranger will find one of each in the address of a login page. */
const words = (text: string): readonly string[] => text.trim().split(/\s+/)

export const ADJECTIVES = words(`
  able agile airy alert amber ample apt azure balmy bold brave breezy bright brisk bubbly calm candid
  cheery chipper civil clear clever comfy cool coral cosy crisp curious daring dear deft devoted dreamy
  dulcet eager early earnest easy elated elegant fair faithful famous fancy fearless festive fine fleet
  fluent fond frank free fresh friendly gallant generous gentle genuine glad golden graceful grand
  grateful handy happy hardy hearty helpful honest hopeful humble ideal jaunty jolly jovial joyful keen
  kind lively loyal lucid lucky mellow merry mighty mild modest neat nimble noble patient peaceful perky
  playful plucky polite proud quick quiet radiant ready robust rosy serene shiny silver sincere smart snug
  soft sparkly spry steady stellar sturdy sunny swift tender thankful tidy tranquil trusty upbeat valiant
  vivid warm welcome whole winsome wise witty worthy zesty
`)

export const ANIMALS = words(`
  alpaca antelope badger bee bison bluebird bobcat bunny butterfly camel canary caribou cat chamois
  cheetah chickadee chipmunk corgi crane cricket dingo dolphin dove duck eagle egret elk emu falcon ferret
  finch firefly flamingo fox gazelle gecko gerbil giraffe goat goldfish gopher grouse gull hamster hare
  hawk hedgehog heron hippo hoopoe horse husky ibex ibis iguana impala jaguar jay kestrel kiwi koala koi
  kudu ladybird lamb lark lemur leopard linnet lion llama lobster lynx macaw magpie mallard manatee marmot
  marten meerkat moose mouse narwhal newt ocelot octopus okapi orca oriole osprey ostrich otter owl panda
  panther parrot pelican penguin pheasant pigeon pony poodle puffin puma quail quokka rabbit raven
  reindeer robin salmon sandpiper seahorse seal sparrow starling stork swan tapir tern toucan trout turtle
  vole wallaby walrus whale wolf wombat wren yak zebra
`)

export const VERBS = words(`
  acting adding aiding arriving asking baking balancing beaming blooming bouncing bowing braiding building
  camping caring carving charting chatting cheering chiming clapping climbing coasting cooking crafting
  cruising curling cycling dancing dashing diving drawing dreaming drifting drumming earning enjoying
  exploring fishing floating flowing fluting flying folding gardening giving glancing gliding glowing
  greeting growing guiding helping hiking hopping hosting hovering humming inventing jogging joining
  juggling jumping keeping knitting landing laughing leading leaping learning lending lifting linking
  listening living looking making mapping marching mending mixing moving musing napping nesting nodding
  offering opening packing paddling painting parading pausing planning planting playing pondering prancing
  purring racing reading resting riding rising roaming rolling rowing running sailing saving seeing sewing
  sharing shining singing sitting skating sketching skiing skipping sledding smiling soaring solving
  sowing spinning sprouting standing stirring strolling surfing swaying sweeping swimming talking tapping
  tasting teaching tending thanking thinking thriving tiptoeing touring trekking trotting trying tuning
  turning twirling typing visiting waiting waking walking waltzing wandering watching waving weaving
  whirling whistling winning wishing wondering working writing yodeling zooming
`)
