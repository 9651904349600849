@description('Where Azure is managed: a stand-in on this machine.')
param endpoint string

resource dev 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'dev'
  properties: {
    compute: {
      kind: 'aci'
      cloud: {
        resourceManager: endpoint
      }
    }
    providers: {
      azure: {
        scope: '/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/shop'
      }
    }
  }
}
