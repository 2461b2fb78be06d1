using Postrider.TransportTests.Harness;

[assembly: AssemblyFixture(typeof(RabbitMqServer))]
[assembly: AssemblyFixture(typeof(MotoServer))]
