// Two notes; the second quotes the first, so it is written after it.
param greeting string = 'Hello'

resource first 'Demo.Notes/notes@2026-12-01' = {
  name: 'first'
  properties: {
    text: '${greeting} from a provider of your own.'
  }
}

resource second 'Demo.Notes/notes@2026-12-01' = {
  name: 'second'
  properties: {
    text: 'The first note has ${first.properties.words} words.'
  }
}

output words int = first.properties.words
