using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.RabbitMq;

public sealed class RabbitMqLossTests(RabbitMqHarness harness) : RabbitMqLossCases(harness), IClassFixture<RabbitMqHarness>;
