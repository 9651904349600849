@export()
@description('One service of the fleet.')
type Service = {
  @description('Its name, unique in the fleet.')
  @maxLength(20)
  name: string

  @description('How many of it.')
  @minValue(1)
  replicas: int?

  @description('What it answers.')
  answer: string
}
