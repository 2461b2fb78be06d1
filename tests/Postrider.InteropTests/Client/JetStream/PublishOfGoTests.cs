namespace Postrider.InteropTests.Client.JetStream;

public sealed class PublishOfGoTests(GoJetStreamFixture fixture) : PublishTests(fixture), IClassFixture<GoJetStreamFixture>;
