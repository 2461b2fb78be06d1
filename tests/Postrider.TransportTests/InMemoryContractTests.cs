using Postrider.TransportTests.Contract;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests;

public sealed class InMemoryContractTests(InMemoryHarness harness) : DeadLetterCases(harness), IClassFixture<InMemoryHarness>;
