using Postrider.Client;
using Postrider.Client.JetStream.Models;
using Postrider.Client.KeyValue;
using Postrider.Resilience;
using Postrider.Transport.Nats;

namespace Postrider.Samples.OrderPipeline;

/// <summary>The streams and the bucket of the pipeline. The first process creates them.</summary>
public static class Topology
{
    /// <summary>Orders that wait to be packed: a work queue.</summary>
    public const string Orders = "orders.pack";

    /// <summary>The changes of their states.</summary>
    public const string Events = "orders.events";

    /// <summary>Those that cannot be packed.</summary>
    public const string DeadLetters = "orders.dead";

    // A restarting server, or a cluster during an election, rejects requests for a while: requests are repeated for this long.
    private static readonly RetryPolicy Patience = new()
    {
        MaxAttempts = 100,
        BaseDelay = TimeSpan.FromMilliseconds(100),
        MaxDelay = TimeSpan.FromSeconds(2),
        Handle = static failure => NatsStreamTransport.IsPassing(failure) || failure is PostriderException { Error: PostriderError.NoListener },
    };

    /// <summary>Creates the missing streams and the bucket.</summary>
    /// <param name="client">A client; its server may still be starting.</param>
    /// <param name="replicas">The number of servers of a cluster that store everything.</param>
    /// <param name="ct">Cancels the wait.</param>
    /// <returns>The bucket of the orders' states.</returns>
    public static async Task<KeyValueBucket> EnsureAsync(NatsClient client, int replicas, CancellationToken ct)
    {
        var streams = client.CreateJetStreamContext();
        StreamConfig[] wanted =
        [
            new() { Name = "ORDERS", Subjects = [Orders], Retention = StreamRetention.WorkQueue, Replicas = replicas },
            new() { Name = "ORDERS_EVENTS", Subjects = [Events], MaxAge = TimeSpan.FromDays(7), Replicas = replicas },
            new() { Name = "ORDERS_DEAD", Subjects = [DeadLetters], Replicas = replicas },
        ];
        foreach (var config in wanted) await InsistAsync(() => streams.CreateOrUpdateStreamAsync(config, ct), ct);
        return await InsistAsync(() => client.CreateKeyValueContext().CreateOrUpdateBucketAsync(new KeyValueConfig { Bucket = "orders", Replicas = replicas }, ct), ct);
    }

    /// <summary>Repeats a request as long as a later attempt may succeed.</summary>
    public static async Task<T> InsistAsync<T>(Func<Task<T>> ask, CancellationToken ct)
    {
        var delay = TimeSpan.Zero;
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                return await ask();
            }
            catch (Exception failure) when (!ct.IsCancellationRequested && Patience.TryPlan(failure, attempt, delay, out delay))
            {
                await Task.Delay(delay, ct);
            }
        }
    }
}
