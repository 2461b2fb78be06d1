using Postrider.TransportTests.Contract;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Aws;

/// <summary>Sending to it and what travels beside the body; messages are received from a queue, which has the whole contract.</summary>
public sealed class EventBridgeContractTests(EventBridgeHarness harness) : HeaderCases(harness), IClassFixture<EventBridgeHarness>;
