using Postrider.TransportTests.Contract;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Aws;

public sealed class SqsContractTests(SqsHarness harness) : DeadLetterCases(harness), IClassFixture<SqsHarness>;
