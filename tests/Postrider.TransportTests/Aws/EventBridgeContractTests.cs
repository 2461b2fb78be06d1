using Postrider.TransportTests.Contract;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Aws;

/// <summary>Sent to it, received from a queue.</summary>
public sealed class EventBridgeContractTests(EventBridgeHarness harness) : DeadLetterCases(harness), IClassFixture<EventBridgeHarness>;
