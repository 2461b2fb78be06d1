namespace Postrider.Transport.Aws;

/// <summary>The throughput profile: how messages are collected into requests, and how queues are polled.</summary>
public sealed record AwsThroughput
{
    /// <summary>Number of messages that wait for their confirmation, over all routes; further sends wait. 1,000 by default.</summary>
    public int MaxUnconfirmed { get; set; } = 1_000;

    /// <summary>Number of concurrent requests to one destination. Meanwhile, further messages are collected into
    /// batches of up to ten. 4 by default; a FIFO destination always has one, which keeps the order.</summary>
    public int MaxRequests { get; set; } = 4;

    /// <summary>Number of requests for messages that a listener has open at once, at most its <c>MaxConcurrency</c>. 4 by default; from 1
    /// to 100. A standard queue whose binding has <c>OrderByKey</c> is polled by one.</summary>
    public int Pollers { get; set; } = 4;

    /// <summary>How long the server waits for a message before it returns an empty response. 20 s by default, the maximum of SQS;
    /// at least 1 s. Whole seconds.</summary>
    public TimeSpan PollWait { get; set; } = TimeSpan.FromSeconds(20);

    /// <summary>How many messages a poll requests, as a multiple of the free handlers, at most ten. 1 by default: no message waits
    /// in the process. More saves requests if handlers are short; messages that wait when the listener stops are returned, and SQS counts that as
    /// a delivery. From 1 to 10.</summary>
    public int PrefetchFactor { get; set; } = 1;

    /// <summary>How long a listener that stops waits for its open polls to end. A message that SQS hands to a poll whose connection was
    /// closed is delivered again after the lease, and counts as delivered. 3 s by default; from 0 to 30 s, where <see cref="PollWait"/>
    /// excludes such messages.</summary>
    public TimeSpan StopWait { get; set; } = TimeSpan.FromSeconds(3);
}
