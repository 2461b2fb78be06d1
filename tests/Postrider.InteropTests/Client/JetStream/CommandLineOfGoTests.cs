using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Client.JetStream;

public sealed class CommandLineOfGoTests() : CommandLineTests(ServerKind.Go);
