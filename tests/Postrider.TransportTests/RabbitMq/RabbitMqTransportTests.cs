using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.RabbitMq;

public sealed class RabbitMqTransportTests(RabbitMqHarness harness) : RabbitMqCases(harness), IClassFixture<RabbitMqHarness>;
