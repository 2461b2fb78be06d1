namespace Postrider.InteropTests.Client.JetStream;

public sealed class KeyValueOfBrokerTests(BrokerJetStreamFixture fixture) : KeyValueTests(fixture), IClassFixture<BrokerJetStreamFixture>;
