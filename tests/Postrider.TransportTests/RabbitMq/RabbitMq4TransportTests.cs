using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.RabbitMq;

public sealed class RabbitMq4TransportTests(RabbitMq4Harness harness) : RabbitMqCases(harness), IClassFixture<RabbitMq4Harness>;
