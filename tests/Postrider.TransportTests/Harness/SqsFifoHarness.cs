using Postrider.Transport.Aws;

namespace Postrider.TransportTests.Harness;

/// <summary>FIFO queues.</summary>
public sealed class SqsFifoHarness(MotoServer server) : AwsHarness(server, AwsQueueType.Fifo);
