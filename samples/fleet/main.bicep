// A fleet of services from one list: a module in a loop, a condition, and values that only run time knows.
extension radius

import { Service } from 'types.bicep'

@description('The environment to deploy to. Ulna fills it in.')
param environment string

@description('What to run.')
@minLength(1)
param services Service[]

@description('Whether a status page lists the fleet.')
param statusPage bool = true

@secure()
@description('What services must show each other.')
param token string

var names = map(services, service => service.name)

resource fleet 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'fleet'
  properties: {
    environment: environment
  }
}

module service 'service.bicep' = [
  for item in services: {
    name: 'service-${item.name}'
    params: {
      application: fleet.id
      service: item
      token: token
    }
  }
]

resource roster 'Ulna.Core/values@2026-12-01' = {
  name: 'roster'
  properties: {
    input: {
      count: length(services)
      names: join(names, ', ')
      first: service[0].outputs.url
    }
  }
}

// One record a name that the roster holds: expanded when the roster is there.
resource entry 'Ulna.Core/values@2026-12-01' = [
  for name in split(roster.properties.output.names, ', '): {
    name: 'entry-${name}'
    properties: {
      input: '${name} of ${roster.properties.output.count}'
    }
  }
]

module page 'page.bicep' = if (statusPage) {
  name: 'page'
  params: {
    application: fleet.id
    title: 'Fleet of ${length(services)}'
    urls: [for (item, i) in services: service[i].outputs.url]
  }
}

output urls array = [for (item, i) in services: service[i].outputs.url]
output page string = page.?outputs.url ?? 'no status page'
