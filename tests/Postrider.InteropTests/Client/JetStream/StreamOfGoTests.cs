namespace Postrider.InteropTests.Client.JetStream;

public sealed class StreamOfGoTests(GoJetStreamFixture fixture) : StreamTests(fixture), IClassFixture<GoJetStreamFixture>;
