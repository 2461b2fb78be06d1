namespace Postrider.Transport.Aws;

/// <summary>The throughput profile: how messages are collected into requests, and how queues are polled.</summary>
public sealed record AwsThroughput
{
    /// <summary>Number of messages that wait for their confirmation, in all routes; a send beyond waits. 1,000 by default.</summary>
    public int MaxUnconfirmed { get; set; } = 1_000;

    /// <summary>Number of requests of one destination that are under way at once. While they are, further messages are collected into
    /// batches of up to ten. 4 by default; a FIFO destination always has one, which keeps the order.</summary>
    public int MaxRequests { get; set; } = 4;

    /// <summary>Number of requests for messages that a listener has open at once, at most its <c>MaxConcurrency</c>. 4 by default; from 1
    /// to 100. A standard queue whose binding has <c>OrderByKey</c> is polled by one.</summary>
    public int Pollers { get; set; } = 4;

    /// <summary>How long the server waits for a message before it answers that there is none. 20 s by default, which is the most that SQS
    /// allows; at least 1 s. Whole seconds.</summary>
    public TimeSpan PollWait { get; set; } = TimeSpan.FromSeconds(20);

    /// <summary>How many messages a poll asks for, as a multiple of the handlers that are free, at most ten. 1 by default: no message waits
    /// in the process. More saves requests where handlers are short; what waits when the listener stops is returned, and SQS counts that as
    /// a delivery. From 1 to 10.</summary>
    public int PrefetchFactor { get; set; } = 1;

    /// <summary>How long a listener that stops waits for its open polls to end. A message that SQS hands to a poll whose connection was
    /// closed is delivered again after the lease, and counts as delivered. 3 s by default; from 0 to 30 s, where <see cref="PollWait"/>
    /// excludes such messages.</summary>
    public TimeSpan StopWait { get; set; } = TimeSpan.FromSeconds(3);
}
