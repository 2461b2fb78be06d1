using Postrider.TransportTests.Contract;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Kafka;

public sealed class KafkaContractTests(KafkaHarness harness) : DeadLetterCases(harness), IClassFixture<KafkaHarness>;
