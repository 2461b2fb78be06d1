using Postrider.TransportTests.Contract;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.RabbitMq;

public sealed class RabbitMqContractTests(RabbitMqHarness harness) : DeadLetterCases(harness), IClassFixture<RabbitMqHarness>;
