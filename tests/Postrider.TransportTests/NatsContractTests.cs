using Postrider.TransportTests.Contract;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests;

public sealed class NatsContractTests(NatsHarness harness) : LifecycleCases(harness), IClassFixture<NatsHarness>;
