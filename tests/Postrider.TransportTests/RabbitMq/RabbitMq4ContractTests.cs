using Postrider.TransportTests.Contract;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.RabbitMq;

public sealed class RabbitMq4ContractTests(RabbitMq4Harness harness) : DeadLetterCases(harness), IClassFixture<RabbitMq4Harness>;
