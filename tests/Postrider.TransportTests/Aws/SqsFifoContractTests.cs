using Postrider.TransportTests.Contract;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Aws;

public sealed class SqsFifoContractTests(SqsFifoHarness harness) : DeadLetterCases(harness), IClassFixture<SqsFifoHarness>;
