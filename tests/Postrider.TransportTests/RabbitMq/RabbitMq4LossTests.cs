using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.RabbitMq;

public sealed class RabbitMq4LossTests(RabbitMq4Harness harness) : RabbitMqLossCases(harness), IClassFixture<RabbitMq4Harness>;
