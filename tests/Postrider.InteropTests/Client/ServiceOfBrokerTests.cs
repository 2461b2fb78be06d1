namespace Postrider.InteropTests.Client;

public sealed class ServiceOfBrokerTests(BrokerFixture fixture) : ServiceTests(fixture), IClassFixture<BrokerFixture>;
