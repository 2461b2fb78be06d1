using System.Runtime.CompilerServices;
using Postrider.Client.Requests;
using Postrider.Client.Sessions;
using Postrider.Serialization;

namespace Postrider.Client.Services;

/// <summary>Finds running services through <c>$SRV</c>.</summary>
/// <remarks>Thread-safe. The number of replies is unknown, so a search ends when no more replies arrive. Source: NATS ADR-32.</remarks>
public sealed class ServiceDiscovery
{
    // Replies arrive within a round trip of the most distant instance; for a cluster across an ocean this is a quarter of a second.
    private static readonly TimeSpan Quiet = TimeSpan.FromMilliseconds(300);

    private readonly NatsSession _session;

    internal ServiceDiscovery(NatsSession session) => _session = session;

    /// <summary>Pings running services.</summary>
    /// <param name="name">Only services with this name; null for all.</param>
    /// <param name="id">Only this instance; requires a name.</param>
    /// <param name="options">When to stop waiting; null to stop after 300 ms without a reply.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>One reply per instance; none if no service is running.</returns>
    public IAsyncEnumerable<ServicePing> PingAsync(string? name = null, string? id = null, RequestManyOptions? options = null, CancellationToken ct = default)
        => SendRequestAsync("PING", name, id, ServiceJson.Ping, options, ct);

    /// <summary>Gets the information of running services.</summary>
    /// <param name="name">Only services with this name; null for all.</param>
    /// <param name="id">Only this instance; requires a name.</param>
    /// <param name="options">When to stop waiting; null to stop after 300 ms without a reply.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>One reply per instance; none if no service is running.</returns>
    public IAsyncEnumerable<ServiceInfo> GetInfoAsync(string? name = null, string? id = null, RequestManyOptions? options = null, CancellationToken ct = default)
        => SendRequestAsync("INFO", name, id, ServiceJson.Info, options, ct);

    /// <summary>Gets the statistics of running services.</summary>
    /// <param name="name">Only services with this name; null for all.</param>
    /// <param name="id">Only this instance; requires a name.</param>
    /// <param name="options">When to stop waiting; null to stop after 300 ms without a reply.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>One reply per instance; none if no service is running.</returns>
    public IAsyncEnumerable<ServiceStatistics> GetStatisticsAsync(string? name = null, string? id = null, RequestManyOptions? options = null, CancellationToken ct = default)
        => SendRequestAsync("STATS", name, id, ServiceJson.Statistics, options, ct);

    private async IAsyncEnumerable<T> SendRequestAsync<T>(
        string verb, string? name, string? id, Serializer<T> serializer, RequestManyOptions? options, [EnumeratorCancellation] CancellationToken ct)
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
