namespace Postrider.InteropTests.Client.JetStream;

public sealed class OrderedConsumerOfBrokerTests(BrokerJetStreamFixture fixture) : OrderedConsumerTests(fixture), IClassFixture<BrokerJetStreamFixture>;
