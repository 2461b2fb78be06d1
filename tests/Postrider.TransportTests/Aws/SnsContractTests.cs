using Postrider.TransportTests.Contract;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Aws;

/// <summary>Sending to it and what travels beside the body; messages are received from a queue, which has the whole contract.</summary>
public sealed class SnsContractTests(SnsHarness harness) : HeaderCases(harness), IClassFixture<SnsHarness>;
