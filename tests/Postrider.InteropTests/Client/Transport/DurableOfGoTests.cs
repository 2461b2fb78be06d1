using Postrider.InteropTests.Client.JetStream;

namespace Postrider.InteropTests.Client.Transport;

public sealed class DurableOfGoTests(GoJetStreamFixture fixture) : DurableTests(fixture), IClassFixture<GoJetStreamFixture>;
