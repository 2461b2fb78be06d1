namespace Postrider.InteropTests.Client.JetStream;

public sealed class PublishOfBrokerTests(BrokerJetStreamFixture fixture) : PublishTests(fixture), IClassFixture<BrokerJetStreamFixture>;
