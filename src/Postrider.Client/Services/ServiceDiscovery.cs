using System.Runtime.CompilerServices;
using Postrider.Client.Requests;
using Postrider.Client.Sessions;

namespace Postrider.Client.Services;

/// <summary>Finds services that run: asks at <c>$SRV</c> and reads what comes.</summary>
/// <remarks>Thread-safe. Nobody knows how many will answer, so a search ends when it stays quiet. Source: NATS ADR-32.</remarks>
public sealed class ServiceDiscovery
{
    // Answers come within a round trip of the farthest instance; a cluster over an ocean has a quarter of a second.
    private static readonly TimeSpan Quiet = TimeSpan.FromMilliseconds(300);

    private readonly NatsSession _session;

    internal ServiceDiscovery(NatsSession session) => _session = session;

    /// <summary>Who is there.</summary>
    /// <param name="name">Only services of this name; null for all.</param>
    /// <param name="id">Only this instance; needs a name.</param>
    /// <param name="options">When to stop waiting; null for 300 ms of quiet.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>One answer per instance; none when nobody is there.</returns>
    public IAsyncEnumerable<ServicePing> PingAsync(string? name = null, string? id = null, RequestManyOptions? options = null, CancellationToken ct = default)
        => SendRequestAsync("PING", name, id, ServiceJson.Ping, options, ct);

    /// <summary>What they offer.</summary>
    /// <param name="name">Only services of this name; null for all.</param>
    /// <param name="id">Only this instance; needs a name.</param>
    /// <param name="options">When to stop waiting; null for 300 ms of quiet.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>One answer per instance; none when nobody is there.</returns>
    public IAsyncEnumerable<ServiceInfo> GetInfoAsync(string? name = null, string? id = null, RequestManyOptions? options = null, CancellationToken ct = default)
        => SendRequestAsync("INFO", name, id, ServiceJson.Info, options, ct);

    /// <summary>What they did.</summary>
    /// <param name="name">Only services of this name; null for all.</param>
    /// <param name="id">Only this instance; needs a name.</param>
    /// <param name="options">When to stop waiting; null for 300 ms of quiet.</param>
    /// <param name="ct">Gives up.</param>
    /// <returns>One answer per instance; none when nobody is there.</returns>
    public IAsyncEnumerable<ServiceStatistics> GetStatisticsAsync(string? name = null, string? id = null, RequestManyOptions? options = null, CancellationToken ct = default)
        => SendRequestAsync("STATS", name, id, ServiceJson.Statistics, options, ct);

    private async IAsyncEnumerable<T> SendRequestAsync<T>(
        string verb, string? name, string? id, IPayloadSerializer<T> serializer, RequestManyOptions? options, [EnumeratorCancellation] CancellationToken ct)
    {
        var subject = (name, id) switch
        {
            (null, null) => $"$SRV.{verb}",
            (not null, null) => $"$SRV.{verb}.{name}",
            (not null, not null) => $"$SRV.{verb}.{name}.{id}",
            _ => throw new NatsClientException(NatsErrorCode.InvalidArgument, "A service id can only be given together with the service name."),
        };
        options ??= new RequestManyOptions { Idle = Quiet };
        var replies = RequestMany.ReadAsync(_session, subject, ReadOnlyMemory<byte>.Empty, options, null, null, serializer, ct).GetAsyncEnumerator(ct);
        await using var ends = replies.ConfigureAwait(false);
        while (true)
        {
            try
            {
                if (!await replies.MoveNextAsync().ConfigureAwait(false)) yield break;
            }
            catch (NatsNoRespondersException)
            {
                yield break;
            }
            yield return replies.Current.Data;
        }
    }
}
