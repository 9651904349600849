using 'main.bicep'

param services = [
  {
    name: 'apples'
    answer: 'An apple a day'
  }
  {
    name: 'pears'
    answer: 'A pair of pears'
    replicas: 2
  }
]

param token = readEnvironmentVariable('FLEET_TOKEN', 'not-a-secret-yet')
