using Postrider.TransportTests.Harness;

[assembly: AssemblyFixture(typeof(RabbitMqServer))]
