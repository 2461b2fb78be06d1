using Postrider.TransportTests.Contract;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.ServiceBus;

public sealed class ServiceBusOwnQueueContractTests(ServiceBusOwnQueueHarness harness) : DeadLetterCases(harness), IClassFixture<ServiceBusOwnQueueHarness>;
