namespace Postrider.InteropTests.Client.JetStream;

public sealed class ObjectStoreOfGoTests(GoJetStreamFixture fixture) : ObjectStoreTests(fixture), IClassFixture<GoJetStreamFixture>;
