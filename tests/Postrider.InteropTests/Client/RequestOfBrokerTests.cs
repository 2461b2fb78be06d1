namespace Postrider.InteropTests.Client;

public sealed class RequestOfBrokerTests(BrokerFixture fixture) : RequestTests(fixture), IClassFixture<BrokerFixture>;
