namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>What decides when a delivery is open, due again or given up.</summary>
/// <param name="AckPolicy">How deliveries are acknowledged.</param>
/// <param name="AckWait">How long an acknowledgement is waited for, in nanoseconds; 0 = for ever.</param>
/// <param name="Backoff">In its place, the wait after the first, second and further deliveries, in nanoseconds; may be empty.</param>
/// <param name="MaxDeliver">The most deliveries of one message; 0 = any number.</param>
/// <param name="MaxAckPending">The most open deliveries; 0 = any number.</param>
internal sealed record RedeliverySettings(AckPolicy AckPolicy, long AckWait, long[] Backoff, ulong MaxDeliver, int MaxAckPending)
{
    /// <summary>How many different waits there are.</summary>
    public int Buckets => Math.Max(1, Backoff.Length);

    /// <summary>Which wait follows a delivery.</summary>
    /// <param name="deliveries">1 after the first.</param>
    public int BucketAfter(ulong deliveries) => (int)Math.Min(deliveries - 1, (ulong)(Buckets - 1));

    /// <summary>The wait of a lane, in nanoseconds; 0 = for ever.</summary>
    public long WaitOf(int bucket) => Backoff.Length == 0 ? AckWait : Backoff[bucket];
}
