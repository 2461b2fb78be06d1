namespace Postrider.InteropTests.Client.JetStream;

public sealed class StreamOfBrokerTests(BrokerJetStreamFixture fixture) : StreamTests(fixture), IClassFixture<BrokerJetStreamFixture>;
