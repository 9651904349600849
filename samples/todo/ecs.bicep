// Where things run: services of Amazon ECS on Fargate, in a cluster and a network that this environment owns.
extension radius

@description('The number of the account.')
param account string

@description('The region.')
param region string = 'us-east-1'

resource ecs 'Applications.Core/environments@2023-10-01-preview' = {
  name: 'ecs'
  properties: {
    compute: {
      kind: 'ecs'
      namespace: 'todo'
    }
    providers: {
      aws: {
        scope: '/planes/aws/aws/accounts/${account}/regions/${region}'
      }
    }
  }
}
