using Postrider.TransportTests.Contract;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Aws;

/// <summary>Sent to it, received from a queue.</summary>
public sealed class SnsContractTests(SnsHarness harness) : DeadLetterCases(harness), IClassFixture<SnsHarness>;
