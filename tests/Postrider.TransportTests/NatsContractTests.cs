using Postrider.TransportTests.Contract;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests;

public sealed class NatsContractTests(NatsHarness harness) : DeadLetterCases(harness), IClassFixture<NatsHarness>;
