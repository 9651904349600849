// Where things run: container groups of Azure, in a network of the environment's own.
extension radius

@description('The resource group, which is there already: /subscriptions/ID/resourceGroups/NAME.')
param resourceGroup string

@description('The id of a Key Vault that keeps the secrets; without one, each container group carries those it uses.')
param keyVault string = ''

@description('Where Azure is managed, if that is not the public cloud.')
param endpoint string = ''

resource azure 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'azure'
  properties: {
    compute: {
      kind: 'aci'
      ...(empty(keyVault) ? {} : { keyVault: keyVault })
      ...(empty(endpoint) ? {} : { cloud: { resourceManager: endpoint } })
    }
    providers: {
      azure: {
        scope: resourceGroup
      }
    }
  }
}
