using Postrider.TransportTests.Contract;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.ServiceBus;

public sealed class ServiceBusContractTests(ServiceBusHarness harness) : DeadLetterCases(harness), IClassFixture<ServiceBusHarness>;
