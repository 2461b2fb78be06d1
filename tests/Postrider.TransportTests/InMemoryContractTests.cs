using Postrider.TransportTests.Contract;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests;

public sealed class InMemoryContractTests(InMemoryHarness harness) : LifecycleCases(harness), IClassFixture<InMemoryHarness>;
