namespace Postrider.InteropTests.Client.JetStream;

public sealed class OrderedConsumerOfGoTests(GoJetStreamFixture fixture) : OrderedConsumerTests(fixture), IClassFixture<GoJetStreamFixture>;
