namespace Postrider.InteropTests.Client.JetStream;

public sealed class ConsumeOfGoTests(GoJetStreamFixture fixture) : ConsumeTests(fixture), IClassFixture<GoJetStreamFixture>;
