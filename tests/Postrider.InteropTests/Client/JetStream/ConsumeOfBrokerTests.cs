namespace Postrider.InteropTests.Client.JetStream;

public sealed class ConsumeOfBrokerTests(BrokerJetStreamFixture fixture) : ConsumeTests(fixture), IClassFixture<BrokerJetStreamFixture>;
