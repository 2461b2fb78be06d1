using Postrider.InteropTests.Client.JetStream;

namespace Postrider.InteropTests.Client.Transport;

public sealed class DurableOfBrokerTests(BrokerJetStreamFixture fixture) : DurableTests(fixture), IClassFixture<BrokerJetStreamFixture>;
