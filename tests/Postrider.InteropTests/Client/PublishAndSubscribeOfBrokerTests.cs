namespace Postrider.InteropTests.Client;

public sealed class PublishAndSubscribeOfBrokerTests(BrokerFixture fixture) : PublishAndSubscribeTests(fixture), IClassFixture<BrokerFixture>;
