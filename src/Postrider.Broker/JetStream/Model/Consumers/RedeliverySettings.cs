namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>The settings that decide when a delivery is open, redelivered or given up.</summary>
/// <param name="AckPolicy">How deliveries are acknowledged.</param>
/// <param name="AckWait">How long to wait for an acknowledgement, in nanoseconds; 0 = without limit.</param>
/// <param name="Backoff">The waits after the first, second and further deliveries, in nanoseconds, instead of AckWait; may be empty.</param>
/// <param name="MaxDeliver">Maximum number of deliveries of one message; 0 = unlimited.</param>
/// <param name="MaxAckPending">Maximum number of open deliveries; 0 = unlimited.</param>
internal sealed record RedeliverySettings(AckPolicy AckPolicy, long AckWait, long[] Backoff, ulong MaxDeliver, int MaxAckPending)
{
    /// <summary>The number of different waits.</summary>
    public int Buckets => Math.Max(1, Backoff.Length);

    /// <summary>The index of the wait that follows a delivery.</summary>
    /// <param name="deliveries">1 after the first.</param>
    public int BucketAfter(ulong deliveries) => (int)Math.Min(deliveries - 1, (ulong)(Buckets - 1));

    /// <summary>The wait with an index, in nanoseconds; 0 = without limit.</summary>
    public long WaitOf(int bucket) => Backoff.Length == 0 ? AckWait : Backoff[bucket];
}
