"""Every type that is rendered passes what an operator must, on the emulators."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from engine.contract.conformance import OperatorConformance
from engine.contract.operator import Operator
from engine.contract.resource import Resource
from engine.contract.value import Secret, Value

pytestmark = pytest.mark.e2e
PYTHON = "localhost/python:3"
TRUST = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Principal": {"Service": "ecs-tasks.amazonaws.com"}, "Action": "sts:AssumeRole"}],
}

READ = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Action": "secretsmanager:GetSecretValue", "Resource": "*"}],
}


class OnAws(OperatorConformance):
    """`around` makes what the resource refers to, with the SDK itself, and removes it."""

    __test__ = False
    patience = 120.0
    type = ""
    wish: dict[str, Any] = {}
    other: tuple[dict[str, Any], ...] = ()

    @pytest.fixture(autouse=True)
    def _with(self, lab: Any, make: Any) -> Iterator[None]:
        self.lab, self.make = lab, make
        self.found: dict[str, Any] = {}
        undo = self.around(lab.raw)
        yield
        for step in reversed(list(undo or ())):
            with suppress(Exception):
                step()

    def around(self, raw: Any) -> Iterable[Any]:
        return ()

    def operator(self, folder: Path) -> Operator:
        return self.lab.again()

    def resource(self, folder: Path) -> Resource:
        return self.make(self.type, "thing", **{**self.wish, **self.found})

    def changes(self, folder: Path) -> Iterable[Resource]:
        for change in self.other:
            yield self.make(self.type, "thing", **{**self.wish, **self.found, **change})

    def secrets(self) -> dict[str, Value]:
        return {"password": "do-not-tell-anyone", "other": "nor-this"}

    def network(self, raw: Any) -> list[Any]:
        """A VPC with a subnet."""
        ec2 = raw("ec2")
        self.vpc = ec2.create_vpc(CidrBlock="10.77.0.0/16")["Vpc"]["VpcId"]
        self.subnets = [
            ec2.create_subnet(VpcId=self.vpc, CidrBlock=f"10.77.{n}.0/24", AvailabilityZone=f"us-east-1{'ab'[n]}")[
                "Subnet"
            ]["SubnetId"]
            for n in range(2)
        ]
        return [
            lambda: ec2.delete_vpc(VpcId=self.vpc),
            *(lambda s=s: ec2.delete_subnet(SubnetId=s) for s in self.subnets),
        ]

    def cluster(self, raw: Any) -> list[Any]:
        """A cluster of ours, and a task definition that sleeps."""
        ecs = raw("ecs")
        client = self.lab.again().client
        tags = [{"key": k, "value": v} for k, v in client.marks("env/cluster#1").items()]
        self.arn = ecs.create_cluster(clusterName=client.name("env/cluster#1"), tags=tags)["cluster"]["clusterArn"]
        register = {"networkMode": "awsvpc", "requiresCompatibilities": ["FARGATE"], "cpu": "256", "memory": "512"}
        self.definitions = [
            ecs.register_task_definition(
                family=f"conformance-{n}",
                containerDefinitions=[
                    {"name": "main", "image": PYTHON, "command": ["sleep", seconds], "essential": True}
                ],
                **register,
            )["taskDefinition"]["taskDefinitionArn"]
            for n, seconds in enumerate(("600", "700"))
        ]
        return [
            lambda: ecs.delete_cluster(cluster=self.arn),
            *(lambda d=d: ecs.deregister_task_definition(taskDefinition=d) for d in self.definitions),
        ]


class TestVpc(OnAws):
    __test__ = True
    type = "AWS.EC2/VPC"
    wish = {"CidrBlock": "10.78.0.0/16", "EnableDnsSupport": True, "EnableDnsHostnames": True}
    other = ({"CidrBlock": "10.79.0.0/16"}, {"EnableDnsHostnames": False})


class TestSubnet(OnAws):
    __test__ = True
    type = "AWS.EC2/Subnet"
    wish = {
        "CidrBlock": "10.77.9.0/24",
        "AvailabilityZone": {"Fn::Select": [0, {"Fn::GetAZs": ""}]},
        "MapPublicIpOnLaunch": True,
    }
    other = ({"CidrBlock": "10.77.8.0/24"}, {"MapPublicIpOnLaunch": False})

    def around(self, raw: Any) -> Iterable[Any]:
        undo = self.network(raw)
        self.found = {"VpcId": self.vpc}
        return undo


class TestInternetGateway(OnAws):
    __test__ = True
    type = "AWS.EC2/InternetGateway"


class TestRouteTable(OnAws):
    __test__ = True
    type = "AWS.EC2/RouteTable"
    other = ({"VpcId": "vpc-1"},)

    def around(self, raw: Any) -> Iterable[Any]:
        undo = self.network(raw)
        self.found = {"VpcId": self.vpc}
        return undo


class TestGatewayAttachment(OnAws):
    __test__ = True
    type = "AWS.EC2/VPCGatewayAttachment"
    other = ({"VpcId": "vpc-1"},)

    def around(self, raw: Any) -> Iterable[Any]:
        undo, ec2 = self.network(raw), raw("ec2")
        gateway = ec2.create_internet_gateway()["InternetGateway"]["InternetGatewayId"]
        self.found = {"VpcId": self.vpc, "InternetGatewayId": gateway}
        return [*undo, lambda: ec2.delete_internet_gateway(InternetGatewayId=gateway)]


class TestRoute(OnAws):
    __test__ = True
    type = "AWS.EC2/Route"
    wish = {"DestinationCidrBlock": "0.0.0.0/0"}
    other = ({"DestinationCidrBlock": "10.0.0.0/8"},)

    def around(self, raw: Any) -> Iterable[Any]:
        undo, ec2 = self.network(raw), raw("ec2")
        gateway = ec2.create_internet_gateway()["InternetGateway"]["InternetGatewayId"]
        ec2.attach_internet_gateway(InternetGatewayId=gateway, VpcId=self.vpc)
        table = ec2.create_route_table(VpcId=self.vpc)["RouteTable"]["RouteTableId"]
        self.found = {"RouteTableId": table, "GatewayId": gateway}
        return [
            *undo,
            lambda: ec2.delete_internet_gateway(InternetGatewayId=gateway),
            lambda: ec2.detach_internet_gateway(InternetGatewayId=gateway, VpcId=self.vpc),
            lambda: ec2.delete_route_table(RouteTableId=table),
        ]


class TestAssociation(OnAws):
    __test__ = True
    type = "AWS.EC2/SubnetRouteTableAssociation"
    other = ({"SubnetId": "subnet-1"},)

    def around(self, raw: Any) -> Iterable[Any]:
        undo, ec2 = self.network(raw), raw("ec2")
        table = ec2.create_route_table(VpcId=self.vpc)["RouteTable"]["RouteTableId"]
        self.found = {"RouteTableId": table, "SubnetId": self.subnets[0]}
        return [*undo, lambda: ec2.delete_route_table(RouteTableId=table)]


class TestSecurityGroup(OnAws):
    __test__ = True
    type = "AWS.EC2/SecurityGroup"
    wish = {
        "GroupDescription": "tasks",
        "SecurityGroupIngress": [
            {"IpProtocol": "tcp", "FromPort": 80, "ToPort": 80, "CidrIp": "0.0.0.0/0", "Description": "web"}
        ],
    }
    other = (
        {
            "SecurityGroupIngress": [
                {"IpProtocol": "tcp", "FromPort": 8080, "ToPort": 8080, "CidrIp": "10.0.0.0/8"},
                {"IpProtocol": "udp", "FromPort": 53, "ToPort": 53, "CidrIp": "0.0.0.0/0"},
            ]
        },
        {"GroupDescription": "others"},
    )

    def around(self, raw: Any) -> Iterable[Any]:
        undo = self.network(raw)
        self.found = {"VpcId": self.vpc}
        return undo


class TestCluster(OnAws):
    __test__ = True
    type = "AWS.ECS/Cluster"
    wish = {"CapacityProviders": ["FARGATE"], "ClusterSettings": [{"Name": "containerInsights", "Value": "disabled"}]}
    other = ({"ClusterSettings": [{"Name": "containerInsights", "Value": "enabled"}]},)


class TestTaskDefinition(OnAws):
    __test__ = True
    type = "AWS.ECS/TaskDefinition"
    wish = {
        "NetworkMode": "awsvpc",
        "RequiresCompatibilities": ["FARGATE"],
        "Cpu": "256",
        "Memory": "512",
        "ContainerDefinitions": [{"Name": "main", "Image": PYTHON, "DockerLabels": {"Key": "value"}}],
    }
    other = ({"Cpu": "512", "Memory": "1024"},)


class TestService(OnAws):
    __test__ = True
    type = "AWS.ECS/Service"
    wish = {"LaunchType": "FARGATE", "DesiredCount": 1, "DeploymentConfiguration": {"MinimumHealthyPercent": 0}}
    other = ({"DesiredCount": 2}, {"DeploymentConfiguration": {"MinimumHealthyPercent": 50}})

    def around(self, raw: Any) -> Iterable[Any]:
        undo = [*self.network(raw), *self.cluster(raw)]
        network = {"AwsvpcConfiguration": {"Subnets": self.subnets, "AssignPublicIp": "ENABLED"}}
        self.found = {"Cluster": self.arn, "TaskDefinition": self.definitions[0], "NetworkConfiguration": network}
        self.other = (*type(self).other, {"TaskDefinition": self.definitions[1]})
        return undo


class TestTask(OnAws):
    __test__ = True
    type = "Ulna.Ecs/tasks"
    wish = {"LaunchType": "FARGATE", "ContainerName": "main"}

    def around(self, raw: Any) -> Iterable[Any]:
        undo = [*self.network(raw), *self.cluster(raw)]
        network = {"AwsvpcConfiguration": {"Subnets": self.subnets, "AssignPublicIp": "ENABLED"}}
        self.found = {"Cluster": self.arn, "TaskDefinition": self.definitions[0], "NetworkConfiguration": network}
        self.other = ({"TaskDefinition": self.definitions[1]},)
        return undo


class TestRole(OnAws):
    __test__ = True
    type = "AWS.IAM/Role"
    wish = {
        "AssumeRolePolicyDocument": TRUST,
        "ManagedPolicyArns": ["arn:aws:iam::aws:policy/service-role/AmazonECSTaskExecutionRolePolicy"],
        "Policies": [{"PolicyName": "secrets", "PolicyDocument": READ}],
    }
    other = ({"Policies": []}, {"ManagedPolicyArns": []})


class TestLogGroup(OnAws):
    __test__ = True
    type = "AWS.Logs/LogGroup"
    wish = {"RetentionInDays": 7}
    other = ({"RetentionInDays": 14},)


class TestNamespace(OnAws):
    __test__ = True
    type = "AWS.ServiceDiscovery/PrivateDnsNamespace"
    wish = {"Name": "conformance.test"}
    other = ({"Name": "other.test"},)

    def around(self, raw: Any) -> Iterable[Any]:
        undo = self.network(raw)
        self.found = {"Vpc": self.vpc}
        return undo


class TestName(OnAws):
    __test__ = True
    type = "AWS.ServiceDiscovery/Service"
    wish = {"Name": "web", "DnsConfig": {"DnsRecords": [{"Type": "A", "TTL": 10}]}}
    other = ({"Name": "api"}, {"DnsConfig": {"DnsRecords": [{"Type": "A", "TTL": 20}]}})

    def around(self, raw: Any) -> Iterable[Any]:
        undo, map = self.network(raw), raw("servicediscovery")
        made = map.create_private_dns_namespace(Name="names.test", Vpc=self.vpc)["OperationId"]
        id = map.get_operation(OperationId=made)["Operation"]["Targets"]["NAMESPACE"]
        self.found = {"NamespaceId": id}
        return [*undo, lambda: map.delete_namespace(Id=id)]


class TestSecret(OnAws):
    __test__ = True
    type = "AWS.SecretsManager/Secret"
    wish = {"Description": "of a test", "SecretString": {"password": Secret("password", "one")}}
    other = ({"SecretString": {"password": Secret("other", "two")}},)


class TestLoadBalancer(OnAws):
    __test__ = True
    type = "AWS.ElasticLoadBalancingV2/LoadBalancer"
    wish = {"Scheme": "internet-facing", "Type": "application"}
    other = ({"Scheme": "internal"},)

    def around(self, raw: Any) -> Iterable[Any]:
        undo = self.network(raw)
        self.found = {"Subnets": self.subnets}
        return undo


class TestTargetGroup(OnAws):
    __test__ = True
    type = "AWS.ElasticLoadBalancingV2/TargetGroup"
    wish = {"Protocol": "HTTP", "Port": 80, "TargetType": "ip", "HealthCheckPath": "/"}
    other = ({"HealthCheckPath": "/healthz"}, {"Port": 81})

    def around(self, raw: Any) -> Iterable[Any]:
        undo = self.network(raw)
        self.found = {"VpcId": self.vpc}
        return undo


class OnABalancer(OnAws):
    def balancer(self, raw: Any) -> list[Any]:
        """A load balancer of ours, and a target group."""
        undo, balancing, client = self.network(raw), raw("elbv2"), self.lab.again().client
        tags = [{"Key": k, "Value": v} for k, v in client.marks("env/lb#1").items()]
        self.lb = balancing.create_load_balancer(Name=client.name("env/lb#1", 32), Subnets=self.subnets, Tags=tags)[
            "LoadBalancers"
        ][0]["LoadBalancerArn"]
        self.group = balancing.create_target_group(
            Name="conformance", Protocol="HTTP", Port=80, VpcId=self.vpc, TargetType="ip"
        )["TargetGroups"][0]["TargetGroupArn"]
        return [
            *undo,
            lambda: balancing.delete_target_group(TargetGroupArn=self.group),
            lambda: balancing.delete_load_balancer(LoadBalancerArn=self.lb),
        ]


class TestListener(OnABalancer):
    __test__ = True
    type = "AWS.ElasticLoadBalancingV2/Listener"
    wish = {
        "Port": 80,
        "Protocol": "HTTP",
        "DefaultActions": [{"Type": "fixed-response", "FixedResponseConfig": {"StatusCode": "404"}}],
    }
    other = ({"Port": 8080},)

    def around(self, raw: Any) -> Iterable[Any]:
        undo = self.balancer(raw)
        self.found = {"LoadBalancerArn": self.lb}
        return undo


class TestListenerRule(OnABalancer):
    __test__ = True
    type = "AWS.ElasticLoadBalancingV2/ListenerRule"
    wish = {
        "Priority": 10,
        "Conditions": [{"Field": "path-pattern", "PathPatternConfig": {"Values": ["/api", "/api/*"]}}],
        "Transforms": [
            {"Type": "url-rewrite", "UrlRewriteConfig": {"Rewrites": [{"Regex": "^/api/?(.*)$", "Replace": "/$1"}]}}
        ],
    }
    other = (
        {"Priority": 20},
        {"Conditions": [{"Field": "path-pattern", "PathPatternConfig": {"Values": ["/other"]}}]},
    )

    def around(self, raw: Any) -> Iterable[Any]:
        undo = self.balancer(raw)
        default = [{"Type": "fixed-response", "FixedResponseConfig": {"StatusCode": "404"}}]
        listener = raw("elbv2").create_listener(
            LoadBalancerArn=self.lb, Port=80, Protocol="HTTP", DefaultActions=default
        )["Listeners"][0]["ListenerArn"]
        self.found = {"ListenerArn": listener, "Actions": [{"Type": "forward", "TargetGroupArn": self.group}]}
        return undo


class TestFileSystem(OnAws):
    __test__ = True
    type = "AWS.EFS/FileSystem"
    wish = {"Encrypted": True, "PerformanceMode": "generalPurpose"}
    other = ({"Encrypted": False},)


class OnAFileSystem(OnAws):
    def system(self, raw: Any) -> list[Any]:
        efs = raw("efs")
        self.fs = efs.create_file_system(CreationToken="conformance")["FileSystemId"]
        return [lambda: efs.delete_file_system(FileSystemId=self.fs)]


class TestMountTarget(OnAFileSystem):
    __test__ = True
    type = "AWS.EFS/MountTarget"
    other = ({"SubnetId": "subnet-1"},)

    def around(self, raw: Any) -> Iterable[Any]:
        undo = [*self.network(raw), *self.system(raw)]
        self.found = {"FileSystemId": self.fs, "SubnetId": self.subnets[0]}
        return undo


class TestAccessPoint(OnAFileSystem):
    __test__ = True
    type = "AWS.EFS/AccessPoint"
    wish = {"PosixUser": {"Uid": 1000, "Gid": 1000}}
    other = ({"PosixUser": {"Uid": 0, "Gid": 0}},)

    def around(self, raw: Any) -> Iterable[Any]:
        undo = self.system(raw)
        self.found = {"FileSystemId": self.fs}
        return undo


class TestCertificate(OnAws):
    __test__ = True
    type = "Ulna.Ecs/certificates"

    def around(self, raw: Any) -> Iterable[Any]:
        pem = (Path(__file__).parent / "certificate.pem").read_text()
        self.found = {"Certificate": pem, "PrivateKey": Secret("password", "one")}
        return ()


class OnMoto(OnAws):
    @pytest.fixture(autouse=True)
    def _with(self, moto_lab: Any, make: Any) -> Iterator[None]:
        self.lab, self.make = moto_lab, make
        ecs = moto_lab.raw("ecs")
        ecs.create_cluster(clusterName="scaled")
        ecs.register_task_definition(family="scaled", containerDefinitions=[{"name": "a", "image": "b", "memory": 64}])
        ecs.create_service(cluster="scaled", serviceName="web", taskDefinition="scaled", desiredCount=1)
        whose = {"ServiceNamespace": "ecs", "ResourceId": "service/scaled/web"}
        self.found = {**whose, "ScalableDimension": "ecs:service:DesiredCount"}
        if "Policy" in self.type:
            moto_lab.raw("application-autoscaling").register_scalable_target(**self.found, MinCapacity=1, MaxCapacity=5)
        yield
        ecs.delete_service(cluster="scaled", service="web", force=True)


class TestScalableTarget(OnMoto):
    __test__ = True
    type = "AWS.ApplicationAutoScaling/ScalableTarget"
    wish = {"MinCapacity": 1, "MaxCapacity": 3}
    other = ({"MaxCapacity": 5},)


class TestScalingPolicy(OnMoto):
    __test__ = True
    type = "AWS.ApplicationAutoScaling/ScalingPolicy"
    wish = {
        "PolicyType": "TargetTrackingScaling",
        "TargetTrackingScalingPolicyConfiguration": {
            "TargetValue": 70.0,
            "PredefinedMetricSpecification": {"PredefinedMetricType": "ECSServiceAverageCPUUtilization"},
        },
    }
    other = (
        {
            "TargetTrackingScalingPolicyConfiguration": {
                "TargetValue": 50.0,
                "PredefinedMetricSpecification": {"PredefinedMetricType": "ECSServiceAverageCPUUtilization"},
            }
        },
    )


def test_every_type_is_tried() -> None:
    """A type without a class here would be believed and not known."""
    from providers.aws.kinds.table import things

    tried = {c.type.lower() for c in _below(OnAws) if c.__test__}
    assert set(things()) == tried, json.dumps(sorted(set(things()) ^ tried))


def _below(cls: type[OnAws]) -> Iterator[type[OnAws]]:
    for sub in cls.__subclasses__():
        yield sub
        yield from _below(sub)
