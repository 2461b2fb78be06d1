using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Client.JetStream;

public sealed class CommandLineOfBrokerTests() : CommandLineTests(ServerKind.Postrider);
