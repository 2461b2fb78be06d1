namespace Postrider.InteropTests.Client.JetStream;

public sealed class KeyValueOfGoTests(GoJetStreamFixture fixture) : KeyValueTests(fixture), IClassFixture<GoJetStreamFixture>;
