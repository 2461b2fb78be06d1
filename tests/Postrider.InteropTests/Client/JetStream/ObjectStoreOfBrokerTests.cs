namespace Postrider.InteropTests.Client.JetStream;

public sealed class ObjectStoreOfBrokerTests(BrokerJetStreamFixture fixture) : ObjectStoreTests(fixture), IClassFixture<BrokerJetStreamFixture>;
