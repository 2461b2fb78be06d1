using Postrider.TransportTests.Harness;

[assembly: AssemblyFixture(typeof(RabbitMqServer))]
[assembly: AssemblyFixture(typeof(RabbitMq4Server))]
[assembly: AssemblyFixture(typeof(MotoServer))]
