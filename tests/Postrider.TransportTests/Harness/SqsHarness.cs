using Postrider.Transport.Aws;

namespace Postrider.TransportTests.Harness;

/// <summary>Standard queues.</summary>
public sealed class SqsHarness(MotoServer server) : AwsHarness(server, AwsQueueType.Standard);
